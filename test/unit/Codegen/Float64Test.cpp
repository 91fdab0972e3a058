//===- Float64Test.cpp - Error of float64 functions in last places --------===//

#include "KernelRunner.h"
#include "llvm/Support/FormatVariadic.h"
#include "gmock/gmock.h"
#include <cmath>
#include <cstring>

using namespace amp::test;

namespace {
/// A function, its largest error in units of the last place, and the truth,
/// which has 11 more bits.
struct Function64 {
  const char *op;
  double bound;
  long double (*truth)(long double);
};

long double sigmoid(long double x) { return 1 / (1 + expl(-x)); }
long double softplus(long double x) { return x > 100 ? x : log1pl(expl(x)); }

const Function64 kFunctions[] = {
    {"exp", 1.1, expl},          {"expm1", 1.9, expm1l},
    {"log", 1.0, logl},          {"log1p", 1.6, log1pl},
    {"tanh", 2.6, tanhl},        {"sigmoid", 2.4, sigmoid},
    {"softplus", 2.0, softplus}, {"sqrt", 0.5001, sqrtl}};

/// Numbers of every exponent, of the usual sizes, and around special places.
const std::vector<double> &arguments() {
  static const std::vector<double> values = [] {
    std::vector<double> list;
    std::mt19937_64 random(5);
    for (int i = 0; i < 200000; ++i) {
      uint64_t word = random();
      double value;
      std::memcpy(&value, &word, 8);
      list.push_back(value);
    }
    for (double width : {750.0, 40.0, 2.0, 0x1p-10, 0x1p-30}) {
      std::uniform_real_distribution<double> near(-width, width);
      for (int i = 0; i < 50000; ++i) {
        list.push_back(near(random));
        list.push_back(1 + near(random));
      }
    }
    for (double x :
         {0.0, 1.0, 22.0, 709.782712893384, 745.13321910194122, 0x1p-1022,
          0x1p-1074, 0x1p1023, 0x1p-54, 0x1p53, double(INFINITY)})
      for (double y : {x, std::nextafter(x, 0.0), std::nextafter(x, INFINITY)})
        list.insert(list.end(), {y, -y});
    while (list.size() % 64 != 5) // with a tail
      list.push_back(NAN);
    return list;
  }();
  return values;
}

double errorInUlps(double got, long double truth) {
  double rounded = double(truth);
  if (std::isnan(rounded) || std::isnan(got))
    return std::isnan(rounded) && std::isnan(got) ? 0 : 1e30;
  if (std::isinf(rounded))
    return got == rounded || std::nextafter(rounded, 0.0) == got ? 0 : 1e30;
  int exponent = truth == 0 ? -1022 : std::max(-1022, int(ilogbl(truth)));
  return double(fabsl(got - truth) / ldexpl(1, exponent - 52));
}

std::vector<double> run(const std::string &text, const std::string &cpu,
                        const std::vector<double> &x) {
  KernelRunner runner(text, cpu);
  EXPECT_TRUE(runner.good()) << runner.error;
  if (!runner.good())
    return {};
  auto kernel = runner.kernel();
  std::vector<HostTensor> tensors;
  tensors.emplace_back(
      amp::tensorType(kernel.getBody().front().getArgument(0)));
  std::memcpy(tensors[0].bytes.data(), x.data(), x.size() * 8);
  HostTensor y = runner.run(kernel, tensors)[0];
  std::vector<double> result(y.size());
  std::memcpy(result.data(), y.bytes.data(), y.bytes.size());
  return result;
}

std::vector<double> apply(const std::string &op, const std::string &cpu,
                          const std::vector<double> &x) {
  return run(llvm::formatv(R"(
    amp.kernel @f {{
    ^bb0(%x: tensor<{0}xf64>):
      %y = amp.{1} %x : (tensor<{0}xf64>) -> tensor<{0}xf64>
      amp.yield %y : tensor<{0}xf64>
    })",
                           x.size(), op),
             cpu, x);
}

class Functions64 : public testing::TestWithParam<Function64> {};
} // namespace

TEST_P(Functions64, StayWithinTheirBound) {
  const Function64 &function = GetParam();
  const auto &x = arguments();
  auto native = apply(function.op, "native", x);
  auto portable = apply(function.op, "x86-64-v3", x);
  ASSERT_EQ(native.size(), x.size());
  ASSERT_EQ(portable.size(), x.size());
  double worst = 0, where = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    // Which of two NaNs a sum takes is up to the instruction.
    if (!std::isnan(native[i]) || !std::isnan(portable[i])) {
      ASSERT_EQ(std::memcmp(&native[i], &portable[i], 8), 0) << x[i];
    }
    double error = errorInUlps(native[i], function.truth(x[i]));
    if (error > worst) {
      worst = error;
      where = x[i];
    }
  }
  EXPECT_LE(worst, function.bound)
      << function.op << "(" << where << ") = " << double(function.truth(where));
  RecordProperty("ulps", std::to_string(worst));
}

TEST(Functions64Values, ConstantPowersKeepTheDigits) {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> base(0.1, 3);
  std::vector<double> x(333);
  for (double &value : x)
    value = base(random);
  for (double y : {2.0, 3.0, -1.0, 0.5, -0.5, 4.0}) {
    std::string op = llvm::formatv("pow %x, %e : (tensor<{0}xf64>, "
                                   "tensor<f64>) -> tensor<{0}xf64>",
                                   x.size());
    auto z = run(llvm::formatv(R"(
    amp.kernel @f {{
    ^bb0(%x: tensor<{0}xf64>):
      %e = amp.constant dense<{1}> : tensor<f64>
      %y = amp.{2}
      amp.yield %y : tensor<{0}xf64>
    })",
                               x.size(), llvm::formatv("{0:E6}", y), op),
                 "native", x);
    ASSERT_EQ(z.size(), x.size());
    for (size_t i = 0; i < z.size(); ++i)
      EXPECT_LE(errorInUlps(z[i], powl(x[i], y)), 2.0) << x[i] << "^" << y;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Functions64, testing::ValuesIn(kFunctions),
                         [](const auto &info) { return info.param.op; });
