//===- State.cpp - Reference of variables ---------------------------------===//

#include "Reference/Evaluator.h"

using namespace mlir;
using namespace amp;
using namespace amp::reference;

bool amp::reference::evaluateState(Operation *op, Frame &frame) {
  if (auto read = dyn_cast<ReadOp>(op)) {
    frame.set(read.getResult(), frame.getVariables()[read.getVariable()]);
    return true;
  }
  if (auto write = dyn_cast<WriteOp>(op)) {
    frame.getVariables()[write.getVariable()] = frame.get(write.getValue());
    return true;
  }
  return false;
}
