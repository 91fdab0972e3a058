//===- MarkRegions.cpp - Which ops share a kernel, before types are chosen ===//

#include "RegionMarks.h"
#include "amp/Analysis/ValueKeys.h"
#include "amp/Pipelines/Passes.h"
#include "amp/Pipelines/Stages.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_MARKREGIONSPASS
#include "amp/Pipelines/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

struct MarkRegions : amp::impl::MarkRegionsPassBase<MarkRegions> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> open;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function->hasAttr("amp.precision_applied") &&
          !function.isDeclaration())
        open.push_back(function);
    if (open.empty())
      return;
    numberOps(module);

    // A module inside of the module: nested pipelines run on nothing else.
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    auto copy = ModuleOp::create(builder, module.getLoc());
    copy->setAttr(kKeysAttr, module->getAttr(kKeysAttr));
    // Not that rounding is strict or nothing is fused: the types of a program
    // do not depend on either.
    builder.setInsertionPointToStart(copy.getBody());
    for (auto variable : module.getOps<VariableOp>())
      builder.clone(*variable);
    SmallVector<func::FuncOp> copies;
    for (func::FuncOp function : open)
      copies.push_back(cast<func::FuncOp>(builder.clone(*function)));

    OpPassManager pipeline(ModuleOp::getOperationName());
    buildRegionPipeline(pipeline.nest<func::FuncOp>());
    bool failedToRun = failed(runPipeline(pipeline, copy));
    if (!failedToRun)
      for (auto [function, formed] : llvm::zip(open, copies))
        RegionMarks(function, formed).write();
    copy.erase();
    if (failedToRun)
      signalPassFailure();
  }
};

} // namespace
