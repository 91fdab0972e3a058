//===- Binary.cpp - Gradients of functions of several tensors -------------===//
//
// Operands broadcast: RuleBuilder::give sums a gradient over the dimensions
// along which its operand is repeated.
//
//===----------------------------------------------------------------------===//

#include "RuleBuilder.h"
#include "amp/Dialect/Amp/IR/Branches.h"
#include "mlir/IR/Matchers.h"
#include <optional>

using namespace mlir;
using namespace amp;

namespace {

constexpr char kBoolean[] = "its result is a truth value";
constexpr char kNoOperand[] = "it has no operand";

LogicalResult addRule(AddOp op, RuleBuilder &b) {
  b.give(op.getLhs(), b.grad());
  b.give(op.getRhs(), b.grad());
  return success();
}

LogicalResult subRule(SubOp op, RuleBuilder &b) {
  b.give(op.getLhs(), b.grad());
  if (b.wants(op.getRhs()))
    b.give(op.getRhs(), b.neg(b.grad()));
  return success();
}

LogicalResult mulRule(MulOp op, RuleBuilder &b) {
  if (op.getLhs() == op.getRhs()) {
    // A square: one term instead of two equal ones.
    b.give(op.getLhs(), b.mul(b.grad(), b.scaled(op.getLhs(), 2.0)));
    return success();
  }
  if (b.wants(op.getLhs()))
    b.give(op.getLhs(), b.mul(b.grad(), op.getRhs()));
  if (b.wants(op.getRhs()))
    b.give(op.getRhs(), b.mul(b.grad(), op.getLhs()));
  return success();
}

LogicalResult divRule(DivOp op, RuleBuilder &b) {
  Value dlhs = b.div(b.grad(), op.getRhs());
  b.give(op.getLhs(), dlhs);
  if (b.wants(op.getRhs()))
    b.give(op.getRhs(), b.neg(b.mul(dlhs, op.getResult())));
  return success();
}

bool isConstant(Value value) {
  while (auto shape = value.getDefiningOp<BroadcastOp>())
    value = shape.getX();
  return matchPattern(value, m_Constant());
}

/// Gradient of a larger- or smaller-of-both. Against a constant the op is a
/// bound, and the gradient passes where x is on it (PyTorch's clamp); between
/// two tensors a tie gives half to each (PyTorch's maximum).
void extremum(RuleBuilder &b, Value self, Value other,
              ComparePredicate inside) {
  if (!b.wants(self))
    return;
  if (isConstant(other)) {
    ComparePredicate onOrInside = inside == ComparePredicate::GT
                                      ? ComparePredicate::GE
                                      : ComparePredicate::LE;
    b.give(self, b.masked(b.compare(self, onOrInside, other), b.grad()));
    return;
  }
  Value tie = b.compare(self, ComparePredicate::EQ, other);
  Value half = b.masked(tie, b.scaled(b.grad(), 0.5));
  b.give(self, b.select(b.compare(self, inside, other), b.grad(), half));
}

LogicalResult maxRule(MaxOp op, RuleBuilder &b) {
  extremum(b, op.getLhs(), op.getRhs(), ComparePredicate::GT);
  extremum(b, op.getRhs(), op.getLhs(), ComparePredicate::GT);
  return success();
}

LogicalResult minRule(MinOp op, RuleBuilder &b) {
  extremum(b, op.getLhs(), op.getRhs(), ComparePredicate::LT);
  extremum(b, op.getRhs(), op.getLhs(), ComparePredicate::LT);
  return success();
}

/// The number that fills a constant tensor.
std::optional<double> splatOf(Value value) {
  while (auto shape = value.getDefiningOp<BroadcastOp>())
    value = shape.getX();
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || elements.empty() ||
      !elements.isSplat() || !isa<FloatType>(elements.getElementType()))
    return std::nullopt;
  APFloat number = elements.getSplatValue<APFloat>();
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToDouble();
}

