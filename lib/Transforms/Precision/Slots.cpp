//===- Slots.cpp - Which operands of an op demand which type --------------===//

#include "Slots.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include <algorithm>

using namespace mlir;

namespace amp {

bool isFloatTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<FloatType>(tensor.getElementType());
}

bool inNormalisedNetwork(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  return function && function->hasAttr(kNormalisedAttr);
}

bool isNarrowConvolution(Operation *op) {
  if (!inNormalisedNetwork(op))
    return false;
  // Two activations that carry the channels, and the number of groups.
  auto narrow = [](Value a, Value b, int64_t group) {
    int64_t least =
        std::min(tensorType(a).getDimSize(1), tensorType(b).getDimSize(1));
    return least / std::max<int64_t>(group, 1) < kNarrowChannels;
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](ConvOp o) {
        return narrow(o.getX(), o.getResult(), o.getGroup());
      })
      .Case([&](ConvInputGradOp o) {
        return narrow(o.getDy(), o.getResult(), o.getGroup());
      })
      .Case([&](ConvWeightGradOp o) {
        return narrow(o.getDy(), o.getX(), o.getGroup());
      })
      .Default([](Operation *) { return false; });
}

PrecisionClass effectiveClass(Operation *op) {
  if (isa<AvgPoolOp, AvgPoolGradOp>(op))
    return PrecisionClass::Transparent;
  // The mean of everything is a loss: what it adds up, squares as a rule, may
  // exceed the low type.
  if (isa<ReduceMeanOp>(op) &&
      tensorType(op->getResult(0)).getNumElements() == 1)
    return PrecisionClass::Keep;
  if (auto precision = dyn_cast<PrecisionOpInterface>(op))
    return precision.getPrecisionClass();
  return PrecisionClass::Keep;
}

/// True for ops of the model, false for those autodiff or the update added.
static bool isForward(Operation *op) {
  auto phase = op->getAttrOfType<PhaseAttr>("amp.phase");
  return !phase || phase.getValue() == Phase::Forward;
}

/// The demand of an operand by its op alone.
static Slot ownSlot(OpOperand &operand) {
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
    if (isNarrowConvolution(op)) {
      bool weight =
          !isa<ConvWeightGradOp>(op) && operand.getOperandNumber() == 1;
      return weight ? Slot::Wide : Slot::Any;
    }
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

Slot operandSlot(OpOperand &operand) {
  Slot slot = ownSlot(operand);
  Operation *source = operand.get().getDefiningOp();
  if (slot != Slot::Any || !source || isForward(operand.getOwner()) ||
      !isForward(source) || isa<ReadOp, ConstantOp, CastOp>(source))
    return slot;
  // Statistics stay float32, and scalars are not worth a copy.
  auto precision = dyn_cast<PrecisionOpInterface>(source);
  unsigned number = cast<OpResult>(operand.get()).getResultNumber();
  bool plain = precision && !precision.isWideResult(number) &&
               precision.getPrecisionClass() != PrecisionClass::Keep;
  return plain && tensorType(operand.get()).getNumElements() > 1 ? Slot::Saved
                                                                 : slot;
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
