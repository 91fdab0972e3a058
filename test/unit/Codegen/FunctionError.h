//===- FunctionError.h - Error of functions in units of last place --------===//
//
// A function of a kernel against the truth, which is a long double and has more
// bits than any result. T is float or double.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_UNIT_CODEGEN_FUNCTIONERROR_H
#define AMP_TEST_UNIT_CODEGEN_FUNCTIONERROR_H

#include "KernelRunner.h"
#include "llvm/Support/FormatVariadic.h"
#include "gmock/gmock.h"
#include <cmath>
#include <cstring>
#include <limits>

namespace amp::test {

/// A function, its largest error in units of the last place, and the truth.
struct Function {
  const char *op;
  double bound;
  long double (*truth)(long double);
};

inline long double sigmoid(long double x) { return 1 / (1 + expl(-x)); }
inline long double softplus(long double x) {
  return x > 100 ? x : log1pl(expl(x));
}

/// The number of type T with these bits.
template <typename T, typename Word>
T fromBits(Word word) {
  static_assert(sizeof(T) == sizeof(Word));
  T value;
  std::memcpy(&value, &word, sizeof(T));
  return value;
}

/// Numbers around special places, of both signs.
template <typename T>
void addNeighbours(std::vector<T> &list, std::initializer_list<T> places) {
  for (T x : places)
    for (T y : {x, std::nextafter(x, T(0)), std::nextafter(x, T(INFINITY))})
      list.insert(list.end(), {y, -y});
}

/// Leaves a tail behind whole vectors of lanes.
template <typename T>
void addTail(std::vector<T> &list) {
  while (list.size() % 64 != 5)
    list.push_back(NAN);
}

template <typename T>
double errorInUlps(T got, long double truth) {
  constexpr int kLeast = std::numeric_limits<T>::min_exponent - 1;
  constexpr int kBits = std::numeric_limits<T>::digits - 1;
  T rounded = T(truth);
  if (std::isnan(rounded) || std::isnan(got))
    return std::isnan(rounded) && std::isnan(got) ? 0 : 1e30;
  if (std::isinf(rounded))
    return got == rounded || std::nextafter(rounded, T(0)) == got ? 0 : 1e30;
  int exponent = truth == 0 ? kLeast : std::max(kLeast, int(ilogbl(truth)));
  return double(fabsl(got - truth) / ldexpl(1, exponent - kBits));
}

/// A kernel of one op with one operand.
template <typename T>
std::string unaryKernel(const std::string &op, size_t count) {
  return llvm::formatv(R"(
    amp.kernel @f {{
    ^bb0(%x: tensor<{0}xf{2}>):
      %y = amp.{1} %x : (tensor<{0}xf{2}>) -> tensor<{0}xf{2}>
      amp.yield %y : tensor<{0}xf{2}>
    })",
                       count, op, 8 * sizeof(T));
}

/// The result of a kernel; empty, with a failed check, if it does not compile.
template <typename T>
std::vector<T> apply(const std::string &text, const std::string &cpu,
                     const std::vector<std::vector<T>> &inputs) {
  KernelRunner runner(text, cpu);
  EXPECT_TRUE(runner.good()) << runner.error;
  if (!runner.good())
    return {};
  std::vector<HostTensor> tensors;
  auto kernel = runner.kernel();
  for (auto argument : kernel.getBody().front().getArguments()) {
    tensors.emplace_back(amp::tensorType(argument));
    const auto &from = inputs[argument.getArgNumber()];
    std::memcpy(tensors.back().bytes.data(), from.data(),
                from.size() * sizeof(T));
  }
  HostTensor y = runner.run(kernel, tensors)[0];
  std::vector<T> result(y.size());
  std::memcpy(result.data(), y.bytes.data(), y.bytes.size());
  return result;
}

/// Checks the bound, and that two processors give the same bits, those of NaNs
/// on demand.
template <typename T>
void expectWithinBound(const Function &function, const std::vector<T> &x,
                       bool sameNaNs) {
  std::string text = unaryKernel<T>(function.op, x.size());
  auto native = apply<T>(text, "native", {x});
  auto portable = apply<T>(text, "x86-64-v3", {x});
  ASSERT_EQ(native.size(), x.size());
  ASSERT_EQ(portable.size(), x.size());
  double worst = 0;
  T where = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    bool areNaNs = std::isnan(native[i]) && std::isnan(portable[i]);
    if (sameNaNs || !areNaNs) {
      ASSERT_EQ(std::memcmp(&native[i], &portable[i], sizeof(T)), 0) << x[i];
    }
    double error = errorInUlps(native[i], function.truth(x[i]));
    if (error > worst) {
      worst = error;
      where = x[i];
    }
  }
  EXPECT_LE(worst, function.bound)
      << function.op << "(" << where << ") = " << T(function.truth(where));
  testing::Test::RecordProperty("ulps", std::to_string(worst));
}

} // namespace amp::test

#endif // AMP_TEST_UNIT_CODEGEN_FUNCTIONERROR_H