/// Derivative of x^exponent for a constant exponent, times the gradient.
Value powerSlope(PowOp op, RuleBuilder &b, double exponent) {
  Value x = op.getLhs(), dy = b.grad();
  if (exponent == 0.0)
    return b.zeros(tensorType(dy));
  if (exponent == 1.0)
    return dy;
  if (exponent == 2.0)
    return b.mul(dy, b.scaled(x, 2.0));
  if (exponent == 3.0)
    return b.mul(dy, b.scaled(b.mul(x, x), 3.0));
  if (exponent == 0.5) {
    // As for sqrt, 0 at 0.
    Value y = op.getResult();
    Value atZero = b.compare(y, ComparePredicate::EQ, 0.0);
    return b.select(atZero, b.scalar(y, 0.0), b.div(b.scaled(dy, 0.5), y));
  }
  Value power = b.make<PowOp>(x, b.scalar(x, exponent - 1.0));
  return b.mul(dy, b.scaled(power, exponent));
}

LogicalResult powRule(PowOp op, RuleBuilder &b) {
  Value x = op.getLhs(), e = op.getRhs(), y = op.getResult();
  if (b.wants(x)) {
    if (std::optional<double> exponent = splatOf(e)) {
      b.give(x, powerSlope(op, b, *exponent));
    } else {
      // Where the exponent is 0 the result does not depend on x, even at 0.
      Value lower = b.make<PowOp>(x, b.shifted(e, -1.0));
      Value slope = b.mul(b.mul(b.grad(), e), lower);
      Value flat = b.compare(e, ComparePredicate::EQ, 0.0);
      b.give(x, b.select(flat, b.scalar(slope, 0.0), slope));
    }
  }
  if (b.wants(e)) {
    // 0^e is 0 for all e > 0, where log(0) * 0 would give NaN.
    Value slope = b.mul(b.grad(), b.mul(y, b.make<LogOp>(x)));
    Value atZero = b.make<AndOp>(b.compare(x, ComparePredicate::EQ, 0.0),
                                 b.compare(e, ComparePredicate::GE, 0.0));
    b.give(e, b.select(atZero, b.scalar(slope, 0.0), slope));
  }
  return success();
}

/// a - floor(a/b) b.
LogicalResult modRule(ModOp op, RuleBuilder &b) {
  b.give(op.getLhs(), b.grad());
  if (b.wants(op.getRhs())) {
    Value turns = b.make<FloorOp>(b.div(op.getLhs(), op.getRhs()));
    b.give(op.getRhs(), b.neg(b.mul(b.grad(), turns)));
  }
  return success();
}

/// a - trunc(a/b) b.
LogicalResult fmodRule(FModOp op, RuleBuilder &b) {
  b.give(op.getLhs(), b.grad());
  if (b.wants(op.getRhs())) {
    Value ratio = b.div(op.getLhs(), op.getRhs());
    Value turns =
        b.mul(b.make<SignOp>(ratio), b.make<FloorOp>(b.make<AbsOp>(ratio)));
    b.give(op.getRhs(), b.neg(b.mul(b.grad(), turns)));
  }
  return success();
}

LogicalResult selectRule(SelectOp op, RuleBuilder &b) {
  // A branch that is not taken gives nothing, whatever its derivative is there.
  if (op->hasAttr(kBranchInputAttr) && op.getOnTrue() == op.getOnFalse()) {
    b.give(op.getOnTrue(), b.masked(op.getCondition(), b.grad()));
    return success();
  }
  if (b.wants(op.getOnTrue()))
    b.give(op.getOnTrue(), b.masked(op.getCondition(), b.grad()));
  if (b.wants(op.getOnFalse()))
    b.give(op.getOnFalse(),
           b.select(op.getCondition(), b.scalar(b.grad(), 0.0), b.grad()));
  return success();
}

LogicalResult fanInSumRule(FanInSumOp op, RuleBuilder &b) {
  for (Value term : op.getTerms())
    b.give(term, b.grad());
  return success();
}

} // namespace

void amp::attachBinaryGradients(MLIRContext *context) {
  attachRule<AddOp, addRule>(context);
  attachRule<SubOp, subRule>(context);
  attachRule<MulOp, mulRule>(context);
  attachRule<DivOp, divRule>(context);
  attachRule<MaxOp, maxRule>(context);
  attachRule<MinOp, minRule>(context);
  attachRule<PowOp, powRule>(context);
  attachRule<ModOp, modRule>(context);
  attachRule<FModOp, fmodRule>(context);
  attachRule<SelectOp, selectRule>(context);
  attachRule<FanInSumOp, fanInSumRule>(context);
  attachNone<kBoolean, CompareOp, AndOp, OrOp, XorOp>(context);
  attachNone<kNoOperand, IotaOp, ConstantOp>(context);
}
