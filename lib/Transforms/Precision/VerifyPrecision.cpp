//===- VerifyPrecision.cpp - Promises of the precision stage --------------===//

#include "Slots.h"
#include "amp/Transforms/Precision/Passes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_VERIFYPRECISIONPASS
#include "amp/Transforms/Precision/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// The scale of an op that unscales gradients, or null.
Value scaleOf(Operation *op) {
  if (auto check = dyn_cast<CheckGradientsOp>(op))
    return check.getScale();
  if (auto step = dyn_cast<OptimizerStepOp>(op))
    return step.getScale();
  if (auto unscale = dyn_cast<UnscaleOp>(op))
    return unscale.getScale();
  return {};
}

bool isOne(Value value) {
  DenseElementsAttr attr;
  return matchPattern(value, m_Constant(&attr)) && attr.isSplat() &&
         isa<FloatType>(attr.getElementType()) &&
         attr.getSplatValue<APFloat>().isExactlyValue(1.0);
}

/// What must hold of a single op.
LogicalResult checkOp(Operation *op) {
  if (auto sum = dyn_cast<AccumulatingOpInterface>(op)) {
    auto type = dyn_cast<FloatType>(sum.getAccumulator());
    if (type && type.getWidth() < 32)
      return op->emitOpError()
             << "needs f32 accumulation, got " << sum.getAccumulator();
  }
  if (auto decision = op->getAttrOfType<DictionaryAttr>(kDecisionAttr))
    if (auto storage = decision.getAs<ArrayAttr>("storage"))
      for (auto [type, wanted] : llvm::zip(op->getResultTypes(), storage))
        if (isFloatTensor(type) &&
            cast<RankedTensorType>(type).getElementType() !=
                cast<TypeAttr>(wanted).getValue())
          return op->emitOpError()
                 << "has result type " << type << ", decided was "
                 << cast<TypeAttr>(wanted).getValue();
  if (effectiveClass(op) == PrecisionClass::Allow) {
    Type first;
    for (OpOperand &operand : op->getOpOperands()) {
      if (operandSlot(operand) != Slot::Low)
        continue;
      Type element = tensorType(operand.get()).getElementType();
      if (first && element != first)
        return op->emitOpError() << "reads operands of two types, " << first
                                 << " and " << element;
      first = element;
    }
  }
  return success();
}

/// The loss is scaled once, each gradient unscaled once by the same value.
/// Without a seed (gradients come from accumulators) one value unscales all.
LogicalResult checkScaling(func::FuncOp function) {
  SeedGradientOp seed;
  for (auto found : function.getBody().front().getOps<SeedGradientOp>()) {
    if (seed)
      return found.emitOpError() << "is a second seed; a loss is scaled once";
    seed = found;
  }
  Value scale = seed ? seed.getScale() : Value();
  DenseSet<Value> unscaled;
  for (Operation &op : function.getBody().front()) {
    Value own = scaleOf(&op);
    if (!own)
      continue;
    if (!scale && !seed)
      scale = own;
    bool agrees = own == scale || ((!scale || isOne(scale)) && isOne(own));
    if (!agrees)
      return op.emitOpError()
             << "unscales by a value that did not scale the loss";
    for (Value operand : op.getOperands())
      if (operand != own && unscaled.contains(operand))
        return op.emitOpError() << "unscales a gradient a second time";
    if (isa<UnscaleOp>(op))
      unscaled.insert(op.getResult(0));
  }
  return success();
}

struct VerifyPrecision : amp::impl::VerifyPrecisionPassBase<VerifyPrecision> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      for (Operation &op : function.getBody().front())
        if (failed(checkOp(&op)))
          return signalPassFailure();
      if (failed(checkScaling(function)))
        return signalPassFailure();
    }
  }
};

} // namespace
