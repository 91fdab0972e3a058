//===- Index.cpp - Gradients of gathers -----------------------------------===//

#include "RuleBuilder.h"

using namespace mlir;
using namespace amp;

namespace {

LogicalResult gatherRule(GatherOp op, RuleBuilder &b) {
  Type type = withElement(op.getData().getType(), b.wide());
  b.give(op.getData(), b.make<GatherGradOp>(type, b.grad(), op.getIndices(),
                                            op.getAxis(), b.wide()));
  return success();
}

/// Linear: every slice of dy has gone to one place.
LogicalResult gatherGradRule(GatherGradOp op, RuleBuilder &b) {
  Value dy = op.getDy();
  Type element = tensorType(b.grad()).getElementType();
  b.give(dy, b.make<GatherOp>(Type(withElement(dy.getType(), element)),
                              b.grad(), op.getIndices(), op.getAxis()));
  return success();
}

} // namespace

void amp::attachIndexGradients(MLIRContext *context) {
  attachRule<GatherOp, gatherRule>(context);
  attachRule<GatherGradOp, gatherGradRule>(context);
}
