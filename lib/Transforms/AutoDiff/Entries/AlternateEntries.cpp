//===- AlternateEntries.cpp - Optimizers that take turns ------------------===//
//
// An entry point for each optimizer; the trainer runs them in order with the
// same batch. Each computes what its losses need with the parameters as they
// are then. Running statistics follow a loop that keeps values as long as they
// hold: a batch norm evaluated again with the same inputs is the same forward
// pass and updates once, one behind parameters updated since is another.
//
//===----------------------------------------------------------------------===//

#include "EntryWriter.h"
#include "amp/Dialect/Amp/IR/TrainingAttrs.h"

using namespace mlir;
using namespace amp;

namespace {

/// One update of a running statistic: value = previous blended with what comes
/// from the batch. Without `previous` the buffer is written some other way.
struct StatisticUpdate {
  Value value, previous, batch;
};

/// The updates of a buffer, first to last.
SmallVector<StatisticUpdate> updatesOf(Value written, Value read) {
  SmallVector<StatisticUpdate> updates;
  Value value = written;
  // momentum * previous + (1 - momentum) * batch
  auto scaled = [](Value side) -> Value {
    auto mul = side.getDefiningOp<MulOp>();
    return mul && mul.getRhs().getDefiningOp<ConstantOp>() ? mul.getLhs()
                                                           : Value();
  };
  while (value != read) {
    auto add = value.getDefiningOp<AddOp>();
    Value previous = add ? scaled(add.getLhs()) : Value();
    if (!previous)
      return {{written, {}, written}};
    updates.push_back({value, previous, add.getRhs()});
    value = previous;
  }
  std::reverse(updates.begin(), updates.end());
  return updates;
}

using OpSet = DenseSet<Operation *>;

/// Ops that `roots` are computed from.
OpSet slice(ArrayRef<Value> roots) {
  OpSet seen;
  SmallVector<Value> work(roots);
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (op && seen.insert(op).second)
      llvm::append_range(work, op->getOperands());
  }
  return seen;
}

/// Ops that depend on one of the variables.
OpSet dependents(Block &block, const DenseSet<StringAttr> &variables) {
  OpSet found;
  for (Operation &op : block) {
    auto read = dyn_cast<ReadOp>(op);
    bool depends = read ? variables.contains(read.getVariableAttr().getAttr())
                        : llvm::any_of(op.getOperands(), [&](Value operand) {
                            return found.contains(operand.getDefiningOp());
                          });
    if (depends)
      found.insert(&op);
  }
  return found;
}

} // namespace

/// What the turns so far have done.
struct EntryWriter::TurnHistory {
  /// Parameters.
  DenseSet<StringAttr> updated;
  /// By buffer and number of its update: some turn has made it already.
  DenseSet<std::pair<StringAttr, unsigned>> made;

  void end(const OptimizerGroup &group) {
    for (VariableOp parameter : group.parameters)
      updated.insert(VariableOp(parameter).getSymNameAttr());
  }
};

struct EntryWriter::Turn {
  VariableOp counter; ///< of turns that were skipped
  Value before;       ///< its value; null in the first turn
  Value clean;        ///< with skip-all whether that is zero
  bool last = false;
};

/// The losses that an optimizer minimises.
SmallVector<DraftResult> EntryWriter::lossesOf(FunctionDraft &draft,
                                               const OptimizerGroup &group) {
  const OptimizerSpec &spec = *group.spec;
  SmallVector<DraftResult> found;
  for (const DraftResult &loss : draft.sourceResults(roles::kNamedLoss))
    if (spec.losses.empty() ||
        llvm::is_contained(spec.losses, loss.name().split('/').second))
      found.push_back(loss);
  return found.empty() ? draft.sourceResults(roles::kLoss) : found;
}

/// Takes the updates of running statistics out of a turn that are none of its
/// own; gives the buffers that are left to it.
SmallVector<VariableOp>
EntryWriter::keepStatistics(FunctionDraft &draft, const OptimizerGroup &group,
                            ArrayRef<DraftResult> losses,
                            TurnHistory &history) {
  SmallVector<Value> needed;
  for (auto [term, gradient] :
       llvm::zip_equal(terms, draft.sourceResults(roles::kGradient)))
    if (llvm::is_contained(group.parameters, term.parameter))
      needed.push_back(gradient.value);
  for (const DraftResult &loss : losses)
    needed.push_back(loss.value);
  OpSet evaluated = slice(needed);
  OpSet fresh = dependents(draft.getBlock(), history.updated);
  SmallVector<VariableOp> moved;
  for (VariableOp buffer : buffers) {
    StringAttr symbol = buffer.getSymNameAttr();
    Value old = draft.read(buffer);
    for (auto [i, update] :
         llvm::enumerate(updatesOf(draft.getWrites()[symbol], old))) {
      OpSet from = slice(update.batch);
      // The statistics hang on the evaluation of their batch norm.
      bool runs = !update.previous || llvm::any_of(from, [&](Operation *op) {
        return isa<BatchNormOp>(op) && evaluated.contains(op);
      });
      bool isNew =
          llvm::any_of(from, [&](Operation *op) { return fresh.contains(op); });
      if (runs && (isNew || !history.made.contains({symbol, i}))) {
        history.made.insert({symbol, i});
        continue;
      }
      Value kept = update.previous ? update.previous : old;
      draft.replaceResult(update.value, kept);
      Value &written = draft.getWrites()[symbol];
      if (written == update.value)
        written = kept;
      if (update.previous)
        update.value.replaceAllUsesWith(kept);
    }
    if (draft.getWrites()[symbol] == old)
      draft.getWrites().erase(symbol);
    else
      moved.push_back(buffer);
  }
  return moved;
}

