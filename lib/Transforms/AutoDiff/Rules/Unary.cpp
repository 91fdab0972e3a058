//===- Unary.cpp - Gradients of functions of one tensor -------------------===//

#include "RuleBuilder.h"
#include "amp/Dialect/Amp/IR/GradientAttrs.h"
#include <cmath>

using namespace mlir;
using namespace amp;

namespace {

constexpr char kPiecewiseConstant[] =
    "its result is piecewise constant, so its derivative is zero";
constexpr char kBoolean[] = "its result is a truth value";

LogicalResult negRule(NegOp op, RuleBuilder &b) {
  b.give(op.getX(), b.neg(b.grad()));
  return success();
}

/// The derivative at 0 is 0, as sign(0) is.
LogicalResult absRule(AbsOp op, RuleBuilder &b) {
  b.give(op.getX(), b.mul(b.grad(), b.make<SignOp>(op.getX())));
  return success();
}

LogicalResult expRule(ExpOp op, RuleBuilder &b) {
  b.give(op.getX(), b.mul(b.grad(), op.getResult()));
  return success();
}

LogicalResult expm1Rule(Expm1Op op, RuleBuilder &b) {
  b.give(op.getX(), b.mul(b.grad(), b.shifted(op.getResult(), 1.0)));
  return success();
}

LogicalResult logRule(LogOp op, RuleBuilder &b) {
  b.give(op.getX(), b.div(b.grad(), op.getX()));
  return success();
}

LogicalResult log1pRule(Log1pOp op, RuleBuilder &b) {
  b.give(op.getX(), b.div(b.grad(), b.shifted(op.getX(), 1.0)));
  return success();
}

/// Infinite at 0, so that 0 * inf is NaN there; that of a norm is 0.
LogicalResult sqrtRule(SqrtOp op, RuleBuilder &b) {
  Value y = op.getResult();
  Value slope = b.div(b.scaled(b.grad(), 0.5), y);
  if (op->hasAttr(kNormRootAttr)) {
    Value atZero = b.compare(y, ComparePredicate::EQ, 0.0);
    slope = b.select(atZero, b.scalar(y, 0.0), slope);
  }
  b.give(op.getX(), slope);
  return success();
}

LogicalResult rsqrtRule(RsqrtOp op, RuleBuilder &b) {
  Value y = op.getResult();
  Value cube = b.mul(b.mul(y, y), y);
  b.give(op.getX(), b.mul(b.grad(), b.scaled(cube, -0.5)));
  return success();
}

LogicalResult reciprocalRule(ReciprocalOp op, RuleBuilder &b) {
  Value y = op.getResult();
  b.give(op.getX(), b.neg(b.mul(b.grad(), b.mul(y, y))));
  return success();
}

LogicalResult tanhRule(TanhOp op, RuleBuilder &b) {
  Value y = op.getResult();
  Value slope = b.sub(b.scalar(y, 1.0), b.mul(y, y));
  b.give(op.getX(), b.mul(b.grad(), slope));
  return success();
}

LogicalResult sigmoidRule(SigmoidOp op, RuleBuilder &b) {
  Value y = op.getResult();
  Value slope = b.mul(y, b.sub(b.scalar(y, 1.0), y));
  b.give(op.getX(), b.mul(b.grad(), slope));
  return success();
}

LogicalResult softplusRule(SoftplusOp op, RuleBuilder &b) {
  b.give(op.getX(), b.mul(b.grad(), b.make<SigmoidOp>(op.getX())));
  return success();
}

LogicalResult erfRule(ErfOp op, RuleBuilder &b) {
  Value bell = b.make<ExpOp>(b.neg(b.mul(op.getX(), op.getX())));
  b.give(op.getX(), b.mul(b.grad(), b.scaled(bell, 2.0 / std::sqrt(M_PI))));
  return success();
}

LogicalResult sinRule(SinOp op, RuleBuilder &b) {
  b.give(op.getX(), b.mul(b.grad(), b.make<CosOp>(op.getX())));
  return success();
}

LogicalResult cosRule(CosOp op, RuleBuilder &b) {
  b.give(op.getX(), b.neg(b.mul(b.grad(), b.make<SinOp>(op.getX()))));
  return success();
}

/// From the result, not the input: it is what later ops read anyway.
LogicalResult reluRule(ReluOp op, RuleBuilder &b) {
  b.give(op.getX(), b.make<ReluGradOp>(Type(op.getX().getType()), b.grad(),
                                       Value(op.getResult())));
  return success();
}

LogicalResult geluRule(GeluOp op, RuleBuilder &b) {
  b.give(op.getX(), b.make<GeluGradOp>(Type(op.getX().getType()), b.grad(),
                                       op.getX(), op.getForm()));
  return success();
}

/// Linear in dy; where y is positive does not change with it.
LogicalResult reluGradRule(ReluGradOp op, RuleBuilder &b) {
  b.give(op.getDy(),
         b.make<ReluGradOp>(Type(b.grad().getType()), b.grad(), op.getY()));
  return success();
}

} // namespace

void amp::attachUnaryGradients(MLIRContext *context) {
  attachRule<NegOp, negRule>(context);
  attachRule<AbsOp, absRule>(context);
  attachRule<ExpOp, expRule>(context);
  attachRule<Expm1Op, expm1Rule>(context);
  attachRule<LogOp, logRule>(context);
  attachRule<Log1pOp, log1pRule>(context);
  attachRule<SqrtOp, sqrtRule>(context);
  attachRule<RsqrtOp, rsqrtRule>(context);
  attachRule<ReciprocalOp, reciprocalRule>(context);
  attachRule<TanhOp, tanhRule>(context);
  attachRule<SigmoidOp, sigmoidRule>(context);
  attachRule<SoftplusOp, softplusRule>(context);
  attachRule<ErfOp, erfRule>(context);
  attachRule<SinOp, sinRule>(context);
  attachRule<CosOp, cosRule>(context);
  attachRule<ReluOp, reluRule>(context);
  attachRule<GeluOp, geluRule>(context);
  attachRule<ReluGradOp, reluGradRule>(context);
  attachNone<kPiecewiseConstant, SignOp, FloorOp, CeilOp, RoundOp>(context);
  attachNone<kBoolean, NotOp, IsNanOp>(context);
  attachMustNotBeAsked<kSecondOrder, GeluGradOp>(context);
}
