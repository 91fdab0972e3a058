//===- Precision.cpp - Gradients of casts ---------------------------------===//

#include "RuleBuilder.h"

using namespace mlir;
using namespace amp;

namespace {

/// Rounding counts as the identity. A cast that the user wrote has a gradient
/// that the user's types round too.
LogicalResult castRule(CastOp op, RuleBuilder &b) {
  Value x = op.getX();
  Type element = tensorType(x).getElementType();
  if (tensorType(b.grad()).getElementType() == element)
    b.give(x, b.grad());
  else
    b.give(x, b.make<CastOp>(Type(withElement(b.grad().getType(), element)),
                             b.grad(), op.getUser()));
  return success();
}

} // namespace

void amp::attachPrecisionGradients(MLIRContext *context) {
  attachRule<CastOp, castRule>(context);
}
