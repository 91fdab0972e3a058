//===- Elementwise.cpp - Reference of the elementwise family --------------===//

#include "Reference/Evaluator.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace amp;
using namespace amp::reference;

namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);
const double kNaN = std::numeric_limits<double>::quiet_NaN();

double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
}
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double normalDensity(double x) {
  return std::exp(-x * x / 2) / std::sqrt(2 * M_PI);
}
double normalShare(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }
double maximum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? kNaN : std::max(a, b);
}
double minimum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? kNaN : std::min(a, b);
}

double gelu(double x, GeluForm form) {
  if (form == GeluForm::Erf)
    return x * normalShare(x);
  double u = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
  return x / 2 * (1 + std::tanh(u));
}

double geluSlope(double x, GeluForm form) {
  if (form == GeluForm::Erf)
    return normalShare(x) + x * normalDensity(x);
  double k = std::sqrt(2 / M_PI);
  double t = std::tanh(k * (x + 0.044715 * x * x * x));
  return (1 + t) / 2 + x / 2 * (1 - t * t) * k * (1 + 0.134145 * x * x);
}

Unary unaryOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Unary>(op)
      .Case([](NegOp) -> Unary { return [](double x) { return -x; }; })
      .Case(
          [](AbsOp) -> Unary { return [](double x) { return std::fabs(x); }; })
      .Case([](SignOp) -> Unary {
        return [](double x) {
          return std::isnan(x) ? x : (x > 0) - (x < 0) + 0.0;
        };
      })
      .Case([](FloorOp) -> Unary {
        return [](double x) { return std::floor(x); };
      })
      .Case(
          [](CeilOp) -> Unary { return [](double x) { return std::ceil(x); }; })
      .Case([](RoundOp) -> Unary {
        return [](double x) { return std::nearbyint(x); };
      })
      .Case([](ExpOp) -> Unary { return [](double x) { return std::exp(x); }; })
      .Case([](Expm1Op) -> Unary {
        return [](double x) { return std::expm1(x); };
      })
      .Case([](LogOp) -> Unary { return [](double x) { return std::log(x); }; })
      .Case([](Log1pOp) -> Unary {
        return [](double x) { return std::log1p(x); };
      })
      .Case(
          [](SqrtOp) -> Unary { return [](double x) { return std::sqrt(x); }; })
      .Case([](RsqrtOp) -> Unary {
        return [](double x) { return 1 / std::sqrt(x); };
      })
      .Case(
          [](ReciprocalOp) -> Unary { return [](double x) { return 1 / x; }; })
      .Case(
          [](TanhOp) -> Unary { return [](double x) { return std::tanh(x); }; })
      .Case([](SigmoidOp) -> Unary { return sigmoid; })
      .Case([](SoftplusOp) -> Unary { return softplus; })
      .Case([](ErfOp) -> Unary { return [](double x) { return std::erf(x); }; })
      .Case([](SinOp) -> Unary { return [](double x) { return std::sin(x); }; })
      .Case([](CosOp) -> Unary { return [](double x) { return std::cos(x); }; })
      .Case([](ReluOp) -> Unary {
        return [](double x) { return std::isnan(x) ? x : std::max(x, 0.0); };
      })
      .Case([](NotOp) -> Unary {
        return [](double x) { return x == 0 ? 1.0 : 0; };
      })
      .Case([](IsNanOp) -> Unary {
        return [](double x) { return std::isnan(x) ? 1.0 : 0; };
      })
      .Default([](Operation *) -> Unary { return nullptr; });
}

