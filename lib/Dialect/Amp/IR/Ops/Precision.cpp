//===- Precision.cpp - Verification of the precision family ---------------===//

#include "Checks.h"

using namespace mlir;
using namespace amp;

LogicalResult CastOp::verify() {
  Attribute from = tensorType(getX()).getEncoding();
  Attribute to = tensorType(getResult()).getEncoding();
  if (from == to)
    return success();
  return emitOpError("expected equal layouts of operand and result; "
                     "amp.relayout changes a layout");
}
