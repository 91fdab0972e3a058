//===- Random.cpp - Gradients of random ops -------------------------------===//

#include "RuleBuilder.h"

using namespace mlir;
using namespace amp;

namespace {

/// Linear in x; the same seed, iteration and node give the same mask.
LogicalResult dropoutRule(DropoutOp op, RuleBuilder &b) {
  b.give(op.getX(), b.make<DropoutOp>(Type(b.grad().getType()), b.grad(),
                                      op.getRng(), op.getIteration(),
                                      op.getRatioAttr(), op.getNodeAttr()));
  return success();
}

} // namespace

void amp::attachRandomGradients(MLIRContext *context) {
  attachRule<DropoutOp, dropoutRule>(context);
}
