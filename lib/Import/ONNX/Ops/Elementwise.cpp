//===- Elementwise.cpp - Import of arithmetic and comparisons -------------===//
//
// Ops that the dialect has under another name, and those made of few of them.
//
//===----------------------------------------------------------------------===//

#include "NodeBinder.h"

using namespace amp;
using namespace amp::onnximport;
using mlir::Value;

template <typename OpTy>
static LogicalResult importUnary(NodeBinder &b) {
  return b.result(b.unary<OpTy>(b.in(0)));
}

template <typename OpTy>
static LogicalResult importFloatUnary(NodeBinder &b) {
  return b.result(b.unary<OpTy>(b.floatIn(0)));
}

template <typename OpTy>
static LogicalResult importBinary(NodeBinder &b) {
  Value lhs = b.in(0), rhs = lhs ? b.in(1) : Value();
  return b.result(b.binary<OpTy>(lhs, rhs));
}

/// Logical ops are defined on booleans only.
template <typename OpTy>
static LogicalResult importLogical(NodeBinder &b) {
  Value lhs = b.in(0), rhs = lhs ? b.in(1) : Value();
  if (!lhs || !rhs)
    return failure();
  if (!elementOf(lhs).isInteger(1) || !elementOf(rhs).isInteger(1))
    return b.invalid("operands have to be booleans");
  return b.result(b.binary<OpTy>(lhs, rhs));
}

static LogicalResult importNot(NodeBinder &b) {
  Value x = b.in(0);
  if (!x)
    return failure();
  if (!elementOf(x).isInteger(1))
    return b.invalid("the operand has to be boolean");
  return b.result(b.unary<NotOp>(x));
}

template <ComparePredicate predicate>
static LogicalResult importCompare(NodeBinder &b) {
  Value lhs = b.in(0), rhs = lhs ? b.in(1) : Value();
  return b.result(b.compare(lhs, rhs, predicate));
}

/// Sum, Max, Min and Mean take any number of operands.
template <typename OpTy>
static LogicalResult importVariadic(NodeBinder &b) {
  FailureOr<llvm::SmallVector<Value>> values = b.allIn();
  if (failed(values))
    return failure();
  Value result = values->front();
  for (Value next : llvm::drop_begin(*values))
    if (!(result = b.binary<OpTy>(result, next)))
      return failure();
  return b.result(result);
}

static LogicalResult importMean(NodeBinder &b) {
  FailureOr<llvm::SmallVector<Value>> values = b.allIn();
  if (failed(values) || !b.floatIn(0))
    return failure();
  Value sum = values->front();
  for (Value next : llvm::drop_begin(*values))
    if (!(sum = b.binary<AddOp>(sum, next)))
      return failure();
  return b.result(
      b.binary<MulOp>(sum, b.number(1.0 / values->size(), sum.getType())));
}

static LogicalResult importPow(NodeBinder &b) {
  Value base = b.in(0), exponent = base ? b.in(1) : Value();
  if (!base || !exponent)
    return failure();
  // The result has the type of the base; the exponent may have another one.
  if (elementOf(base) != elementOf(exponent)) {
    if (!llvm::isa<mlir::FloatType>(elementOf(base)))
      return b.unsupported("an integer base with another exponent type");
    exponent = b.cast(exponent, elementOf(base));
  }
  return b.result(b.binary<PowOp>(base, exponent));
}

static LogicalResult importMod(NodeBinder &b) {
  Value lhs = b.in(0), rhs = lhs ? b.in(1) : Value();
  FailureOr<int64_t> fmod = b.intAttr("fmod", 0);
  if (!rhs || failed(fmod))
    return failure();
  // Since opset 28 floats may have a remainder with the divisor's sign, too.
  if (*fmod == 0 && llvm::isa<mlir::FloatType>(elementOf(lhs)) &&
      b.opset() < 28)
    return b.invalid("floats need the attribute 'fmod' = 1");
  return b.result(*fmod ? b.binary<FModOp>(lhs, rhs)
                        : b.binary<ModOp>(lhs, rhs));
}

static LogicalResult importWhere(NodeBinder &b) {
  Value condition = b.in(0), onTrue = condition ? b.in(1) : Value();
  Value onFalse = onTrue ? b.in(2) : Value();
  return b.result(b.select(condition, onTrue, onFalse));
}

static LogicalResult importIsNan(NodeBinder &b) {
  Value x = b.floatIn(0);
  if (!x)
    return failure();
  return b.result(
      b.emit<IsNanOp>(withElement(x.getType(), b.builder.getI1Type()), x));
}

