//===- AllLow.cpp - Everything low but a list of exceptions ---------------===//
//
// ONNX Runtime's training transformer, AutoCast, Keras policies, Apex O2, O3.
//
//===----------------------------------------------------------------------===//

#include "../Slots.h"
#include "Assign.h"

using namespace mlir;

namespace amp {

Decisions assignAllLow(func::FuncOp function, const AssignOptions &options) {
  DenseSet<Value> state = stateValues(function);
  return decideInOrder(
      function, options,
      [&](Operation *op, OpResult result) -> Choice {
        if (auto fixed = fixedChoice(op, result))
          return *fixed;
        if (state.contains(result))
          return {false, "ST-state"};
        if (effectiveClass(op) == PrecisionClass::Keep)
          return {false, policyRule(op)};
        return {true, "LO-everything"};
      },
      computesLow);
}

} // namespace amp
