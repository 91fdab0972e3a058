//===- BuildEntries.cpp - The entry points of a program -------------------===//

#include "EntryWriter.h"
#include "amp/Dialect/Amp/IR/TrainingAttrs.h"
#include "amp/Transforms/AutoDiff/Passes.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_BUILDENTRIESPASS
#include "amp/Transforms/AutoDiff/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

class BuildEntriesPass
    : public amp::impl::BuildEntriesPassBase<BuildEntriesPass> {
public:
  using BuildEntriesPassBase::BuildEntriesPassBase;

  void runOnOperation() override {
    if (failed(build()))
      signalPassFailure();
  }

private:
  LogicalResult build();
};

} // namespace

LogicalResult BuildEntriesPass::build() {
  ModuleOp module = getOperation();
  auto optimizers = OptimizerSpec::parseAll(optimizer);
  if (!optimizers)
    return module.emitError(llvm::toString(optimizers.takeError()));
  if (alternate && optimizers->front().name.empty())
    return module.emitError("taking turns needs several optimizers with names");
  SmallVector<std::string> wanted(entries.begin(), entries.end());
  if (wanted.empty())
    wanted = {"train_step", "eval", "predict", "gradients"};
  if (accumulate)
    for (const char *entry : {"accumulate", "apply"})
      if (!llvm::is_contained(wanted, entry))
        wanted.push_back(entry);

  EntryWriter writer(module, *optimizers, {clip, skipAll, alternate});
  if (failed(writer.write(wanted)))
    return failure();
  for (StringRef source : {"forward", "loss", "backward"})
    if (auto function = module.lookupSymbol<func::FuncOp>(source))
      function.erase();
  // The driver hands the effective text on to the trainer.
  module->setAttr(
      kOptimizerAttr,
      StringAttr::get(&getContext(), OptimizerSpec::textOf(*optimizers)));
  return success();
}
