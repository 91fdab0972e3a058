//===- AccumulateEntries.cpp - accumulate and apply -----------------------===//
//
// One update for a window of micro-batches. Nothing of a window is visible
// outside it before `apply` has found all of it finite.
//
//===----------------------------------------------------------------------===//

#include "../Splat.h"
#include "EntryWriter.h"

using namespace mlir;
using namespace amp;

namespace {

/// Micro-batches in a window that still have masks of their own; more would
/// share those of the next window's first ones, which does no harm.
constexpr int64_t kMasksPerIteration = 1 << 16;

/// Every micro-batch draws its own dropout masks: `iteration` is the same in
/// the whole window.
void renumberMasks(FunctionDraft &draft, OpBuilder &builder, Location loc,
                   Value micro) {
  SmallVector<DropoutOp> dropouts(draft.getBlock().getOps<DropoutOp>());
  if (dropouts.empty())
    return;
  Value iteration = dropouts.front().getIteration();
  Value first =
      MulOp::create(builder, loc, iteration,
                    integerConstant(builder, loc, kMasksPerIteration));
  Value number = AddOp::create(builder, loc, first, micro);
  for (DropoutOp dropout : dropouts)
    dropout.getIterationMutable().assign(number);
}

/// The gradient of loss / micro_batches, divided where it begins: the float16
/// range is used best there, and no gradient is touched twice.
void divideSeed(FunctionDraft &draft, Value microBatches) {
  SmallVector<SeedGradientOp> seeds(draft.getBlock().getOps<SeedGradientOp>());
  PhaseMarker marker(Phase::Backward);
  OpBuilder builder(draft.getBlock().getParent()->getContext(), &marker);
  for (SeedGradientOp seed : seeds) {
    builder.setInsertionPointAfter(seed);
    Value share =
        DivOp::create(builder, seed.getLoc(), seed.getResult(), microBatches);
    seed.getResult().replaceAllUsesExcept(share, share.getDefiningOp());
  }
}

/// Whether one of the groups updates the parameter.
bool updates(ArrayRef<OptimizerGroup *> groups, VariableOp parameter) {
  return llvm::any_of(groups, [&](OptimizerGroup *group) {
    return llvm::is_contained(group->parameters, parameter);
  });
}

} // namespace

void EntryWriter::accumulate(FunctionDraft &draft,
                             ArrayRef<OptimizerGroup *> active,
                             ArrayRef<VariableOp> moved,
                             ArrayRef<DraftResult> losses) {
  PhaseMarker marker(Phase::Update);
  OpBuilder &builder = draft.getBuilder();
  builder.setListener(&marker);
  Location loc = updateLoc("accumulate");
  Value microBatches =
      draft.addArgument(scalarType(), "micro_batches", roles::kMicroBatches);
  divideSeed(draft, microBatches);

  // What the body reads of a buffer is the window's own value after the first
  // micro-batch. These ops stand at the head, before the readers.
  Value micro = draft.read(state.microBatch);
  SmallVector<std::pair<Value, Value>> values;
  for (VariableOp buffer : moved) {
    Value old = draft.read(buffer);
    values.push_back({old, draft.read(state.pending(buffer))});
  }
  Operation *lastRead = nullptr;
  for (auto read : draft.getBlock().getOps<ReadOp>())
    lastRead = read;
  {
    PhaseMarker forward(Phase::Forward);
    OpBuilder head(builder.getContext(), &forward);
    head.setInsertionPointAfter(lastRead);
    Location plain = plainLocation(loc);
    renumberMasks(draft, head, plain, micro);
    Value isFirst;
    if (!values.empty())
      isFirst = CompareOp::create(
          head, plain, RankedTensorType::get({}, builder.getI1Type()), micro,
          integerConstant(head, plain, 0), ComparePredicate::EQ);
    for (auto [old, pending] : values) {
      Value current =
          SelectOp::create(head, plain, old.getType(), isFirst, old, pending);
      old.replaceAllUsesExcept(current, current.getDefiningOp());
      for (auto &write : draft.getWrites())
        if (write.second == old)
          write.second = current;
    }
  }

  llvm::MapVector<StringAttr, Value> writes;
  for (VariableOp buffer : moved)
    writes[state.pending(buffer).getSymNameAttr()] =
        draft.getWrites()[buffer.getSymNameAttr()];
  SmallVector<DraftResult> gradients = draft.sourceResults(roles::kGradient);
  for (auto [term, gradient] : llvm::zip_equal(terms, gradients)) {
    if (!updates(active, term.parameter))
      continue;
    VariableOp accumulator = state.accumulator(term.parameter, term.scaleOf);
    writes[accumulator.getSymNameAttr()] = AccumulateGradientOp::create(
        builder, phaseLocation(term.parameter.getLoc(), Phase::Update),
        accumulator.getType(), draft.read(accumulator), gradient.value,
        builder.getF32Type());
  }
  writes[state.microBatch.getSymNameAttr()] =
      AddOp::create(builder, loc, micro, integerConstant(builder, loc, 1));
  draft.getWrites() = std::move(writes);
  for (const DraftResult &loss : losses)
    draft.addResult(loss);
  draft.finish();
}

