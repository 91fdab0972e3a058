//===- Loss.cpp - Gradients of losses -------------------------------------===//

#include "RuleBuilder.h"

using namespace mlir;
using namespace amp;

namespace {

constexpr char kMetric[] = "it counts";

/// `count` depends on integers only, so its gradient goes nowhere; `lse` may
/// be read by a penalty on large logits.
LogicalResult crossEntropyRule(SoftmaxCrossEntropyOp op, RuleBuilder &b) {
  Value logits = op.getLogits(), lse = op.getLse();
  if (Value dloss = b.grad(0)) {
    auto grad = SoftmaxCrossEntropyGradOp::create(
        b.getBuilder(), b.getLoc(), logits.getType(), dloss, logits,
        op.getTarget(), lse, op.getCount(), op.getIgnoreIndexAttr(),
        op.getLabelSmoothingAttr(), op.getReductionAttr(),
        TypeAttr::get(b.f32()));
    b.give(logits, grad.getResult());
  }
  if (Value dlse = b.grad(1)) {
    SmallVector<int64_t> column(shapeOf(lse));
    column.push_back(1);
    Value wide = b.cast(logits, b.f32());
    Value softmax = b.make<ExpOp>(b.sub(wide, b.reshape(lse, column)));
    b.give(logits, b.mul(softmax, b.reshape(dlse, column)));
  }
  return success();
}

} // namespace

void amp::attachLossGradients(MLIRContext *context) {
  attachRule<SoftmaxCrossEntropyOp, crossEntropyRule>(context);
  attachNone<kMetric, CountCorrectOp>(context);
  attachMustNotBeAsked<kSecondOrder, SoftmaxCrossEntropyGradOp, SeedGradientOp>(
      context);
}
