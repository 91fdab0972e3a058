//===- TrainEntries.cpp - train_step --------------------------------------===//

#include "EntryWriter.h"

using namespace mlir;
using namespace amp;

void EntryWriter::appendCounters(FunctionDraft &draft, OpBuilder &builder,
                                 Value finite) {
  Value iteration = draft.read(state.iteration);
  Value applied = draft.read(state.applied);
  Value skipped = draft.read(state.skipped);
  auto counters = AdvanceCountersOp::create(
      builder, updateLoc("update"), iteration.getType(), applied.getType(),
      skipped.getType(), iteration, applied, skipped, finite);
  auto &writes = draft.getWrites();
  writes[state.iteration.getSymNameAttr()] = counters.getNewIteration();
  writes[state.applied.getSymNameAttr()] = counters.getNewApplied();
  writes[state.skipped.getSymNameAttr()] = counters.getNewSkipped();
}

void EntryWriter::guardBuffer(FunctionDraft &draft, VariableOp buffer,
                              Value finite) {
  Value &written = draft.getWrites()[buffer.getSymNameAttr()];
  Value old = draft.read(buffer);
  written = SelectOp::create(draft.getBuilder(),
                             phaseLocation(buffer.getLoc(), Phase::Update),
                             old.getType(), finite, written, old);
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
  for (StringRef role : {roles::kLoss, roles::kNamedLoss})
    for (const DraftResult &loss : draft.sourceResults(role))
      draft.addResult(loss);
  Value finite = appendUpdate(draft, builder, allGroups(), gradients);
  appendCounters(draft, builder, finite);
  // A skipped step must not move running statistics either.
  for (VariableOp buffer : buffers)
    guardBuffer(draft, buffer, finite);
  draft.finish();
  return success();
}