Binary binaryOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Binary>(op)
      .Case([](AddOp) -> Binary {
        return [](double a, double b) { return a + b; };
      })
      .Case([](SubOp) -> Binary {
        return [](double a, double b) { return a - b; };
      })
      .Case([](MulOp) -> Binary {
        return [](double a, double b) { return a * b; };
      })
      .Case([](DivOp) -> Binary {
        return [](double a, double b) { return a / b; };
      })
      .Case([](MaxOp) -> Binary { return maximum; })
      .Case([](MinOp) -> Binary { return minimum; })
      .Case([](PowOp) -> Binary {
        return [](double a, double b) { return std::pow(a, b); };
      })
      .Case([](ModOp) -> Binary {
        return [](double a, double b) { return a - std::floor(a / b) * b; };
      })
      .Case([](FModOp) -> Binary {
        return [](double a, double b) { return std::fmod(a, b); };
      })
      .Case([](AndOp) -> Binary {
        return [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0; };
      })
      .Case([](OrOp) -> Binary {
        return [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0; };
      })
      .Case([](XorOp) -> Binary {
        return
            [](double a, double b) { return (a != 0) != (b != 0) ? 1.0 : 0; };
      })
      .Case([](ReluGradOp) -> Binary {
        return [](double dy, double y) { return y > 0 ? dy : 0; };
      })
      .Case([](UnscaleOp) -> Binary {
        return [](double g, double scale) { return g / scale; };
      })
      .Default([](Operation *) -> Binary { return nullptr; });
}

double compared(double a, double b, ComparePredicate predicate) {
  switch (predicate) {
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
  llvm_unreachable("all predicates are handled");
}

/// Result element by element; operands broadcast.
void map(Operation *op, Frame &frame,
         llvm::function_ref<double(ArrayRef<double>)> formula) {
  Value value = op->getResult(0);
  Tensor result(shapeOf(value));
  SmallVector<const Tensor *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(&frame.get(operand));
  forEach(result.shape, [&](ArrayRef<int64_t> index) {
    SmallVector<double> numbers;
    for (const Tensor *operand : operands)
      numbers.push_back(operand->spread(index));
    result.at(index) = formula(numbers);
  });
  frame.set(value, std::move(result));
}

} // namespace

bool amp::reference::evaluateElementwise(Operation *op, Frame &frame) {
  if (Unary unary = unaryOf(op)) {
    map(op, frame, [&](ArrayRef<double> x) { return unary(x[0]); });
    return true;
  }
  if (Binary binary = binaryOf(op)) {
    map(op, frame, [&](ArrayRef<double> x) { return binary(x[0], x[1]); });
    return true;
  }
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](CompareOp compare) {
        map(op, frame, [&](ArrayRef<double> x) {
          return compared(x[0], x[1], compare.getPredicate());
        });
        return true;
      })
      .Case([&](SelectOp) {
        map(op, frame, [](ArrayRef<double> x) { return x[0] ? x[1] : x[2]; });
        return true;
      })
      .Case([&](GeluOp gelu_) {
        map(op, frame,
            [&](ArrayRef<double> x) { return gelu(x[0], gelu_.getForm()); });
        return true;
      })
      .Case([&](GeluGradOp grad) {
        map(op, frame, [&](ArrayRef<double> x) {
          return x[0] * geluSlope(x[1], grad.getForm());
        });
        return true;
      })
      .Case([&](FanInSumOp) {
        map(op, frame, [](ArrayRef<double> x) {
          double sum = 0;
          for (double term : x)
            sum += term;
          return sum;
        });
        return true;
      })
      .Case([&](CastOp cast_) {
        Type from = tensorType(cast_.getX()).getElementType();
        Type to = tensorType(cast_.getResult()).getElementType();
        bool truncates =
            isa<FloatType>(from) && isa<IntegerType>(to) && !to.isInteger(1);
        map(op, frame, [&](ArrayRef<double> x) {
          return truncates ? std::trunc(x[0]) : x[0];
        });
        return true;
      })
      .Case([&](IotaOp iota) {
        Tensor result(shapeOf(iota.getResult()));
        forEach(result.shape, [&](ArrayRef<int64_t> index) {
          result.at(index) = index[iota.getAxis()];
        });
        frame.set(iota.getResult(), std::move(result));
        return true;
      })
      .Case([&](ConstantOp constant) {
        frame.set(constant.getResult(),
                  constantTensor(constant.getValue(),
                                 tensorType(constant.getResult())));
        return true;
      })
      .Default(false);
}
