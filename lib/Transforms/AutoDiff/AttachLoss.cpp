//===- AttachLoss.cpp - @forward becomes @loss ----------------------------===//

#include "LossBuilder.h"
#include "amp/Transforms/AutoDiff/Passes.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_ATTACHLOSSPASS
#include "amp/Transforms/AutoDiff/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

class AttachLossPass : public amp::impl::AttachLossPassBase<AttachLossPass> {
public:
  using AttachLossPassBase::AttachLossPassBase;

  void runOnOperation() override {
    if (failed(attach()))
      signalPassFailure();
  }

private:
  LogicalResult attach();
};

} // namespace

LogicalResult AttachLossPass::attach() {
  ModuleOp module = getOperation();
  llvm::Expected<SmallVector<LossSpec, 1>> terms = LossSpec::parseAll(loss);
  if (!terms)
    return module.emitError(llvm::toString(terms.takeError()));
  auto forward = module.lookupSymbol<func::FuncOp>("forward");
  if (!forward)
    return module.emitError("there is no function @forward to attach a loss "
                            "to");
  if (module.lookupSymbol("loss"))
    return module.emitError("there is a function @loss already");
  if (failed(FunctionDraft::checkForm(forward)))
    return failure();

  FunctionDraft draft(forward, "loss");
  FailureOr<LossSums> losses = buildLosses(*terms, draft);
  if (failed(losses))
    return failure();
  addLossResults(*losses, draft);
  for (const DraftResult &output : draft.sourceResults(roles::kOutput))
    draft.addResult(output);
  func::FuncOp function = draft.finish();
  function->setAttr(kLossAttr,
                    StringAttr::get(&getContext(), LossSpec::textOf(*terms)));
  return success();
}
