//===- Reduce.cpp - Gradients of reductions -------------------------------===//

#include "RuleBuilder.h"

using namespace mlir;
using namespace amp;

namespace {

constexpr char kIndex[] = "its result is an index";

/// A value of the reduced shape, in the shape that keeps reduced dimensions
/// as 1 and so broadcasts to x.
Value kept(RuleBuilder &b, Value reduced, Value x, ArrayRef<int64_t> axes) {
  SmallVector<int64_t> shape(shapeOf(x));
  for (int64_t axis : axes)
    shape[axis] = 1;
  return b.reshape(reduced, shape);
}

LogicalResult sumRule(ReduceSumOp op, RuleBuilder &b) {
  Value x = op.getX();
  b.give(x, b.broadcast(kept(b, b.grad(), x, op.getAxes()), shapeOf(x)));
  return success();
}

LogicalResult meanRule(ReduceMeanOp op, RuleBuilder &b) {
  Value x = op.getX();
  double count = 1.0;
  for (int64_t axis : op.getAxes())
    count *= shapeOf(x)[axis];
  // An empty mean has no elements to give the gradient to.
  Value dy = count > 1.0 ? b.scaled(b.grad(), 1.0 / count) : b.grad();
  b.give(x, b.broadcast(kept(b, dy, x, op.getAxes()), shapeOf(x)));
  return success();
}

/// Equal extrema share the gradient equally, as PyTorch's amax does.
template <typename OpTy>
LogicalResult extremumRule(OpTy op, RuleBuilder &b) {
  Value x = op.getX();
  Value y = kept(b, op.getResult(), x, op.getAxes());
  Value chosen = b.compare(x, ComparePredicate::EQ, y);
  Value ones = b.cast(chosen, tensorType(x).getElementType());
  Value count =
      b.sum(ones, op.getAxes(), true, tensorType(b.grad()).getElementType());
  Value share = b.div(kept(b, b.grad(), x, op.getAxes()), count);
  b.give(x, b.masked(chosen, share));
  return success();
}

/// The product of the other elements, without dividing by zero: with one zero
/// only that element has a gradient, with two none has.
LogicalResult prodRule(ReduceProdOp op, RuleBuilder &b) {
  Value x = op.getX(), dy = kept(b, b.grad(), x, op.getAxes());
  Type element = tensorType(x).getElementType();
  Value isZero = b.compare(x, ComparePredicate::EQ, 0.0);
  Value zeros = b.sum(b.cast(isZero, element), op.getAxes(), true, element);
  Value nonZero = b.select(isZero, b.scalar(x, 1.0), x);
  Value product =
      b.make<ReduceProdOp>(Type(zeros.getType()), nonZero, op.getAxes(),
                           /*keepdims=*/true, b.wide());
  Value scaled = b.mul(dy, product);
  Value noZero = b.compare(zeros, ComparePredicate::EQ, 0.0);
  Value oneZero = b.compare(zeros, ComparePredicate::EQ, 1.0);
  Value others = b.div(b.masked(noZero, scaled), nonZero);
  b.give(x, b.select(isZero, b.masked(oneZero, scaled), others));
  return success();
}

/// Each element is in the sums from its own on, so that the gradient is a
/// running sum from the other end.
LogicalResult cumSumRule(CumSumOp op, RuleBuilder &b) {
  Value x = op.getX(), dy = b.grad();
  b.give(x, b.make<CumSumOp>(Type(dy.getType()), dy, op.getAxis(),
                             op.getExclusive(), !op.getReverse(), b.wide()));
  return success();
}

} // namespace

void amp::attachReduceGradients(MLIRContext *context) {
  attachRule<ReduceSumOp, sumRule>(context);
  attachRule<ReduceMeanOp, meanRule>(context);
  attachRule<ReduceProdOp, prodRule>(context);
  attachRule<ReduceMaxOp, extremumRule<ReduceMaxOp>>(context);
  attachRule<ReduceMinOp, extremumRule<ReduceMinOp>>(context);
  attachRule<CumSumOp, cumSumRule>(context);
  attachNone<kIndex, ArgMaxOp>(context);
  attachMustNotBeAsked<kLateStage, ColumnPartialsOp, CombinePartialsOp>(
      context);
}
