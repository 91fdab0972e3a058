//===- Index.cpp - Gradients of gathers -----------------------------------===//

#include "RuleBuilder.h"

using namespace mlir;
using namespace amp;

namespace {

LogicalResult gatherRule(GatherOp op, RuleBuilder &b) {
  Type type = withElement(op.getData().getType(), b.f32());
  b.give(op.getData(), b.make<GatherGradOp>(type, b.grad(), op.getIndices(),
                                            op.getAxis(), b.f32()));
  return success();
}

} // namespace

void amp::attachIndexGradients(MLIRContext *context) {
  attachRule<GatherOp, gatherRule>(context);
  attachMustNotBeAsked<kSecondOrder, GatherGradOp>(context);
}
