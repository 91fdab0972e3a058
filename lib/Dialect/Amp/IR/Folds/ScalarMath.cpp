//===- ScalarMath.cpp - Elementwise ops on single numbers -----------------===//

#include "ScalarMath.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace amp;

static constexpr double kPi = 3.14159265358979323846;

static double gelu(double x, GeluForm form) {
  if (form == GeluForm::Erf)
    return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
  double inner = std::sqrt(2 / kPi) * (x + 0.044715 * x * x * x);
  return 0.5 * x * (1 + std::tanh(inner));
}

static double geluSlope(double x, GeluForm form) {
  if (form == GeluForm::Erf) {
    double density = std::exp(-0.5 * x * x) / std::sqrt(2 * kPi);
    return 0.5 * (1 + std::erf(x / std::sqrt(2.0))) + x * density;
  }
  double factor = std::sqrt(2 / kPi);
  double t = std::tanh(factor * (x + 0.044715 * x * x * x));
  double inner = factor * (1 + 3 * 0.044715 * x * x);
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * inner;
}

static double sign(double x) {
  return std::isnan(x) ? x : double((x > 0) - (x < 0));
}

/// max and min in which NaN wins.
static double larger(double a, double b) {
  return std::isnan(a) || a > b ? a : b;
}
static double smaller(double a, double b) {
  return std::isnan(a) || a < b ? a : b;
}

/// Remainder with the sign of the divisor.
static double floorMod(double a, double b) {
  double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static ScalarFunction unary(double (*function)(double)) {
  return [function](ArrayRef<Number> x) -> std::optional<Number> {
    return Number::ofReal(function(x[0].real));
  };
}

static ScalarFunction binary(double (*function)(double, double)) {
  return [function](ArrayRef<Number> x) -> std::optional<Number> {
    return Number::ofReal(function(x[0].real, x[1].real));
  };
}

static ScalarFunction realFunction(Operation *op) {
  using D = double;
  using Result = ScalarFunction;
  return TypeSwitch<Operation *, ScalarFunction>(op)
      .Case([](NegOp) -> Result { return unary([](D x) { return -x; }); })
      .Case([](AbsOp) -> Result {
        return unary([](D x) { return std::fabs(x); });
      })
      .Case([](SignOp) -> Result { return unary(sign); })
      .Case([](FloorOp) -> Result {
        return unary([](D x) { return std::floor(x); });
      })
      .Case([](CeilOp) -> Result {
        return unary([](D x) { return std::ceil(x); });
      })
      .Case([](RoundOp) -> Result {
        return unary([](D x) { return std::rint(x); });
      })
      .Case([](ExpOp) -> Result {
        return unary([](D x) { return std::exp(x); });
      })
      .Case([](Expm1Op) -> Result {
        return unary([](D x) { return std::expm1(x); });
      })
      .Case([](LogOp) -> Result {
        return unary([](D x) { return std::log(x); });
      })
      .Case([](Log1pOp) -> Result {
        return unary([](D x) { return std::log1p(x); });
      })
      .Case([](SqrtOp) -> Result {
        return unary([](D x) { return std::sqrt(x); });
      })
      .Case([](RsqrtOp) -> Result {
        return unary([](D x) { return 1 / std::sqrt(x); });
      })
      .Case([](ReciprocalOp) -> Result {
        return unary([](D x) { return 1 / x; });
      })
      .Case([](TanhOp) -> Result {
        return unary([](D x) { return std::tanh(x); });
      })
      .Case([](SigmoidOp) -> Result {
        return unary([](D x) { return 1 / (1 + std::exp(-x)); });
      })
      .Case([](SoftplusOp) -> Result {
        return unary([](D x) {
          return larger(x, 0) + std::log1p(std::exp(-std::fabs(x)));
        });
      })
      .Case([](ErfOp) -> Result {
        return unary([](D x) { return std::erf(x); });
      })
      .Case([](SinOp) -> Result {
        return unary([](D x) { return std::sin(x); });
      })
      .Case([](CosOp) -> Result {
        return unary([](D x) { return std::cos(x); });
      })
      .Case([](ReluOp) -> Result {
        return unary([](D x) { return larger(x, 0); });
      })
      .Case([](GeluOp op) -> Result {
        return [form = op.getForm()](ArrayRef<Number> x) {
          return Number::ofReal(gelu(x[0].real, form));
        };
      })
      .Case([](GeluGradOp op) -> Result {
        return [form = op.getForm()](ArrayRef<Number> x) {
          return Number::ofReal(x[0].real * geluSlope(x[1].real, form));
        };
      })
      .Case([](ReluGradOp) -> Result {
        return binary([](D dy, D y) { return y > 0 ? dy : 0; });
      })
      .Case([](IsNanOp) -> Result {
        return [](ArrayRef<Number> x) {
          return Number::ofInteger(std::isnan(x[0].real));
        };
      })
      .Case([](AddOp) -> Result {
        return binary([](D a, D b) { return a + b; });
      })
      .Case([](SubOp) -> Result {
        return binary([](D a, D b) { return a - b; });
      })
      .Case([](MulOp) -> Result {
        return binary([](D a, D b) { return a * b; });
      })
      .Case([](DivOp) -> Result {
        return binary([](D a, D b) { return a / b; });
      })
      .Case([](MaxOp) -> Result { return binary(larger); })
      .Case([](MinOp) -> Result { return binary(smaller); })
      .Case([](PowOp) -> Result {
        return binary([](D a, D b) { return std::pow(a, b); });
      })
      .Case([](ModOp) -> Result { return binary(floorMod); })
      .Case([](FModOp) -> Result {
        return binary([](D a, D b) { return std::fmod(a, b); });
      })
      .Default(nullptr);
}

/// Quotient and remainder are undefined for 0 and for the one pair whose
/// quotient does not fit.
template <typename Int>
static bool dividesBadly(Int a, Int b) {
  return b == 0 || (std::is_signed_v<Int> && b == Int(-1) &&
                    a == std::numeric_limits<Int>::min());
}

/// base ^ exponent, wrapping, by squaring.
static uint64_t integerPower(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent; exponent >>= 1, base *= base)
    if (exponent & 1)
      result *= base;
  return result;
}

