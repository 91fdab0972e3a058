//===- TrainEntries.cpp - train_step and the update it ends with ----------===//

#include "EntryWriter.h"

using namespace mlir;
using namespace amp;

Value EntryWriter::appendUpdate(FunctionDraft &draft, OpBuilder &builder,
                                ArrayRef<Value> gradients) {
  Type f32 = builder.getF32Type();
  auto flag = RankedTensorType::get({}, builder.getI1Type());
  Value schedule = draft.addArgument(RankedTensorType::get({8}, f32),
                                     "schedule", roles::kSchedule);
  Value bound = draft.addArgument(scalarType(), "clip", roles::kClip);
  Value iteration = draft.read(state.iteration);
  Value applied = draft.read(state.applied);
  Value skipped = draft.read(state.skipped);

  Value scale = one(builder);
  Location loc = updateLoc("update");
  auto check = CheckGradientsOp::create(builder, loc, flag, scalarType(),
                                        gradients, scale, f32);
  Value lr =
      LearningRateOp::create(builder, loc, scalarType(), applied, schedule);
  DictionaryAttr config = optimizer.config(builder.getContext());
  for (auto [parameter, gradient] : llvm::zip_equal(parameters, gradients)) {
    SmallVector<VariableOp> moments = state.moments(parameter, optimizer);
    SmallVector<Value> states;
    for (VariableOp moment : moments)
      states.push_back(draft.read(moment));
    auto step = OptimizerStepOp::create(
        builder, phaseLocation(parameter.getLoc(), Phase::Update),
        parameter.getType(), TypeRange(ValueRange(states)), TypeRange(),
        draft.read(parameter), gradient, lr, scale, check.getNorm(), bound,
        check.getFinite(), applied, Value(), states, optimizer.kind, clip,
        config);
    draft.getWrites()[parameter.getSymNameAttr()] = step.getNewParam();
    for (auto [moment, value] : llvm::zip_equal(moments, step.getNewStates()))
      draft.getWrites()[moment.getSymNameAttr()] = value;
  }
  auto counters = AdvanceCountersOp::create(
      builder, loc, iteration.getType(), applied.getType(), skipped.getType(),
      iteration, applied, skipped, check.getFinite());
  auto &writes = draft.getWrites();
  writes[state.iteration.getSymNameAttr()] = counters.getNewIteration();
  writes[state.applied.getSymNameAttr()] = counters.getNewApplied();
  writes[state.skipped.getSymNameAttr()] = counters.getNewSkipped();

  Value bad = NotOp::create(builder, loc, check.getFinite());
  Value found = CastOp::create(builder, loc, scalarType(), bad);
  draft.addResult(check.getNorm(), "grad_norm", roles::kMetric);
  draft.addResult(found, "found_inf", roles::kMetric);
  draft.addResult(scale, "loss_scale", roles::kMetric);
  draft.addResult(lr, "lr", roles::kMetric);
  return check.getFinite();
}

LogicalResult EntryWriter::writeTrainStep() {
  func::FuncOp backward = source("backward", "train_step");
  if (!backward)
    return failure();
  FunctionDraft draft(backward, "train_step");
  PhaseMarker marker(Phase::Update);
  draft.getBuilder().setListener(&marker);
  OpBuilder &builder = draft.getBuilder();

  SmallVector<Value> gradients;
  for (const DraftResult &gradient : draft.sourceResults(roles::kGradient))
    gradients.push_back(gradient.value);
  draft.addResult(draft.sourceResults(roles::kLoss).front().value, "loss",
                  roles::kLoss);
  Value finite = appendUpdate(draft, builder, gradients);
  // A skipped step must not move running statistics either.
  for (VariableOp buffer : buffers) {
    Value &written = draft.getWrites()[buffer.getSymNameAttr()];
    Value old = draft.read(buffer);
    written =
        SelectOp::create(builder, phaseLocation(buffer.getLoc(), Phase::Update),
                         old.getType(), finite, written, old);
  }
  draft.finish();
  return success();
}