static Value isZero(OpBuilder &builder, Location loc, Value count) {
  return CompareOp::create(
      builder, loc, RankedTensorType::get({}, builder.getI1Type()), count,
      integerConstant(builder, loc, 0), ComparePredicate::EQ);
}

FailureOr<EntryWriter::Turn> EntryWriter::beginTurn(FunctionDraft &draft,
                                                    size_t number) {
  auto counter = state.ensureCounter("amp.skipped_turns");
  if (failed(counter))
    return failure();
  Turn turn{*counter, {}, {}, number + 1 == groups.size()};
  if (number == 0)
    return turn;
  turn.before = draft.read(turn.counter);
  if (rules.skipAll)
    turn.clean = isZero(draft.getBuilder(), updateLoc("turn"), turn.before);
  return turn;
}

LogicalResult EntryWriter::writeTurns() {
  func::FuncOp backward = source("backward", "train_step");
  if (!backward)
    return failure();
  SmallVector<Attribute> names;
  TurnHistory history;
  for (auto [number, group] : llvm::enumerate(groups)) {
    std::string name = ("train_step." + group.name()).str();
    if (module.lookupSymbol(name))
      return module.emitError("there is a symbol @") << name << " already";
    FunctionDraft draft(backward, name);
    PhaseMarker marker(Phase::Update);
    OpBuilder &builder = draft.getBuilder();
    builder.setListener(&marker);

    SmallVector<Value> gradients;
    for (const DraftResult &gradient : draft.sourceResults(roles::kGradient))
      gradients.push_back(gradient.value);
    SmallVector<DraftResult> losses = lossesOf(draft, group);
    for (const DraftResult &loss : losses)
      draft.addResult(loss);
    SmallVector<VariableOp> moved =
        keepStatistics(draft, group, losses, history);
    auto turn = beginTurn(draft, number);
    if (failed(turn))
      return failure();
    Value finite = appendUpdate(draft, builder, &group, gradients, turn->clean);
    for (VariableOp buffer : moved)
      guardBuffer(draft, buffer, finite);
    appendTurn(draft, *turn, finite);
    history.end(group);
    draft.finish();
    names.push_back(builder.getStringAttr(name));
  }
  module->setAttr(kTurnsAttr, ArrayAttr::get(module.getContext(), names));
  return success();
}

LogicalResult EntryWriter::writeWindowTurns() {
  // Both kinds of entry points are made together.
  if (module->hasAttr(kWindowTurnsAttr))
    return success();
  func::FuncOp backward = source("backward", "accumulate");
  if (!backward || failed(state.ensureMicroBatch()))
    return failure();
  SmallVector<Attribute> names;
  TurnHistory history;
  for (auto [number, group] : llvm::enumerate(groups)) {
    std::string compute = ("accumulate." + group.name()).str();
    std::string update = ("apply." + group.name()).str();
    for (StringRef name : {compute, update})
      if (module.lookupSymbol(name))
        return module.emitError("there is a symbol @") << name << " already";
    PhaseMarker marker(Phase::Update);
    FunctionDraft window(backward, compute);
    window.getBuilder().setListener(&marker);
    SmallVector<DraftResult> losses = lossesOf(window, group);
    SmallVector<VariableOp> moved =
        keepStatistics(window, group, losses, history);
    accumulate(window, &group, moved, losses);

    FunctionDraft draft(module, update);
    OpBuilder &builder = draft.getBuilder();
    builder.setListener(&marker);
    auto turn = beginTurn(draft, number);
    if (failed(turn))
      return failure();
    Value finite =
        appendUpdate(draft, builder, &group, sums(draft, &group), turn->clean);
    appendTurn(draft, *turn, finite);
    endWindow(draft, &group, moved, finite);
    history.end(group);
    draft.finish();
    names.push_back(builder.getStringAttr(update));
  }
  module->setAttr(kWindowTurnsAttr, ArrayAttr::get(module.getContext(), names));
  return success();
}

/// Keeps the flag for the end of the iteration, or ends it.
void EntryWriter::appendTurn(FunctionDraft &draft, const Turn &turn,
                             Value finite) {
  OpBuilder &builder = draft.getBuilder();
  Location loc = updateLoc("turn");
  Value zero = integerConstant(builder, loc, 0);
  VariableOp counter = turn.counter;
  Value before = turn.before ? turn.before : zero;
  Value after = zero;
  if (!turn.last) {
    Value more =
        AddOp::create(builder, loc, before, integerConstant(builder, loc, 1));
    after =
        SelectOp::create(builder, loc, before.getType(), finite, before, more);
  }
  draft.getWrites()[counter.getSymNameAttr()] = after;
  if (!turn.last)
    return;
  if (turn.before && !turn.clean)
    finite = AndOp::create(builder, loc, finite.getType(), finite,
                           isZero(builder, loc, turn.before));
  appendCounters(draft, builder, finite);
}
