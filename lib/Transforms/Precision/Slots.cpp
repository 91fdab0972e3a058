//===- Slots.cpp - Which operands of an op demand which type --------------===//

#include "Slots.h"
#include "amp/Dialect/Amp/IR/PrecisionAttrs.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include <algorithm>

using namespace mlir;

namespace amp {

bool isFloatTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  // Ops of other dialects may have dynamic shapes; casts are static.
  return tensor && tensor.hasStaticShape() &&
         isa<FloatType>(tensor.getElementType());
}

bool hasBatchNorm(func::FuncOp function) {
  return llvm::any_of(function.getBody().front(),
                      llvm::IsaPred<BatchNormOp, BatchNormInferenceOp>);
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

bool isContraction(Operation *op) {
  auto precision = dyn_cast<PrecisionOpInterface>(op);
  return precision && precision.getPrecisionClass() == PrecisionClass::Allow;
}

/// Float32 not because of what it is but because of what it is part of.
static bool isFloat32Only(Operation *op) {
  return op->hasAttr(kFloat32OnlyAttr);
}

PrecisionClass definedClass(Operation *op) {
  if (isFloat32Only(op))
    return PrecisionClass::Keep;
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

PolicyClass policyClass(Operation *op) {
  if (isFloat32Only(op))
    return PolicyClass::Keep;
  if (auto policy = op->getAttrOfType<DictionaryAttr>(kPolicyAttr))
    if (auto cls = policy.getAs<StringAttr>("class"))
      if (auto known = parsePolicyClass(cls.getValue()))
        return *known;
  switch (definedClass(op)) {
  case PrecisionClass::Allow:
    return PolicyClass::Allow;
  case PrecisionClass::Follow:
    return PolicyClass::Follow;
  case PrecisionClass::Transparent:
    return PolicyClass::Transparent;
  case PrecisionClass::Keep:
    return PolicyClass::Keep;
  }
  return PolicyClass::Keep;
}

PrecisionClass effectiveClass(Operation *op) {
  switch (policyClass(op)) {
  case PolicyClass::Allow:
    return PrecisionClass::Allow;
  case PolicyClass::Follow:
  case PolicyClass::Promote:
    return PrecisionClass::Follow;
  case PolicyClass::Clear:
  case PolicyClass::Transparent:
    // Neutral arithmetic may read one type and write another.
    return isUniform(op) ? PrecisionClass::Transparent : PrecisionClass::Follow;
  case PolicyClass::Keep:
  case PolicyClass::Block:
    return PrecisionClass::Keep;
  }
  return PrecisionClass::Keep;
}

bool isUniform(Operation *op) {
  return definedClass(op) == PrecisionClass::Transparent;
}

StringRef policyRule(Operation *op) {
  auto policy = op->getAttrOfType<DictionaryAttr>(kPolicyAttr);
  auto rule = policy ? policy.getAs<StringAttr>("rule") : StringAttr();
  return rule ? rule.getValue() : StringRef();
}

bool isWholeNode(Operation *op) {
  auto policy = op->getAttrOfType<DictionaryAttr>(kPolicyAttr);
  return policy && policy.contains("whole_node");
}

bool isForced(Operation *op) {
  auto policy = op->getAttrOfType<DictionaryAttr>(kPolicyAttr);
  auto source = policy ? policy.getAs<StringAttr>("source") : StringAttr();
  PolicyClass cls = policyClass(op);
  return source && source.getValue() != "preset" &&
         (cls == PolicyClass::Keep || cls == PolicyClass::Allow);
}

Type forcedStorage(OpResult result) {
  Operation *op = result.getOwner();
  auto policy = op->getAttrOfType<DictionaryAttr>(kPolicyAttr);
  auto storage = policy ? policy.getAs<ArrayAttr>("storage") : ArrayAttr();
  if (!storage || result.getResultNumber() >= storage.size())
    return {};
  auto type = dyn_cast<TypeAttr>(storage[result.getResultNumber()]);
  return type ? type.getValue() : Type();
}

/// An array of numbers of the policy contains `number`.
static bool listed(Operation *op, StringRef name, unsigned number) {
  auto policy = op->getAttrOfType<DictionaryAttr>(kPolicyAttr);
  auto list =
      policy ? policy.getAs<DenseI64ArrayAttr>(name) : DenseI64ArrayAttr();
  return list && llvm::is_contained(list.asArrayRef(), int64_t(number));
}

bool isLowOperand(OpOperand &operand) {
  return listed(operand.getOwner(), "low_operands", operand.getOperandNumber());
}

bool isWideResult(OpResult result) {
  if (isFloat32Only(result.getOwner()))
    return true;
  auto precision = dyn_cast<PrecisionOpInterface>(result.getOwner());
  return precision && precision.isWideResult(result.getResultNumber()) &&
         !listed(result.getOwner(), "low_results", result.getResultNumber());
}

Phase phaseOf(Operation *op) {
  auto phase = op->getAttrOfType<PhaseAttr>("amp.phase");
  return phase ? phase.getValue() : Phase::Forward;
}

/// True for ops of the model, false for those autodiff or the update added.
static bool isForward(Operation *op) { return phaseOf(op) == Phase::Forward; }

/// Existing systems keep what forward made in the type it has.
static bool savesInOwnType(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  auto preset =
      module ? module->getAttrOfType<StringAttr>(kPresetAttr) : StringAttr();
  return preset && preset.getValue() != "default";
}

/// The demand of an operand by its op alone.
static Slot ownSlot(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (!isFloatTensor(operand.get().getType()))
    return Slot::None;
  // What leaves a function, goes into a variable or was cast by the user has
  // the type it had.
  if (isa<func::ReturnOp, WriteOp>(op) || isFloat32Only(op))
    return Slot::Wide;
  auto precision = dyn_cast<PrecisionOpInterface>(op);
  if (!precision)
    // Nothing is known of it but its policy: one type for all operands.
    return op->hasAttr(kPolicyAttr) &&
                   effectiveClass(op) != PrecisionClass::Keep
               ? Slot::Low
               : Slot::Wide;
  if (isLowOperand(operand))
    return Slot::Low;
  if (precision.isWideOperand(operand.getOperandNumber()))
    return Slot::Wide;
  if (isa<CastOp>(op))
    return Slot::Any;
  if (isContraction(op)) {
    if (effectiveClass(op) == PrecisionClass::Keep)
      return Slot::Wide;
    if (isNarrowConvolution(op)) {
      bool weight =
          !isa<ConvWeightGradOp>(op) && operand.getOperandNumber() == 1;
      return weight ? Slot::Wide : Slot::Any;
    }
    return Slot::Low;
  }
  // Gradients of gathers are summed in float32 from any type.
  if (isUniform(op) && !isa<GatherGradOp>(op) && op->getNumResults() != 0 &&
      isFloatTensor(op->getResult(0).getType()))
    return Slot::Same;
  return Slot::Any;
}

/// True for state, a constant or a cast, and for a view of one: it is there
/// anyway and need not be saved.
static bool isKeptAnyway(Operation *source) {
  while (source && isa<ReshapeOp, TransposeOp, SliceOp, BroadcastOp>(source)) {
    if (!source->getOperand(0).getDefiningOp())
      return false;
    source = source->getOperand(0).getDefiningOp();
  }
  return isa<ReadOp, ConstantOp, CastOp>(source);
}

Slot operandSlot(OpOperand &operand) {
  Slot slot = ownSlot(operand);
  Operation *source = operand.get().getDefiningOp();
  if (slot != Slot::Any || !source || isForward(operand.getOwner()) ||
      !isForward(source) || isKeptAnyway(source) || isForced(source) ||
      isForced(operand.getOwner()) || savesInOwnType(source))
    return slot;
  // Statistics stay float32, and scalars are not worth a copy.
  auto precision = dyn_cast<PrecisionOpInterface>(source);
  unsigned number = cast<OpResult>(operand.get()).getResultNumber();
  bool plain = precision && !precision.isWideResult(number) &&
               precision.getPrecisionClass() != PrecisionClass::Keep;
  return plain && tensorType(operand.get()).getNumElements() > 1 ? Slot::Saved
                                                                 : slot;
}

StringRef layoutUse(Operation *user, Value weight) {
  if (isa<ConvOp>(user) && user->getOperand(1) == weight)
    return "conv";
  if (isa<ConvInputGradOp>(user) && user->getOperand(1) == weight)
    return "conv_input_grad";
  return "";
}

bool readsKept(Operation *op) {
  return policyClass(op) == PolicyClass::Promote &&
         llvm::any_of(op->getOperands(), [](Value value) {
           Operation *maker = value.getDefiningOp();
           while (maker && maker->getNumOperands() > 0 &&
                  effectiveClass(maker) == PrecisionClass::Transparent)
             maker = maker->getOperand(0).getDefiningOp();
           return maker && isFloatTensor(value.getType()) &&
                  policyClass(maker) == PolicyClass::Keep;
         });
}

} // namespace amp
