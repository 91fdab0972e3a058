//===- Float64Test.cpp - Error of float64 functions in last places --------===//

#include "FunctionError.h"

using namespace amp::test;

namespace {
const Function kFunctions[] = {
    {"exp", 1.1, expl},          {"expm1", 1.9, expm1l},
    {"log", 1.0, logl},          {"log1p", 1.6, log1pl},
    {"tanh", 2.6, tanhl},        {"sigmoid", 2.4, sigmoid},
    {"softplus", 2.0, softplus}, {"sqrt", 0.5001, sqrtl}};

/// Numbers of every exponent, of the usual sizes, and around special places.
const std::vector<double> &arguments() {
  static const std::vector<double> values = [] {
    std::vector<double> list;
    std::mt19937_64 random(5);
    for (int i = 0; i < 200000; ++i)
      list.push_back(fromBits<double>(uint64_t(random())));
    for (double width : {750.0, 40.0, 2.0, 0x1p-10, 0x1p-30}) {
      std::uniform_real_distribution<double> near(-width, width);
      for (int i = 0; i < 50000; ++i) {
        list.push_back(near(random));
        list.push_back(1 + near(random));
      }
    }
    addNeighbours<double>(list, {0.0, 1.0, 22.0, 709.782712893384,
                                 745.13321910194122, 0x1p-1022, 0x1p-1074,
                                 0x1p1023, 0x1p-54, 0x1p53, double(INFINITY)});
    addTail(list);
    return list;
  }();
  return values;
}

class Functions64 : public testing::TestWithParam<Function> {};
} // namespace

TEST_P(Functions64, StayWithinTheirBound) {
  // Which of two NaNs a sum takes is up to the instruction.
  expectWithinBound(GetParam(), arguments(), /*sameNaNs=*/false);
}

TEST(Functions64Values, ConstantPowersKeepTheDigits) {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> base(0.1, 3);
  std::vector<double> x(333);
  for (double &value : x)
    value = base(random);
  for (double y : {2.0, 3.0, -1.0, 0.5, -0.5, 4.0}) {
    std::string text = llvm::formatv(R"(
    amp.kernel @f {{
    ^bb0(%x: tensor<{0}xf64>):
      %e = amp.constant dense<{1}> : tensor<f64>
      %y = amp.pow %x, %e : (tensor<{0}xf64>, tensor<f64>) -> tensor<{0}xf64>
      amp.yield %y : tensor<{0}xf64>
    })",
                                     x.size(), llvm::formatv("{0:E6}", y));
    auto z = apply<double>(text, "native", {x});
    ASSERT_EQ(z.size(), x.size());
    for (size_t i = 0; i < z.size(); ++i)
      EXPECT_LE(errorInUlps(z[i], powl(x[i], y)), 2.0) << x[i] << "^" << y;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Functions64, testing::ValuesIn(kFunctions),
                         [](const auto &info) { return info.param.op; });