SmallVector<Value> EntryWriter::sums(FunctionDraft &draft,
                                     ArrayRef<OptimizerGroup *> active) {
  SmallVector<Value> gradients;
  for (const GradientTerm &term : terms)
    gradients.push_back(
        updates(active, term.parameter)
            ? draft.read(state.accumulator(term.parameter, term.scaleOf))
            : Value());
  return gradients;
}

void EntryWriter::endWindow(FunctionDraft &draft,
                            ArrayRef<OptimizerGroup *> active,
                            ArrayRef<VariableOp> moved, Value finite) {
  OpBuilder &builder = draft.getBuilder();
  Location loc = updateLoc("apply");
  auto &writes = draft.getWrites();
  for (const GradientTerm &term : terms) {
    if (!updates(active, term.parameter))
      continue;
    VariableOp accumulator = state.accumulator(term.parameter, term.scaleOf);
    auto type = cast<RankedTensorType>(accumulator.getType());
    writes[accumulator.getSymNameAttr()] =
        ConstantOp::create(builder, loc, splatOf(type, 0));
  }
  Value zero = integerConstant(builder, loc, 0);
  if (!moved.empty()) {
    // Without a micro-batch there is no pending value to take over.
    Value any = CompareOp::create(builder, loc, finite.getType(),
                                  draft.read(state.microBatch), zero,
                                  ComparePredicate::GT);
    Value commit = AndOp::create(builder, loc, finite, any);
    for (VariableOp buffer : moved) {
      Value old = draft.read(buffer);
      Value pending = draft.read(state.pending(buffer));
      writes[buffer.getSymNameAttr()] = SelectOp::create(
          builder, phaseLocation(buffer.getLoc(), Phase::Update), old.getType(),
          commit, pending, old);
    }
  }
  writes[state.microBatch.getSymNameAttr()] = zero;
}

LogicalResult EntryWriter::writeAccumulate() {
  func::FuncOp backward = source("backward", "accumulate");
  if (!backward || failed(state.ensureMicroBatch()))
    return failure();
  FunctionDraft draft(backward, "accumulate");
  SmallVector<DraftResult> losses;
  for (StringRef role : {roles::kLoss, roles::kNamedLoss})
    llvm::append_range(losses, draft.sourceResults(role));
  accumulate(draft, allGroups(), buffers, losses);
  return success();
}

LogicalResult EntryWriter::writeApply() {
  if (failed(state.ensureMicroBatch()))
    return failure();
  FunctionDraft draft(module, "apply");
  PhaseMarker marker(Phase::Update);
  OpBuilder &builder = draft.getBuilder();
  builder.setListener(&marker);
  Value finite =
      appendUpdate(draft, builder, allGroups(), sums(draft, allGroups()));
  appendCounters(draft, builder, finite);
  endWindow(draft, allGroups(), buffers, finite);
  draft.finish();
  return success();
}
