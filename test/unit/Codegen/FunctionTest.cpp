//===- FunctionTest.cpp - Error of the functions in units of last place ---===//

#include "FunctionError.h"

using namespace amp::test;

namespace {
long double reciprocalRoot(long double x) { return 1 / sqrtl(x); }
long double reciprocal(long double x) { return 1 / x; }

/// The bounds that docs and users may rely on.
const Function kFunctions[] = {{"exp", 1.0, expl},
                               {"expm1", 1.7, expm1l},
                               {"log", 1.0, logl},
                               {"log1p", 1.6, log1pl},
                               {"tanh", 1.6, tanhl},
                               {"erf", 1.1, erfl},
                               {"sin", 1.7, sinl},
                               {"cos", 1.7, cosl},
                               {"sqrt", 0.5001, sqrtl},
                               {"rsqrt", 1.6, reciprocalRoot},
                               {"sigmoid", 2.4, sigmoid},
                               {"softplus", 2.0, softplus},
                               {"reciprocal", 0.5001, reciprocal}};

/// Every 4099th float, and the neighbours of special places.
const std::vector<float> &arguments() {
  static const std::vector<float> values = [] {
    std::vector<float> list;
    for (uint64_t bits = 0; bits < (uint64_t(1) << 32); bits += 4099)
      list.push_back(fromBits<float>(uint32_t(bits)));
    addNeighbours<float>(list,
                         {0.0f, 1.0f, 0.55f, 10.0f, 88.0f, 88.72284f, 87.33655f,
                          103.97208f, 0.927734375f, 1.17549435e-38f, 1e-45f,
                          3.40282347e38f, INFINITY, 0x1p100f, 0x1p-25f});
    // Multiples of pi/2, where sine or cosine are small.
    for (int k = 1; k < 2000; ++k)
      list.push_back(float(k * M_PI_2));
    addTail(list);
    return list;
  }();
  return values;
}

class Functions : public testing::TestWithParam<Function> {};
} // namespace

TEST_P(Functions, StayWithinTheirBound) {
  expectWithinBound(GetParam(), arguments(), /*sameNaNs=*/true);
}

/// Signs of zero survive where the function is odd.
TEST(FunctionValues, OddFunctionsKeepMinusZero) {
  for (const char *op : {"expm1", "log1p", "tanh", "erf", "sin", "sqrt"}) {
    auto y = apply<float>(unaryKernel<float>(op, 17), "native",
                          {std::vector<float>(17, -0.0f)});
    for (float value : y)
      EXPECT_TRUE(value == 0 && std::signbit(value)) << op;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Functions, testing::ValuesIn(kFunctions),
                         [](const auto &info) { return info.param.op; });

TEST(FunctionValues, PowAgreesWithC) {
  std::vector<float> x, y;
  const float special[] = {0.0f,     -0.0f,     1.0f,        -1.0f, 2.0f,
                           -2.0f,    3.0f,      -3.0f,       0.5f,  -0.5f,
                           INFINITY, -INFINITY, NAN,         2.5f,  7e8f,
                           1e-40f,   -1e-40f,   16777217.0f, 1e30f, 1e-30f};
  for (float a : special)
    for (float b : special) {
      x.push_back(a);
      y.push_back(b);
    }
  std::mt19937 random(7);
  std::uniform_real_distribution<float> exponent(-40, 40), base(-30, 30);
  for (int i = 0; i < 20000; ++i) {
    x.push_back(std::exp2(base(random)));
    y.push_back(exponent(random) / 8);
  }
  std::string text = llvm::formatv(R"(
    amp.kernel @f {{
    ^bb0(%x: tensor<{0}xf32>, %y: tensor<{0}xf32>):
      %z = amp.pow %x, %y : (tensor<{0}xf32>, tensor<{0}xf32>) -> tensor<{0}xf32>
      amp.yield %z : tensor<{0}xf32>
    })",
                                   x.size());
  auto z = apply<float>(text, "native", {x, y});
  EXPECT_EQ(z.size(), x.size());
  for (size_t i = 0; i < z.size(); ++i)
    EXPECT_LE(errorInUlps(z[i], powl(x[i], y[i])), 1.1)
        << "pow(" << x[i] << ", " << y[i] << ") = " << z[i];
}

TEST(FunctionValues, PowersWithConstantExponent) {
  std::vector<float> x;
  std::mt19937 random(8);
  std::uniform_real_distribution<float> base(-3, 3);
  for (int i = 0; i < 1000; ++i)
    x.push_back(base(random));
  x.insert(x.end(), {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1.0f, -1.0f});
  for (double y :
       {0.0, 1.0, -1.0, 2.0, -2.0, 3.0, 4.0, 0.5, -0.5, 2.7, -3.0, 5.0}) {
    std::string text = llvm::formatv(R"(
    amp.kernel @f {{
    ^bb0(%x: tensor<{0}xf32>):
      %e = amp.constant dense<{1}> : tensor<f32>
      %z = amp.pow %x, %e : (tensor<{0}xf32>, tensor<f32>) -> tensor<{0}xf32>
      amp.yield %z : tensor<{0}xf32>
    })",
                                     x.size(), llvm::formatv("{0:E6}", y));
    auto z = apply<float>(text, "native", {x});
    ASSERT_EQ(z.size(), x.size());
    for (size_t i = 0; i < z.size(); ++i)
      EXPECT_LE(errorInUlps(z[i], powl(x[i], float(y))), 2.0)
          << "pow(" << x[i] << ", " << y << ") = " << z[i];
  }
}

/// GELU and its derivative, against values in double; the error is relative
/// to the larger of 1 and |x|, for the erf form cancels in the left tail.
TEST(FunctionValues, GeluAndItsDerivative) {
  for (const char *form : {"erf", "tanh"}) {
    std::string text = llvm::formatv(R"(
    amp.kernel @f {{
    ^bb0(%dy: tensor<4097xf32>, %x: tensor<4097xf32>):
      %y = amp.gelu %x {{form = #amp<gelu_form {0}>} : (tensor<4097xf32>) -> tensor<4097xf32>
      %g = amp.gelu_grad %dy, %x {{form = #amp<gelu_form {0}>} : (tensor<4097xf32>, tensor<4097xf32>) -> tensor<4097xf32>
      amp.yield %y, %g : tensor<4097xf32>, tensor<4097xf32>
    })",
                                     form);
    checkKernel(text, 3e-7, 9, -12, 12);
    checkKernel(text, 3e-7, 10, -1e4, 1e4);
  }
}
