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

/// The losses that an optimizer minimises.
static SmallVector<DraftResult> lossesOf(FunctionDraft &draft,
                                         const OptimizerSpec &spec) {
  SmallVector<DraftResult> found;
  for (const DraftResult &loss : draft.sourceResults(roles::kNamedLoss))
    if (spec.losses.empty() ||
        llvm::is_contained(spec.losses, loss.name().split('/').second))
      found.push_back(loss);
  return found.empty() ? draft.sourceResults(roles::kLoss) : found;
}

LogicalResult EntryWriter::writeTurns() {
  func::FuncOp backward = source("backward", "train_step");
  if (!backward)
    return failure();
  auto skippedTurns = state.ensureCounter("amp.skipped_turns");
  if (failed(skippedTurns))
    return failure();
  SmallVector<Attribute> names;
  DenseSet<StringAttr> updated;
  // By buffer and number of its update: some turn has made it already.
  DenseSet<std::pair<StringAttr, unsigned>> made;
  for (auto [number, group] : llvm::enumerate(groups)) {
    std::string name = ("train_step." + group.name()).str();
    if (module.lookupSymbol(name))
      return module.emitError("there is a symbol @") << name << " already";
    FunctionDraft draft(backward, name);
    PhaseMarker marker(Phase::Update);
    OpBuilder &builder = draft.getBuilder();
    builder.setListener(&marker);

    SmallVector<Value> gradients, needed;
    for (auto [term, gradient] :
         llvm::zip_equal(terms, draft.sourceResults(roles::kGradient))) {
      gradients.push_back(gradient.value);
      if (llvm::is_contained(group.parameters, term.parameter))
        needed.push_back(gradient.value);
    }
    for (const DraftResult &loss : lossesOf(draft, *group.spec)) {
      needed.push_back(loss.value);
      draft.addResult(loss);
    }
    OpSet evaluated = slice(needed);
    OpSet fresh = dependents(draft.getBlock(), updated);
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
        bool isNew = llvm::any_of(
            from, [&](Operation *op) { return fresh.contains(op); });
        if (runs && (isNew || !made.contains({symbol, i}))) {
          made.insert({symbol, i});
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
    }
    Value finite = appendUpdate(draft, builder, &group, gradients);
    for (VariableOp buffer : buffers)
      if (draft.getWrites().contains(buffer.getSymNameAttr()))
        guardBuffer(draft, buffer, finite);
    bool last = number + 1 == groups.size();
    appendTurn(draft, builder, *skippedTurns, finite, number == 0, last);
    for (VariableOp parameter : group.parameters)
      updated.insert(parameter.getSymNameAttr());
    draft.finish();
    names.push_back(builder.getStringAttr(name));
  }
  module->setAttr(kTurnsAttr, ArrayAttr::get(module.getContext(), names));
  return success();
}

/// Keeps the flag for the end of the iteration, or ends it.
void EntryWriter::appendTurn(FunctionDraft &draft, OpBuilder &builder,
                             VariableOp skippedTurns, Value finite, bool first,
                             bool last) {
  Location loc = updateLoc("turn");
  Value zero = integerConstant(builder, loc, 0);
  Value before = first ? zero : draft.read(skippedTurns);
  Value &after = draft.getWrites()[skippedTurns.getSymNameAttr()];
  if (!last) {
    Value more =
        AddOp::create(builder, loc, before, integerConstant(builder, loc, 1));
    after =
        SelectOp::create(builder, loc, before.getType(), finite, before, more);
    return;
  }
  after = zero;
  if (!first) {
    Value clean = CompareOp::create(builder, loc, finite.getType(), before,
                                    zero, ComparePredicate::EQ);
    finite = AndOp::create(builder, loc, finite.getType(), finite, clean);
  }
  appendCounters(draft, builder, finite);
}
