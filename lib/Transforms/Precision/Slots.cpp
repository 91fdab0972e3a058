//===- Slots.cpp - Which operands of an op demand which type --------------===//

#include "Slots.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace amp {

bool isFloatTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<FloatType>(tensor.getElementType());
}

PrecisionClass effectiveClass(Operation *op) {
  if (isa<AvgPoolOp, AvgPoolGradOp>(op))
    return PrecisionClass::Transparent;
  if (auto precision = dyn_cast<PrecisionOpInterface>(op))
    return precision.getPrecisionClass();
  return PrecisionClass::Keep;
}

Slot operandSlot(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (!isFloatTensor(operand.get().getType()))
    return Slot::None;
  // What leaves a function, goes into a variable or was cast by the user has
  // the type it had.
  if (isa<func::ReturnOp, WriteOp>(op))
    return Slot::Wide;
  auto precision = dyn_cast<PrecisionOpInterface>(op);
  if (!precision || precision.isWideOperand(operand.getOperandNumber()))
    return Slot::Wide;
  if (isa<CastOp>(op))
    return Slot::Any;
  switch (effectiveClass(op)) {
  case PrecisionClass::Allow:
    return Slot::Low;
  case PrecisionClass::Transparent:
    // Gradients of gathers are summed in float32 from any type.
    return isa<GatherGradOp>(op) || op->getNumResults() == 0 ||
                   !isFloatTensor(op->getResult(0).getType())
               ? Slot::Any
               : Slot::Same;
  case PrecisionClass::Follow:
  case PrecisionClass::Keep:
    return Slot::Any;
  }
  return Slot::Any;
}

bool onlyWideUses(Value value) {
  SmallVector<Value> open = {value};
  DenseSet<Value> seen;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    for (OpOperand &use : next.getUses()) {
      Slot slot = operandSlot(use);
      if (slot == Slot::Wide)
        continue;
      // Pieces of one gradient are added before they reach such a slot.
      if (slot != Slot::Same && !isa<FanInSumOp>(use.getOwner()))
        return false;
      open.push_back(use.getOwner()->getResult(0));
    }
  }
  return true;
}

} // namespace amp
