//===- Norm.cpp - Gradients of normalisations and softmax -----------------===//

#include "RuleBuilder.h"

using namespace mlir;
using namespace amp;

namespace {

/// A per-channel vector [C] in the shape [C, 1...] that broadcasts to x.
Value perChannel(RuleBuilder &b, Value vector, Value x) {
  SmallVector<int64_t> shape(tensorType(x).getRank() - 1, 1);
  shape[0] = shapeOf(x)[1];
  return b.reshape(vector, shape);
}

/// All dimensions of x but the channel.
SmallVector<int64_t> allButChannel(Value x) {
  SmallVector<int64_t> axes = {0};
  llvm::append_range(axes, llvm::seq<int64_t>(2, tensorType(x).getRank()));
  return axes;
}

int64_t countOf(Value x, ArrayRef<int64_t> axes) {
  int64_t count = 1;
  for (int64_t axis : axes)
    count *= shapeOf(x)[axis];
  return std::max<int64_t>(count, 1);
}

/// Statistics are results too; a loss may read them.
void batchStatisticsRule(BatchNormOp op, RuleBuilder &b) {
  Value x = op.getX();
  Type element = tensorType(x).getElementType();
  double share = 1.0 / countOf(x, allButChannel(x));
  auto spread = [&](Value perC) {
    return b.broadcast(perChannel(b, b.cast(perC, element), x), shapeOf(x));
  };
  if (Value dmean = b.grad(1))
    b.give(x, spread(b.scaled(dmean, share)));
  if (Value dvariance = b.grad(2)) {
    Value centred = b.sub(x, perChannel(b, b.cast(op.getMean(), element), x));
    b.give(x, b.mul(centred, spread(b.scaled(dvariance, 2.0 * share))));
  }
}

LogicalResult batchNormRule(BatchNormOp op, RuleBuilder &b) {
  if (Value dy = b.grad()) {
    Type vector = withElement(op.getScale().getType(), b.f32());
    auto grad = BatchNormGradOp::create(
        b.getBuilder(), b.getLoc(), op.getX().getType(), vector, vector, dy,
        op.getX(), op.getScale(), op.getMean(), op.getVariance(),
        op.getEpsilonAttr(), TypeAttr::get(b.wide()));
    b.give(op.getX(), grad.getDx());
    b.give(op.getScale(), grad.getDscale());
    b.give(op.getBias(), grad.getDbias());
  }
  if (b.wants(op.getX()))
    batchStatisticsRule(op, b);
  return success();
}

/// y = (x - mean) r scale + bias with r = 1/sqrt(variance + epsilon), all of
/// which are given.
LogicalResult batchNormInferenceRule(BatchNormInferenceOp op, RuleBuilder &b) {
  Value x = op.getX(), dy = b.grad();
  Type element = tensorType(x).getElementType();
  SmallVector<int64_t> axes = allButChannel(x);
  Value r = b.make<RsqrtOp>(
      b.shifted(op.getVariance(), op.getEpsilon().convertToDouble()));
  Value gain = b.mul(r, op.getScale());
  if (b.wants(x))
    b.give(x, b.mul(dy, perChannel(b, b.cast(gain, element), x)));
  Value total;
  if (b.wants(op.getBias()) || b.wants(op.getMean()))
    total = b.sum(dy, axes, false, b.f32());
  b.give(op.getBias(), total);
  if (b.wants(op.getMean()))
    b.give(op.getMean(), b.neg(b.mul(total, gain)));
  if (!b.wants(op.getScale()) && !b.wants(op.getVariance()))
    return success();
  Value centred = b.sub(x, perChannel(b, b.cast(op.getMean(), element), x));
  Value moment = b.mul(b.sum(b.mul(dy, centred), axes, false, b.f32()), r);
  b.give(op.getScale(), moment);
  if (b.wants(op.getVariance()))
    b.give(op.getVariance(), b.scaled(b.mul(b.mul(moment, gain), r), -0.5));
  return success();
}

LogicalResult layerNormRule(LayerNormOp op, RuleBuilder &b) {
  Value x = op.getX(), mean = op.getMean(), rstd = op.getRstd();
  if (Value dy = b.grad()) {
    Type vector = withElement(op.getScale().getType(), b.f32());
    auto grad = LayerNormGradOp::create(
        b.getBuilder(), b.getLoc(), x.getType(), vector, vector, dy, x,
        op.getScale(), mean, rstd, op.getAxisAttr(), TypeAttr::get(b.wide()));
    b.give(x, grad.getDx());
    b.give(op.getScale(), grad.getDscale());
    b.give(op.getBias(), grad.getDbias());
  }
  if (!b.wants(x))
    return success();
  Type element = tensorType(x).getElementType();
  auto axes = llvm::to_vector(
      llvm::seq<int64_t>(op.getAxis(), tensorType(x).getRank()));
  double share = 1.0 / countOf(x, axes);
  if (Value dmean = b.grad(1))
    b.give(x, b.broadcast(b.cast(b.scaled(dmean, share), element), shapeOf(x)));
  if (Value drstd = b.grad(2)) {
    Value centred = b.sub(x, b.cast(mean, element));
    Value cube = b.mul(b.mul(rstd, rstd), rstd);
    Value factor = b.scaled(b.mul(drstd, cube), -share);
    b.give(x, b.mul(centred, b.cast(factor, element)));
  }
  return success();
}

LogicalResult softmaxRule(SoftmaxOp op, RuleBuilder &b) {
  b.give(op.getX(),
         b.make<SoftmaxGradOp>(Type(op.getX().getType()), b.grad(),
                               Value(op.getResult()), op.getAxis(), b.wide()));
  return success();
}

LogicalResult logSoftmaxRule(LogSoftmaxOp op, RuleBuilder &b) {
  b.give(op.getX(), b.make<LogSoftmaxGradOp>(Type(op.getX().getType()),
                                             b.grad(), Value(op.getResult()),
                                             op.getAxis(), b.wide()));
  return success();
}

/// dx = y (dy - s) with s = sum(y dy) along the axis: in dy as before, and
/// dL/dy = g (dy - s) - dy sum(g y).
LogicalResult softmaxGradRule(SoftmaxGradOp op, RuleBuilder &b) {
  Value dy = op.getDy(), y = op.getY(), g = b.grad();
  Type element = tensorType(y).getElementType();
  auto along = [&](Value x) {
    return b.sum(x, {int64_t(op.getAxis())}, true, element);
  };
  if (b.wants(dy))
    b.give(dy, b.make<SoftmaxGradOp>(Type(dy.getType()), g, y, op.getAxis(),
                                     b.wide()));
  if (b.wants(y))
    b.give(y, b.sub(b.mul(g, b.sub(dy, along(b.mul(y, dy)))),
                    b.mul(dy, along(b.mul(g, y)))));
  return success();
}

/// dx = dy - e^y s with s = sum(dy): dL/ddy = g - sum(g e^y), dL/dy = -g e^y s.
LogicalResult logSoftmaxGradRule(LogSoftmaxGradOp op, RuleBuilder &b) {
  Value dy = op.getDy(), y = op.getY();
  Type element = tensorType(y).getElementType();
  auto along = [&](Value x) {
    return b.sum(x, {int64_t(op.getAxis())}, true, element);
  };
  Value weighted = b.mul(b.grad(), b.make<ExpOp>(y));
  b.give(dy, b.sub(b.grad(), along(weighted)));
  if (b.wants(y))
    b.give(y, b.neg(b.mul(weighted, along(dy))));
  return success();
}

} // namespace

void amp::attachNormGradients(MLIRContext *context) {
  attachRule<BatchNormOp, batchNormRule>(context);
  attachRule<BatchNormInferenceOp, batchNormInferenceRule>(context);
  attachRule<LayerNormOp, layerNormRule>(context);
  attachRule<SoftmaxOp, softmaxRule>(context);
  attachRule<LogSoftmaxOp, logSoftmaxRule>(context);
  attachRule<SoftmaxGradOp, softmaxGradRule>(context);
  attachRule<LogSoftmaxGradOp, logSoftmaxGradRule>(context);
  attachMustNotBeAsked<kSecondOrder, BatchNormGradOp, LayerNormGradOp>(context);
}
