//===- UpdateOnSkip.cpp - State that a skipped step may change ------------===//

#include "StepGuard.h"
#include "amp/Dialect/Amp/IR/Functions.h"
#include "amp/Dialect/Amp/IR/NamePattern.h"
#include "amp/Transforms/AutoDiff/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_UPDATEONSKIPPASS
#include "amp/Transforms/AutoDiff/Passes.h.inc"
} // namespace amp

using namespace amp;

bool amp::isStepFlag(Value condition) {
  SmallVector<Value> work = {condition};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isa<CheckGradientsOp>(op))
      return true;
    if (isa<AndOp>(op))
      llvm::append_range(work, op->getOperands());
  }
  return false;
}

SelectOp amp::stepGuard(WriteOp write) {
  auto select = write.getValue().getDefiningOp<SelectOp>();
  if (!select || !isStepFlag(select.getCondition()))
    return {};
  auto old = select.getOnFalse().getDefiningOp<ReadOp>();
  return old && old.getVariable() == write.getVariable() ? select : SelectOp();
}

namespace {

constexpr StringRef kBuffers = "buffers";

class UpdateOnSkip : public amp::impl::UpdateOnSkipPassBase<UpdateOnSkip> {
public:
  using UpdateOnSkipPassBase::UpdateOnSkipPassBase;

  void runOnOperation() override {
    if (variables.empty())
      return;
    SymbolTable symbols(getOperation());
    SmallVector<WriteOp> guarded;
    llvm::SetVector<VariableOp> candidates;
    for (auto function : functionsWithBody(getOperation()))
      for (auto write : function.getOps<WriteOp>()) {
        auto variable = symbols.lookup<VariableOp>(write.getVariable());
        if (!variable || variable.getKind() != VariableKind::Buffer ||
            !stepGuard(write))
          continue;
        guarded.push_back(write);
        candidates.insert(variable);
      }
    llvm::StringSet<llvm::MallocAllocator> listed;
    for (const std::string &pattern : variables)
      if (failed(list(pattern, candidates.getArrayRef(), listed)))
        return signalPassFailure();
    for (WriteOp write : guarded)
      if (listed.contains(write.getVariable()))
        release(write);
    for (VariableOp variable : candidates)
      if (listed.contains(variable.getSymName()))
        variable->setAttr(kUpdateOnSkipAttr, UnitAttr::get(&getContext()));
  }

private:
  LogicalResult list(StringRef pattern, ArrayRef<VariableOp> candidates,
                     llvm::StringSet<llvm::MallocAllocator> &listed) {
    bool any = false;
    SmallVector<StringRef> names;
    for (VariableOp variable : candidates) {
      // Users know the names of the model.
      StringRef name = variable.getSource().value_or(variable.getSymName());
      names.push_back(name);
      if (pattern != kBuffers && !matchesPattern(pattern, name))
        continue;
      listed.insert(variable.getSymName());
      any = true;
    }
    // Without state there is nothing that "buffers" could mean, nor harm in it.
    if (any || pattern == kBuffers)
      return success();
    InFlightDiagnostic error = getOperation().emitError("update-on-skip: ");
    error << quotedName(pattern)
          << " matches no state that steps write besides "
          << "parameters and their moments, expected '" << kBuffers << "'";
    if (!names.empty())
      error << " or a pattern of names such as " << nearNames(pattern, names);
    return error;
  }

  /// Takes the flag of the step out of the guard; what else it asks stays.
  void release(WriteOp write) {
    SelectOp guard = stepGuard(write);
    SmallVector<Value> work = {guard.getCondition()}, others;
    while (!work.empty()) {
      Value condition = work.pop_back_val();
      auto both = condition.getDefiningOp<AndOp>();
      if (both && isStepFlag(condition))
        llvm::append_range(work, both->getOperands());
      else if (!isStepFlag(condition))
        others.push_back(condition);
    }
    Value kept = guard.getOnTrue();
    if (!others.empty()) {
      OpBuilder builder(guard);
      Value condition = others.pop_back_val();
      for (Value other : others)
        condition = AndOp::create(builder, guard.getLoc(), condition, other);
      auto select =
          SelectOp::create(builder, guard.getLoc(), guard.getType(), condition,
                           guard.getOnTrue(), guard.getOnFalse());
      select->setDiscardableAttrs(guard->getDiscardableAttrDictionary());
      kept = select;
    }
    write.getValueMutable().assign(kept);
    if (guard->use_empty())
      guard.erase();
  }
};

} // namespace
