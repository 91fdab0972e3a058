//===- Random.cpp - Verification of the random family ---------------------===//

#include "Checks.h"

using namespace mlir;
using namespace amp;

LogicalResult DropoutOp::verify() {
  if (failed(verifyShape(*this, "a result", getResult(),
                         tensorType(getX()).getShape())) ||
      failed(verifyShape(*this, "an rng", getRng(), {2})) ||
      failed(verifyShape(*this, "an iteration", getIteration(), {})))
    return failure();
  for (Value counter : {getRng(), getIteration()})
    if (!tensorType(counter).getElementType().isSignlessInteger(64))
      return emitOpError("expected rng and iteration of i64, got ")
             << tensorType(counter).getElementType();
  double ratio = getRatio().convertToDouble();
  if (!(ratio >= 0 && ratio < 1))
    return emitOpError("expected a ratio in [0, 1), got ") << ratio;
  return success();
}
