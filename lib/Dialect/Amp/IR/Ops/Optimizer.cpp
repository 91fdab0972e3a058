//===- Optimizer.cpp - Verification of the optimizer family ---------------===//

#include "Checks.h"
#include "amp/Dialect/Amp/IR/OptimizerStates.h"
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

SmallVector<OptimizerStateTensor, 3>
amp::optimizerStates(OptimizerKind kind, DictionaryAttr config,
                     ArrayRef<int64_t> shape) {
  using List = SmallVector<OptimizerStateTensor, 3>;
  auto element = [&](StringRef name, bool squares = false) {
    return OptimizerStateTensor{name, llvm::to_vector<4>(shape), squares};
  };
  // The shape with one dimension, counted from the end, reduced to one.
  auto reduced = [&](StringRef name, size_t fromEnd) {
    OptimizerStateTensor state = element(name, /*squares=*/true);
    state.shape[shape.size() - fromEnd] = 1;
    return state;
  };
  OptimizerStateTensor mean = element("exp_avg"),
                       square = element("exp_avg_sq", true);
  switch (kind) {
  case OptimizerKind::SGD:
    return isSet(config, "momentum") ? List{element("momentum_buffer")}
                                     : List();
  case OptimizerKind::Adam:
  case OptimizerKind::AdamW: {
    List list = {mean, square};
    if (isSet(config, "amsgrad"))
      list.push_back(element("max_exp_avg_sq", true));
    return list;
  }
  case OptimizerKind::RMSprop: {
    List list = {element("square_avg", true)};
    if (isSet(config, "momentum"))
      list.push_back(element("momentum_buffer"));
    if (isSet(config, "centered")) {
      // The variance is what is left of the mean square without that of the
      // mean: their roundings would be larger than it.
      list.push_back(element("grad_avg"));
      list.front().narrows = list.back().narrows = false;
    }
    return list;
  }
  case OptimizerKind::Adagrad:
    return {element("sum", true)};
  case OptimizerKind::Lion:
    return {mean};
  case OptimizerKind::LAMB:
  case OptimizerKind::RAdam:
    return {mean, square};
  case OptimizerKind::NAdam:
    return {mean, square, {"mu_product", {}, false, /*narrows=*/false}};
  case OptimizerKind::Adafactor:
    if (shape.size() < 2)
      return {element("variance", true)};
    return {reduced("row_var", 1), reduced("col_var", 2)};
  }
  llvm_unreachable("all kinds are listed");
}

/// The types an update may store.
static LogicalResult verifyStorage(Operation *op, StringRef what, Value value,
                                   bool narrows = true) {
  Type element = tensorType(value).getElementType();
  if (element.isF32() || (narrows && (element.isF16() || element.isBF16())))
    return success();
  return op->emitOpError("expected ")
         << what << (narrows ? " in f32, f16 or bf16" : " in f32") << ", got "
         << element;
}

LogicalResult OptimizerStepOp::verify() {
  if (failed(verifyScalars(
          *this, {{"finite", getFinite()}, {"applied", getApplied()}})))
    return failure();
  if (Value rng = getRng())
    if (failed(verifyShape(*this, "rng", rng, {2})))
      return failure();
  ArrayRef<int64_t> shape = tensorType(getParam()).getShape();
  SmallVector<OptimizerStateTensor, 3> wanted =
      optimizerStates(getKind(), getConfig(), shape);
  StringRef per = stringifyOptimizerKind(getKind());
  size_t states = getStates().size(), count = wanted.size();
  // The residual of a split parameter comes last.
  bool split =
      states == count + 1 &&
      tensorType(getStates().back()).getElementType().isSignlessInteger(16);
  if (failed(verifyCount(*this, "states", states, count + split, per)) ||
      failed(verifyCount(*this, "new states", getNewStates().size(),
                         count + split, per)))
    return failure();
  if (failed(verifyStorage(*this, "a parameter", getParam())) ||
      failed(verifyShape(*this, "a gradient", getGrad(), shape)))
    return failure();
  Type element = tensorType(getParam()).getElementType();
  if (split && !element.isBF16())
    return emitOpError("expected a parameter in bf16 beside a residual, got ")
           << element;
  if (split &&
      failed(verifyShape(*this, "a residual", getStates().back(), shape)))
    return failure();
  for (auto [state, value] : llvm::zip(wanted, getStates())) {
    std::string what = ("the state " + state.name).str();
    if (failed(verifyShape(*this, what, value, state.shape)) ||
        failed(verifyStorage(*this, what, value, state.narrows)))
      return failure();
  }
  SmallVector<std::pair<Value, Value>> kept = {{getParam(), getNewParam()}};
  for (auto [before, after] : llvm::zip_equal(getStates(), getNewStates()))
    kept.push_back({before, after});
  for (auto [before, after] : kept)
    if (before.getType() != after.getType())
      return emitOpError("expected parameter and states to keep their type ")
             << before.getType() << ", got " << after.getType();
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
