//===- VerifyPrecision.cpp - Promises of the precision stage --------------===//

#include "Annotations.h"
#include "ScaledGradients.h"
#include "Slots.h"
#include "amp/Dialect/Amp/IR/Functions.h"
#include "amp/Dialect/Amp/IR/PrecisionAttrs.h"
#include "amp/Transforms/Precision/Passes.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_VERIFYPRECISIONPASS
#include "amp/Transforms/Precision/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// A gradient of a parameter leaves its product, convolution or sum in float32,
/// whatever the user forces.
LogicalResult checkGradient(Operation *op, Value gradient) {
  Operation *source = gradient.getDefiningOp();
  bool widened = false;
  while (source && source->getNumOperands() &&
         isa<CastOp, ReshapeOp, TransposeOp, FanInSumOp>(source)) {
    if (auto cast = dyn_cast<CastOp>(source)) {
      Type from = tensorType(cast.getX()).getElementType();
      if (cast.getUser() || !(from.isBF16() || from.isF16()))
        return success();
      widened = true;
    }
    source = source->getOperand(0).getDefiningOp();
  }
  if (!widened || !source || !isa<AccumulatingOpInterface>(source))
    return success();
  return op->emitOpError() << "takes a gradient that '" << source->getName()
                           << "' rounded to "
                           << tensorType(source->getResult(0)).getElementType()
                           << "; gradients of parameters are float32";
}

/// Parameters and statistics of batch norms are float32 unless the policy made
/// an exception of them.
LogicalResult checkBatchNorm(Operation *op) {
  auto isLow = [](Value value) {
    Type element = tensorType(value).getElementType();
    return element.isBF16() || element.isF16();
  };
  auto precision = cast<PrecisionOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands())
    if (precision.isWideOperand(operand.getOperandNumber()) &&
        isLow(operand.get()) && !isLowOperand(operand))
      return op->emitOpError()
             << "needs f32 parameters and statistics, operand "
             << operand.getOperandNumber() << " is "
             << tensorType(operand.get()).getElementType();
  for (OpResult result : op->getResults())
    if (isWideResult(result) && isLow(result))
      return op->emitOpError()
             << "needs f32 statistics, result " << result.getResultNumber()
             << " is " << tensorType(result).getElementType();
  return success();
}

/// What must hold of a single op.
LogicalResult checkOp(Operation *op) {
  if (isa<BatchNormOp, BatchNormInferenceOp, BatchNormGradOp>(op) &&
      failed(checkBatchNorm(op)))
    return failure();
  if (auto sum = dyn_cast<AccumulatingOpInterface>(op)) {
    auto type = dyn_cast<FloatType>(sum.getAccumulator());
    auto asked = op->getParentOfType<ModuleOp>()->getAttrOfType<StringAttr>(
        kAccumulationAttr);
    bool isLow = type && type.getWidth() < 32;
    if (isLow && !(asked && asked.getValue() == "low"))
      return op->emitOpError()
             << "needs f32 accumulation, got " << sum.getAccumulator();
    if (isLow && llvm::none_of(op->getOperandTypes(), [&](Type operand) {
          return isFloatTensor(operand) &&
                 cast<RankedTensorType>(operand).getElementType() == type;
        }))
      return op->emitOpError()
             << "accumulates in " << type << " what is wider than that";
  }
  if (auto step = dyn_cast<OptimizerStepOp>(op))
    if (failed(checkGradient(op, step.getGrad())))
      return failure();
  if (auto sum = dyn_cast<AccumulateGradientOp>(op))
    if (failed(checkGradient(op, sum.getGradient())))
      return failure();
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

struct VerifyPrecision : amp::impl::VerifyPrecisionPassBase<VerifyPrecision> {
  void runOnOperation() override {
    if (failed(checkAnnotations(getOperation())))
      return signalPassFailure();
    for (auto function : functionsWithBody(getOperation())) {
      for (Operation &op : function.getBody().front())
        if (failed(checkOp(&op)))
          return signalPassFailure();
    }
    if (failed(verifyScaledGradients(getOperation())))
      return signalPassFailure();
  }
};

} // namespace
