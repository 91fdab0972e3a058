//===- Shape.cpp - Gradients of ops that move values ----------------------===//

#include "RuleBuilder.h"

using namespace mlir;
using namespace amp;

namespace {

LogicalResult reshapeRule(ReshapeOp op, RuleBuilder &b) {
  b.give(op.getX(), b.reshape(b.grad(), shapeOf(op.getX())));
  return success();
}

LogicalResult transposeRule(TransposeOp op, RuleBuilder &b) {
  SmallVector<int64_t> inverse(op.getPerm().size());
  for (auto [to, from] : llvm::enumerate(op.getPerm()))
    inverse[from] = to;
  b.give(op.getX(), b.transpose(b.grad(), inverse));
  return success();
}

/// `give` sums over the repeated dimensions.
LogicalResult broadcastRule(BroadcastOp op, RuleBuilder &b) {
  b.give(op.getX(), b.grad());
  return success();
}

/// Puts the elements back where they were taken from, zeros elsewhere.
LogicalResult sliceRule(SliceOp op, RuleBuilder &b) {
  Value x = op.getX(), dy = b.grad();
  ArrayRef<int64_t> from = shapeOf(x), count = shapeOf(dy);
  if (tensorType(dy).getNumElements() == 0) {
    b.give(x,
           b.zeros(withElement(x.getType(), tensorType(dy).getElementType())));
    return success();
  }
  SmallVector<int64_t> low, high, interior, starts, steps;
  bool backwards = false;
  for (size_t dim = 0; dim < from.size(); ++dim) {
    int64_t step = op.getSteps()[dim], start = op.getStarts()[dim];
    int64_t last = start + (count[dim] - 1) * step;
    // One element has no direction.
    bool turned = step < 0 && count[dim] > 1;
    backwards |= turned;
    starts.push_back(turned ? count[dim] - 1 : 0);
    steps.push_back(turned ? -1 : 1);
    low.push_back(std::min(start, last));
    high.push_back(from[dim] - 1 - std::max(start, last));
    interior.push_back(count[dim] > 1 ? std::abs(step) - 1 : 0);
  }
  if (backwards)
    dy = b.make<SliceOp>(Type(dy.getType()), dy, starts, steps);
  Type type = withElement(x.getType(), tensorType(dy).getElementType());
  b.give(x, b.make<PadOp>(type, dy, low, high, interior, APFloat(0.0)));
  return success();
}

LogicalResult padRule(PadOp op, RuleBuilder &b) {
  SmallVector<int64_t> steps;
  for (int64_t gap : op.getInterior())
    steps.push_back(gap + 1);
  Type type =
      withElement(op.getX().getType(), tensorType(b.grad()).getElementType());
  b.give(op.getX(), b.make<SliceOp>(type, b.grad(), op.getLow(),
                                    ArrayRef<int64_t>(steps)));
  return success();
}

LogicalResult concatRule(ConcatOp op, RuleBuilder &b) {
  SmallVector<int64_t> starts(tensorType(b.grad()).getRank(), 0);
  SmallVector<int64_t> steps(starts.size(), 1);
  for (Value part : op.getParts()) {
    if (b.wants(part)) {
      Type type =
          withElement(part.getType(), tensorType(b.grad()).getElementType());
      b.give(part, b.make<SliceOp>(type, b.grad(), ArrayRef<int64_t>(starts),
                                   ArrayRef<int64_t>(steps)));
    }
    starts[op.getAxis()] += shapeOf(part)[op.getAxis()];
  }
  return success();
}

LogicalResult relayoutRule(RelayoutOp op, RuleBuilder &b) {
  b.give(op.getX(), b.make<RelayoutOp>(Type(op.getX().getType()), b.grad()));
  return success();
}

} // namespace

void amp::attachShapeGradients(MLIRContext *context) {
  attachRule<ReshapeOp, reshapeRule>(context);
  attachRule<TransposeOp, transposeRule>(context);
  attachRule<BroadcastOp, broadcastRule>(context);
  attachRule<SliceOp, sliceRule>(context);
  attachRule<PadOp, padRule>(context);
  attachRule<ConcatOp, concatRule>(context);
  attachRule<RelayoutOp, relayoutRule>(context);
  attachMustNotBeAsked<kLateStage, StridedCopyOp>(context);
}
