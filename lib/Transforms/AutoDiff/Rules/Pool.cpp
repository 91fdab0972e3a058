//===- Pool.cpp - Gradients of pooling ------------------------------------===//

#include "RuleBuilder.h"

using namespace mlir;
using namespace amp;

namespace {

LogicalResult maxPoolRule(MaxPoolOp op, RuleBuilder &b) {
  b.give(op.getX(), b.make<MaxPoolGradOp>(Type(op.getX().getType()), b.grad(),
                                          Value(op.getIndex()), op.getKernel(),
                                          op.getStrides(), op.getPads(),
                                          op.getDilations()));
  return success();
}

LogicalResult avgPoolRule(AvgPoolOp op, RuleBuilder &b) {
  b.give(op.getX(), b.make<AvgPoolGradOp>(Type(op.getX().getType()), b.grad(),
                                          op.getKernel(), op.getStrides(),
                                          op.getPads(), op.getDilations(),
                                          op.getCountIncludePad(), b.wide()));
  return success();
}

/// Linear.
LogicalResult avgPoolGradRule(AvgPoolGradOp op, RuleBuilder &b) {
  b.give(op.getDy(),
         b.make<AvgPoolOp>(Type(op.getDy().getType()), b.grad(), op.getKernel(),
                           op.getStrides(), op.getPads(), op.getDilations(),
                           op.getCountIncludePad(), b.wide()));
  return success();
}

} // namespace

void amp::attachPoolGradients(MLIRContext *context) {
  attachRule<MaxPoolOp, maxPoolRule>(context);
  attachRule<AvgPoolOp, avgPoolRule>(context);
  attachRule<AvgPoolGradOp, avgPoolGradRule>(context);
  attachMustNotBeAsked<kSecondOrder, MaxPoolGradOp>(context);
}
