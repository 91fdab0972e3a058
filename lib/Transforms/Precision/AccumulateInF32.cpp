//===- AccumulateInF32.cpp - The type in which ops sum --------------------===//

#include "Slots.h"
#include "amp/Dialect/Amp/IR/PrecisionAttrs.h"
#include "amp/Transforms/Precision/Passes.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_ACCUMULATEF32PASS
#include "amp/Transforms/Precision/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// The low type an op may sum in if that is asked for, or null: the type of
/// what it sums. A scalar result is a loss or a norm and stays float32 in any
/// case, and so do what micro-batches add up and attention, whose pieces share
/// one accumulator with its scores.
Type lowAccumulator(Operation *op) {
  // Nothing is rounded where the largest element is looked for, and casts move
  // past such ops later.
  if (isa<AccumulateGradientOp, CheckGradientsOp, AttentionOp, AttentionGradOp,
          ReduceMaxOp, ReduceMinOp>(op))
    return {};
  for (Value result : op->getResults())
    if (isFloatTensor(result.getType()) &&
        tensorType(result).getNumElements() == 1)
      return {};
  Type low;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isFloatTensor(operand.get().getType()))
      continue;
    Type element = tensorType(operand.get()).getElementType();
    if (element.isBF16() || element.isF16())
      low = element;
    else if (operandSlot(operand) != Slot::Wide)
      return {};
  }
  return low;
}

struct AccumulateF32 : amp::impl::AccumulateF32PassBase<AccumulateF32> {
  using AccumulateF32PassBase::AccumulateF32PassBase;

  void runOnOperation() override {
    if (accumulation != "f32" && accumulation != "low") {
      getOperation().emitError() << "unknown accumulation '" << accumulation
                                 << "', expected f32 or low";
      return signalPassFailure();
    }
    Builder builder(&getContext());
    Type f32 = builder.getF32Type();
    bool low = accumulation == "low";
    if (low)
      getOperation()->setAttr(kAccumulationAttr, builder.getStringAttr("low"));
    else
      getOperation()->removeAttr(kAccumulationAttr);
    getOperation().walk([&](AccumulatingOpInterface op) {
      // Sums of integers are exact in their own type.
      auto type = dyn_cast<FloatType>(op.getAccumulator());
      if (!type)
        return;
      if (Type asked = low ? lowAccumulator(op) : Type()) {
        op->setAttr(kLowAccumulationAttr, builder.getUnitAttr());
        op.setAccumulator(asked);
        return;
      }
      if (type.getWidth() < 32)
        op.setAccumulator(f32);
      op->removeAttr(kLowAccumulationAttr);
    });
  }
};

} // namespace