/// Integers of one signedness. Sums and products wrap, so they are formed
/// without sign, where overflow is defined.
template <typename Int>
static ScalarFunction integerFunction(Operation *op) {
  using Optional = std::optional<Int>;
  using Function = Optional (*)(Int, Int);
  auto function =
      TypeSwitch<Operation *, Function>(op)
          .Case([](NegOp) -> Function {
            return [](Int a, Int) -> Optional { return Int(-uint64_t(a)); };
          })
          .Case([](AbsOp) -> Function {
            return [](Int a, Int) -> Optional {
              return a < Int(0) ? Int(-uint64_t(a)) : a;
            };
          })
          .Case([](SignOp) -> Function {
            return [](Int a, Int) -> Optional {
              return Int((a > Int(0)) - (a < Int(0)));
            };
          })
          .Case([](NotOp) -> Function {
            return [](Int a, Int) -> Optional { return Int(a == 0); };
          })
          .Case([](AddOp) -> Function {
            return [](Int a, Int b) -> Optional {
              return Int(uint64_t(a) + uint64_t(b));
            };
          })
          .Case([](SubOp) -> Function {
            return [](Int a, Int b) -> Optional {
              return Int(uint64_t(a) - uint64_t(b));
            };
          })
          .Case([](MulOp) -> Function {
            return [](Int a, Int b) -> Optional {
              return Int(uint64_t(a) * uint64_t(b));
            };
          })
          .Case([](DivOp) -> Function {
            return [](Int a, Int b) -> Optional {
              return dividesBadly(a, b) ? Optional() : Optional(a / b);
            };
          })
          .Case([](FModOp) -> Function {
            return [](Int a, Int b) -> Optional {
              return dividesBadly(a, b) ? Optional() : Optional(a % b);
            };
          })
          .Case([](ModOp) -> Function {
            return [](Int a, Int b) -> Optional {
              if (dividesBadly(a, b))
                return std::nullopt;
              Int rest = a % b;
              return rest != 0 && (rest < Int(0)) != (b < Int(0))
                         ? Int(rest + b)
                         : rest;
            };
          })
          .Case([](MaxOp) -> Function {
            return [](Int a, Int b) -> Optional { return std::max(a, b); };
          })
          .Case([](MinOp) -> Function {
            return [](Int a, Int b) -> Optional { return std::min(a, b); };
          })
          .Case([](PowOp) -> Function {
            return [](Int a, Int b) -> Optional {
              if (b < Int(0))
                return std::nullopt;
              return Int(integerPower(uint64_t(a), uint64_t(b)));
            };
          })
          .Case([](AndOp) -> Function {
            return [](Int a, Int b) -> Optional { return a & b; };
          })
          .Case([](OrOp) -> Function {
            return [](Int a, Int b) -> Optional { return a | b; };
          })
          .Case([](XorOp) -> Function {
            return [](Int a, Int b) -> Optional { return a ^ b; };
          })
          .Default(nullptr);
  if (!function)
    return nullptr;
  return [function](ArrayRef<Number> x) -> std::optional<Number> {
    Optional result =
        function(Int(x[0].integer), x.size() > 1 ? Int(x[1].integer) : Int(0));
    if (!result)
      return std::nullopt;
    return Number::ofInteger(int64_t(*result));
  };
}

template <typename T>
static bool compares(ComparePredicate how, T a, T b) {
  switch (how) {
  case ComparePredicate::EQ:
    return a == b;
  case ComparePredicate::NE:
    return a != b;
  case ComparePredicate::LT:
    return a < b;
  case ComparePredicate::LE:
    return a <= b;
  case ComparePredicate::GT:
    return a > b;
  case ComparePredicate::GE:
    return a >= b;
  }
  llvm_unreachable("all predicates are listed");
}

ScalarFunction amp::scalarFunction(Operation *op, bool isFloat,
                                   bool isUnsigned) {
  if (auto compare = dyn_cast<CompareOp>(op)) {
    ComparePredicate how = compare.getPredicate();
    return [=](ArrayRef<Number> x) -> std::optional<Number> {
      if (isFloat)
        return Number::ofInteger(compares(how, x[0].real, x[1].real));
      if (isUnsigned)
        return Number::ofInteger(
            compares(how, uint64_t(x[0].integer), uint64_t(x[1].integer)));
      return Number::ofInteger(compares(how, x[0].integer, x[1].integer));
    };
  }
  if (isFloat)
    return realFunction(op);
  return isUnsigned ? integerFunction<uint64_t>(op)
                    : integerFunction<int64_t>(op);
}