static LogicalResult importIsInf(NodeBinder &b) {
  Value x = b.floatIn(0);
  FailureOr<int64_t> negative = b.intAttr("detect_negative", 1);
  FailureOr<int64_t> positive = b.intAttr("detect_positive", 1);
  if (!x || failed(negative) || failed(positive))
    return failure();
  if (!*negative && !*positive)
    return b.result(b.splat(0, shapeOf(x), b.builder.getI1Type()));
  double infinity = std::numeric_limits<double>::infinity();
  Value tested = *negative && *positive ? b.unary<AbsOp>(x) : x;
  if (!tested)
    return failure();
  return b.result(
      b.compare(tested, b.number(*positive ? infinity : -infinity, x.getType()),
                ComparePredicate::EQ));
}

/// A bound of Clip: an attribute until opset 10, an operand since.
static FailureOr<Value> clipBound(NodeBinder &b, llvm::StringRef name, int i,
                                  Value x) {
  if (b.opset() >= 11) {
    if (!b.has(i))
      return Value();
    Value bound = b.in(i);
    if (!bound)
      return failure();
    if (tensorType(bound).getNumElements() != 1)
      return b.invalid("'" + name + "' has to be a scalar");
    return b.reshape(bound, {});
  }
  if (!b.attribute(name))
    return Value();
  FailureOr<double> bound = b.floatAttr(name, 0);
  if (failed(bound))
    return failure();
  return b.number(*bound, x.getType());
}

static LogicalResult importClip(NodeBinder &b) {
  Value x = b.in(0);
  if (!x)
    return failure();
  FailureOr<Value> low = clipBound(b, "min", 1, x);
  if (failed(low))
    return failure();
  FailureOr<Value> high = clipBound(b, "max", 2, x);
  if (failed(high))
    return failure();
  // Maximum first: with min > max the result is max.
  if (*low && !(x = b.binary<MaxOp>(x, *low)))
    return failure();
  if (*high && !(x = b.binary<MinOp>(x, *high)))
    return failure();
  return b.result(x);
}

static LogicalResult importTan(NodeBinder &b) {
  Value x = b.floatIn(0);
  return b.result(b.binary<DivOp>(b.unary<SinOp>(x), b.unary<CosOp>(x)));
}

void amp::onnximport::addElementwiseOps(OpTable &table) {
  table.add("Abs", importUnary<AbsOp>);
  table.add("Neg", importUnary<NegOp>);
  table.add("Sign", importUnary<SignOp>, 9);
  table.add("Exp", importFloatUnary<ExpOp>);
  table.add("Log", importFloatUnary<LogOp>);
  table.add("Sqrt", importFloatUnary<SqrtOp>);
  table.add("Reciprocal", importFloatUnary<ReciprocalOp>);
  table.add("Sin", importFloatUnary<SinOp>);
  table.add("Cos", importFloatUnary<CosOp>);
  table.add("Tan", importTan);
  table.add("Erf", importFloatUnary<ErfOp>, 9);
  table.add("Floor", importFloatUnary<FloorOp>);
  table.add("Ceil", importFloatUnary<CeilOp>);
  table.add("Round", importFloatUnary<RoundOp>, 11);
  table.add("Not", importNot);
  table.add("Add", importBinary<AddOp>);
  table.add("Sub", importBinary<SubOp>);
  table.add("Mul", importBinary<MulOp>);
  table.add("Div", importBinary<DivOp>);
  table.add("Pow", importPow);
  table.add("Mod", importMod, 10);
  table.add("And", importLogical<AndOp>);
  table.add("Or", importLogical<OrOp>);
  table.add("Xor", importLogical<XorOp>);
  table.add("Equal", importCompare<ComparePredicate::EQ>);
  table.add("Less", importCompare<ComparePredicate::LT>);
  table.add("Greater", importCompare<ComparePredicate::GT>);
  table.add("LessOrEqual", importCompare<ComparePredicate::LE>, 12);
  table.add("GreaterOrEqual", importCompare<ComparePredicate::GE>, 12);
  table.add("Sum", importVariadic<AddOp>);
  table.add("Max", importVariadic<MaxOp>);
  table.add("Min", importVariadic<MinOp>);
  table.add("Mean", importMean);
  table.add("Where", importWhere, 9);
  table.add("IsNaN", importIsNan, 9);
  table.add("IsInf", importIsInf, 10);
  table.add("Clip", importClip);
}
