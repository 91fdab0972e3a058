//===- BuildEntries.cpp - The entry points of a program -------------------===//

#include "EntryWriter.h"
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
  llvm::Expected<OptimizerSpec> spec = OptimizerSpec::parse(optimizer);
  if (!spec)
    return module.emitError(llvm::toString(spec.takeError()));
  SmallVector<std::string> wanted(entries.begin(), entries.end());
  if (wanted.empty())
    wanted = {"train_step", "eval", "predict", "gradients"};
  if (accumulate)
    for (const char *entry : {"accumulate", "apply"})
      if (!llvm::is_contained(wanted, entry))
        wanted.push_back(entry);

  EntryWriter writer(module, *spec, clip);
  if (failed(writer.write(wanted)))
    return failure();
  for (StringRef source : {"forward", "loss", "backward"})
    if (auto function = module.lookupSymbol<func::FuncOp>(source))
      function.erase();
  // The driver hands the effective text on to the trainer.
  module->setAttr("amp.optimizer",
                  StringAttr::get(&getContext(), spec->text()));
  return success();
}
