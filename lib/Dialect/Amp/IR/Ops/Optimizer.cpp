//===- Optimizer.cpp - Verification of the optimizer family ---------------===//

#include "Checks.h"
#include "amp/Dialect/Amp/IR/ScalerConfig.h"

using namespace mlir;
using namespace amp;

/// Controls of a step are scalars.
static LogicalResult
verifyScalars(Operation *op, ArrayRef<std::pair<StringRef, Value>> values) {
  for (auto [name, value] : values)
    if (failed(verifyShape(op, name, value, {})))
      return failure();
  return success();
}

LogicalResult CheckGradientsOp::verify() {
  if (failed(verifyScalars(*this, {{"finite", getFinite()}})))
    return failure();
  return verifyAccumulator(*this, getAcc(),
                           tensorType(getNorm()).getElementType());
}

/// A hyperparameter that is there and not zero.
static bool isSet(DictionaryAttr config, StringRef name) {
  Attribute value = config.get(name);
  if (auto number = dyn_cast_or_null<FloatAttr>(value))
    return !number.getValue().isZero();
  if (auto number = dyn_cast_or_null<IntegerAttr>(value))
    return !number.getValue().isZero();
  return isa_and_nonnull<UnitAttr>(value);
}

static size_t stateCount(OptimizerKind kind, DictionaryAttr config) {
  switch (kind) {
  case OptimizerKind::SGD:
    return isSet(config, "momentum");
  case OptimizerKind::Adam:
  case OptimizerKind::AdamW:
    return 2 + isSet(config, "amsgrad");
  case OptimizerKind::RMSprop:
    return 1 + isSet(config, "momentum") + isSet(config, "centered");
  case OptimizerKind::Adagrad:
  case OptimizerKind::Lion:
    return 1;
  case OptimizerKind::LAMB:
  case OptimizerKind::RAdam:
    return 2;
  case OptimizerKind::NAdam:
    return 3;
  case OptimizerKind::Adafactor:
    return 2;
  }
  llvm_unreachable("all kinds are listed");
}

LogicalResult OptimizerStepOp::verify() {
  if (failed(verifyScalars(
          *this, {{"finite", getFinite()}, {"applied", getApplied()}})))
    return failure();
  size_t count = stateCount(getKind(), getConfig());
  StringRef per = stringifyOptimizerKind(getKind());
  if (failed(verifyCount(*this, "states", getStates().size(), count, per)) ||
      failed(
          verifyCount(*this, "new states", getNewStates().size(), count, per)))
    return failure();
  ArrayRef<int64_t> shape = tensorType(getParam()).getShape();
  if (failed(verifyFloat32(*this, "a parameter", getParam())) ||
      failed(verifyShape(*this, "a gradient", getGrad(), shape)))
    return failure();
  SmallVector<Value> wide = {getNewParam()};
  llvm::append_range(wide, getStates());
  llvm::append_range(wide, getNewStates());
  for (Value value : wide)
    if (failed(verifyShape(*this, "parameter and states", value, shape)) ||
        failed(verifyFloat32(*this, "parameter and states", value)))
      return failure();
  for (Value shadow : getShadows())
    if (failed(verifyShape(*this, "a shadow", shadow, shape)))
      return failure();
  return success();
}

LogicalResult ScalerUpdateOp::verify() {
  if (failed(verifyScalars(*this, {{"tracker", getTracker()},
                                   {"hysteresis", getHysteresis()},
                                   {"bad", getBad()},
                                   {"finite", getFinite()},
                                   {"a new tracker", getNewTracker()},
                                   {"a new hysteresis", getNewHysteresis()},
                                   {"a new bad", getNewBad()}})))
    return failure();
  for (auto [before, after] :
       {std::pair<Value, Value>{getTracker(), getNewTracker()},
        {getHysteresis(), getNewHysteresis()},
        {getBad(), getNewBad()}})
    if (before.getType() != after.getType())
      return emitOpError("expected counters to keep their type ")
             << before.getType() << ", got " << after.getType();
  std::string error;
  if (failed(scalerRuleOf(getConfig(), error)))
    return emitOpError("config: ") << error;
  return success();
}

LogicalResult LearningRateOp::verify() {
  if (failed(verifyScalars(*this, {{"applied", getApplied()}})) ||
      failed(verifyShape(*this, "a schedule", getSchedule(), {8})))
    return failure();
  return verifyFloat32(*this, "a schedule", getSchedule());
}

LogicalResult AdvanceCountersOp::verify() {
  if (failed(verifyScalars(*this, {{"finite", getFinite()},
                                   {"iteration", getIteration()},
                                   {"applied", getApplied()},
                                   {"skipped", getSkipped()}})))
    return failure();
  for (auto [before, after] :
       {std::pair<Value, Value>{getIteration(), getNewIteration()},
        {getApplied(), getNewApplied()},
        {getSkipped(), getNewSkipped()}})
    if (before.getType() != after.getType())
      return emitOpError("expected counters to keep their type ")
             << before.getType() << ", got " << after.getType();
  return success();
}

LogicalResult AccumulateGradientOp::verify() {
  ArrayRef<int64_t> shape = tensorType(getAccumulator()).getShape();
  if (failed(verifyFloat32(*this, "an accumulator", getAccumulator())) ||
      failed(verifyShape(*this, "a gradient", getGradient(), shape)) ||
      failed(verifyShape(*this, "a result", getResult(), shape)) ||
      failed(verifyFloat32(*this, "a result", getResult())))
    return failure();
  return verifyAccumulator(*this, getAcc(),
                           tensorType(getAccumulator()).getElementType());
}
