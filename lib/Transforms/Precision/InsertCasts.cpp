//===- InsertCasts.cpp - Apply the decisions ------------------------------===//

#include "Annotations.h"
#include "Forbid.h"
#include "Slots.h"
#include "amp/Analysis/Traffic.h"
#include "amp/Dialect/Amp/IR/Functions.h"
#include "amp/Transforms/Precision/Passes.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_INSERTCASTSPASS
#include "amp/Transforms/Precision/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// Storage type decided for a result, or null.
Type decidedType(OpResult result) {
  auto decision =
      result.getOwner()->getAttrOfType<DictionaryAttr>(kDecisionAttr);
  if (!decision)
    return {};
  auto storage = decision.getAs<ArrayAttr>("storage");
  if (!storage || result.getResultNumber() >= storage.size())
    return {};
  return cast<TypeAttr>(storage[result.getResultNumber()]).getValue();
}

/// The element type of what a function returns or of a variable it writes,
/// which a source model may have in 16 bits; null for other operands.
Type borderType(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (isa<func::ReturnOp>(op)) {
    auto results = op->getParentOfType<func::FuncOp>().getResultTypes();
    return cast<RankedTensorType>(results[operand.getOperandNumber()])
        .getElementType();
  }
  auto write = dyn_cast<WriteOp>(op);
  Type element = tensorType(operand.get()).getElementType();
  auto source = write && (element.isF16() || element.isBF16())
                    ? op->getParentOfType<ModuleOp>().lookupSymbol<VariableOp>(
                          write.getVariable())
                    : VariableOp();
  return source ? cast<RankedTensorType>(source.getType()).getElementType()
                : Type();
}

/// The element type an operand must have, or null if any will do.
Type demandedType(OpOperand &operand) {
  Operation *op = operand.getOwner();
  Builder builder(op->getContext());
  switch (operandSlot(operand)) {
  case Slot::None:
  case Slot::Any:
    return {};
  case Slot::Saved: {
    // Only what forward kept in float32 of its own accord.
    auto low = op->getParentOfType<ModuleOp>()->getAttrOfType<TypeAttr>(
        "amp.precision");
    Type element = tensorType(operand.get()).getElementType();
    if (!low || !element.isF32())
      return {};
    // Nor may a copy be in a type that the range rules out.
    return permittedType(operand.get().getDefiningOp(),
                         cast<FloatType>(low.getValue()));
  }
  case Slot::Wide: {
    if (Type border = borderType(operand))
      return border;
    // float64 of the source model is not ours to change.
    Type element = tensorType(operand.get()).getElementType();
    return element.isBF16() || element.isF16() ? builder.getF32Type() : Type();
  }
  case Slot::Low: {
    // Exceptions of the policy do not depend on what the op computes in.
    if (isLowOperand(operand)) {
      auto low = op->getParentOfType<ModuleOp>()->getAttrOfType<TypeAttr>(
          "amp.precision");
      return low ? low.getValue() : Type();
    }
    auto decision = op->getAttrOfType<DictionaryAttr>(kDecisionAttr);
    auto compute = decision ? decision.getAs<TypeAttr>("compute") : TypeAttr();
    return compute ? compute.getValue() : Type();
  }
  case Slot::Same:
    return tensorType(op->getResult(0)).getElementType();
  }
  return {};
}

void retype(Operation &op) {
  for (OpResult result : op.getResults())
    if (Type element = decidedType(result))
      if (isFloatTensor(result.getType()))
        result.setType(withElement(result.getType(), element));
}

/// What amp-mark-regions wrote was for the assignment; types differ now.
void dropMarks(func::FuncOp function) {
  function->removeAttr(kFixedBytesAttr);
  for (Operation &op : function.getBody().front()) {
    op.removeAttr(kRegionAttr);
    op.removeAttr(kTrafficAttr);
  }
}

struct InsertCasts : amp::impl::InsertCastsPassBase<InsertCasts> {
  void runOnOperation() override {
    if (failed(checkAnnotations(getOperation())))
      return signalPassFailure();
    for (auto function : functionsWithBody(getOperation())) {
      if (function->hasAttr("amp.precision_applied"))
        continue;
      bool decided = false;
      for (Operation &op : function.getBody().front()) {
        retype(op);
        decided |= op.hasAttr(kDecisionAttr);
      }
      if (!decided)
        continue;
      for (Operation &op :
           llvm::make_early_inc_range(function.getBody().front()))
        for (OpOperand &operand : op.getOpOperands())
          agree(operand);
      dropMarks(function);
      function->setAttr("amp.precision_applied", UnitAttr::get(&getContext()));
    }
  }

  void agree(OpOperand &operand) {
    Type demanded = demandedType(operand);
    Value value = operand.get();
    if (!demanded || tensorType(value).getElementType() == demanded)
      return;
    Operation *op = operand.getOwner();
    OpBuilder builder(op);
    auto cast = CastOp::create(builder, op->getLoc(),
                               withElement(value.getType(), demanded), value,
                               UnitAttr());
    Operation *maker = value.getDefiningOp();
    bool leaves = isa<func::ReturnOp>(op);
    if (maker && (leaves || operandSlot(operand) == Slot::Saved)) {
      // What is saved is made in forward, so that the float32 value need not
      // live on. What leaves has a place of its own; whoever makes or reads the
      // value may fill it on the way.
      cast->moveAfter(maker);
      if (Attribute phase = maker->getAttr("amp.phase"))
        cast->setAttr("amp.phase", phase);
    } else if (Attribute phase = op->getAttr("amp.phase")) {
      cast->setAttr("amp.phase", phase);
    }
    operand.set(cast);
  }
};

} // namespace
