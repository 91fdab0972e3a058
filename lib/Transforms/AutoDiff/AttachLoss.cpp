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
  llvm::Expected<LossSpec> parsed = LossSpec::parse(loss);
  if (!parsed)
    return module.emitError(llvm::toString(parsed.takeError()));
  LossSpec spec = *parsed;
  auto forward = module.lookupSymbol<func::FuncOp>("forward");
  if (!forward)
    return module.emitError("there is no function @forward to attach a loss "
                            "to");
  if (module.lookupSymbol("loss"))
    return module.emitError("there is a function @loss already");
  if (failed(FunctionDraft::checkForm(forward)))
    return failure();

  FunctionDraft draft(forward, "loss");
  if (failed(resolveLoss(spec, draft)))
    return failure();
  FailureOr<LossValues> values = LossBuilder(spec, draft).build();
  if (failed(values))
    return failure();
  draft.addResult(values->loss, "loss", roles::kLoss);
  for (const DraftResult &output : draft.sourceResults(roles::kOutput))
    draft.addResult(output);
  func::FuncOp function = draft.finish();
  function->setAttr(kLossAttr, StringAttr::get(&getContext(), spec.text()));
  return success();
}
