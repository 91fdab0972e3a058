//===- VerifyGradients.cpp - What the training stage leaves behind --------===//

#include "StepGuard.h"
#include "amp/Dialect/Amp/IR/TrainingAttrs.h"
#include "amp/Transforms/AutoDiff/Passes.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_VERIFYGRADIENTSPASS
#include "amp/Transforms/AutoDiff/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

class VerifyGradientsPass
    : public amp::impl::VerifyGradientsPassBase<VerifyGradientsPass> {
public:
  void runOnOperation() override {
    if (failed(verify()))
      signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  LogicalResult verify();
  LogicalResult verifySteps(ArrayRef<func::FuncOp> entries);
  LogicalResult verifyWrites(func::FuncOp entry, SymbolTable &symbols);
};

} // namespace

/// The trained parameters are updated once each, by one of the entry points.
LogicalResult VerifyGradientsPass::verifySteps(ArrayRef<func::FuncOp> entries) {
  llvm::StringMap<SmallVector<OptimizerStepOp, 1>> steps;
  DenseSet<std::pair<StringAttr, Value>> written;
  for (func::FuncOp entry : entries) {
    for (auto step : entry.getOps<OptimizerStepOp>()) {
      auto read = step.getParam().getDefiningOp<ReadOp>();
      if (!read)
        return step.emitOpError("in @")
               << entry.getSymName() << " updates a value that is not read "
               << "from a variable";
      if (!cast<RankedTensorType>(step.getGrad().getType())
               .getElementType()
               .isF32())
        return step.emitOpError("of '@")
               << read.getVariable() << "' in @" << entry.getSymName()
               << " takes a gradient of type " << step.getGrad().getType()
               << ", expected float32";
      steps[read.getVariable()].push_back(step);
    }
    for (auto write : entry.getOps<WriteOp>())
      written.insert({write.getVariableAttr().getAttr(), write.getValue()});
  }
  std::string names;
  for (func::FuncOp entry : entries)
    names += (names.empty() ? "@" : ", @") + entry.getSymName().str();
  for (auto variable : getOperation().getOps<VariableOp>()) {
    if (!variable.getTrained())
      continue;
    auto &found = steps[variable.getSymName()];
    if (found.size() != 1)
      return variable.emitOpError("'@")
             << variable.getSymName() << "' is trained and has " << found.size()
             << " optimizer steps in " << names << ", expected one";
    OptimizerStepOp step = found.front();
    if (!written.contains({variable.getSymNameAttr(), step.getNewParam()}))
      return step.emitOpError("of '@")
             << variable.getSymName() << "' in @"
             << step->getParentOfType<func::FuncOp>().getSymName()
             << " has a result that is not written back";
  }
  return success();
}

static bool isGuarded(WriteOp write, VariableOp variable) {
  Operation *op = write.getValue().getDefiningOp();
  if (isa_and_nonnull<OptimizerStepOp, AdvanceCountersOp, ScalerUpdateOp>(op))
    return true;
  if (stepGuard(write) || variable->hasAttr(kUpdateOnSkipAttr))
    return true;
  // A window's own state is dropped or taken over at its end.
  return variable.getKind() == VariableKind::Accumulator ||
         variable.getKind() == VariableKind::Counter;
}

LogicalResult VerifyGradientsPass::verifyWrites(func::FuncOp entry,
                                                SymbolTable &symbols) {
  for (auto write : entry.getOps<WriteOp>()) {
    auto variable = symbols.lookup<VariableOp>(write.getVariable());
    if (!variable)
      return write.emitOpError("of '@")
             << write.getVariable() << "' names no variable";
    if (!isGuarded(write, variable))
      return write.emitOpError("of '@")
             << write.getVariable() << "' in @" << entry.getSymName()
             << " is not guarded by the flag of amp.check_gradients: a "
             << "skipped step would change it";
  }
  return success();
}

LogicalResult VerifyGradientsPass::verify() {
  SmallVector<func::FuncOp> writers;
  for (StringRef list : {kTurnsAttr, kWindowTurnsAttr}) {
    SmallVector<func::FuncOp> turns;
    if (auto names = getOperation()->getAttrOfType<ArrayAttr>(list))
      for (auto name : names.getAsRange<StringAttr>()) {
        turns.push_back(getOperation().lookupSymbol<func::FuncOp>(name));
        if (!turns.back())
          return getOperation().emitError("there is no function @")
                 << name.getValue() << ", which " << list << " lists";
      }
    if (!turns.empty() && failed(verifySteps(turns)))
      return failure();
    llvm::append_range(writers, turns);
  }
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (function.getSymName().starts_with("accumulate."))
      writers.push_back(function);
  for (StringRef name : {"train_step", "apply"})
    if (auto entry = getOperation().lookupSymbol<func::FuncOp>(name))
      if (failed(verifySteps(entry)))
        return failure();
  // One table: a search of the module for each write would be quadratic.
  SymbolTable symbols(getOperation());
  for (StringRef name : {"train_step", "accumulate", "apply"})
    if (auto entry = getOperation().lookupSymbol<func::FuncOp>(name))
      writers.push_back(entry);
  for (func::FuncOp entry : writers)
    if (failed(verifyWrites(entry, symbols)))
      return failure();
  for (StringRef name : {"eval", "predict", "gradients"})
    if (auto entry = getOperation().lookupSymbol<func::FuncOp>(name))
      for (auto write : entry.getOps<WriteOp>())
        return write.emitOpError("of '@")
               << write.getVariable() << "' in @" << name
               << ": this entry point must not change variables";
  return success();
}
