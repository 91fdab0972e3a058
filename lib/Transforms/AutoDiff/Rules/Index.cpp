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

} // namespace

void amp::attachIndexGradients(MLIRContext *context) {
  attachRule<GatherOp, gatherRule>(context);
  attachMustNotBeAsked<kSecondOrder, GatherGradOp>(context);
}
