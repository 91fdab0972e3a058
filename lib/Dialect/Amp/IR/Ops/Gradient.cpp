//===- Gradient.cpp - Verification of gradients that a model asks for -----===//

#include "Checks.h"

using namespace mlir;
using namespace amp;

LogicalResult GradientOp::verify() {
  Block &body = getBody().front();
  if (!llvm::equal(getAt().getTypes(), body.getArgumentTypes()))
    return emitOpError("expected a block argument of the type of each operand");
  if (!llvm::equal(getAt().getTypes(), getGradients().getTypes()))
    return emitOpError("expected a result of the type of each operand");
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || yield.getValues().size() != 1)
    return emitOpError("expected amp.yield of one value at the end");
  Type y = yield.getValues().front().getType();
  if (!isa<FloatType>(cast<RankedTensorType>(y).getElementType()))
    return emitOpError("expected to yield floats, got ") << y;
  return success();
}
