//===- DifferentiatePass.cpp - @loss becomes @backward --------------------===//

#include "FunctionDraft.h"
#include "amp/Transforms/AutoDiff/Differentiate.h"
#include "amp/Transforms/AutoDiff/Passes.h"
#include "amp/Transforms/AutoDiff/Phase.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_DIFFERENTIATEPASS
#include "amp/Transforms/AutoDiff/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

class DifferentiatePass
    : public amp::impl::DifferentiatePassBase<DifferentiatePass> {
public:
  void runOnOperation() override {
    if (failed(makeBackward()))
      signalPassFailure();
  }

private:
  LogicalResult makeBackward();
  LogicalResult appendGradients(FunctionDraft &draft,
                                ArrayRef<VariableOp> trained);
};

} // namespace

/// The name a user knows a parameter by.
static StringRef userName(VariableOp variable) {
  return variable.getSource().value_or(variable.getSymName());
}

LogicalResult DifferentiatePass::appendGradients(FunctionDraft &draft,
                                                 ArrayRef<VariableOp> trained) {
  SmallVector<Value> sources;
  for (VariableOp variable : trained)
    sources.push_back(draft.read(variable));
  markPhase(draft.getBlock(), Phase::Forward);

  SmallVector<DraftResult> losses = draft.sourceResults(roles::kLoss);
  if (losses.size() != 1)
    return draft.getFunction().emitError("expected one result with the role "
                                         "loss, got ")
           << losses.size();
  Value loss = losses.front().value;
  auto scalar = RankedTensorType::get({}, Float32Type::get(&getContext()));
  if (loss.getType() != scalar)
    return draft.getFunction().emitError("expected a loss of type ")
           << scalar << ", got " << loss.getType();

  PhaseMarker marker(Phase::Backward);
  OpBuilder builder(&getContext(), &marker);
  builder.setInsertionPointToEnd(&draft.getBlock());
  Value seed = SeedGradientOp::create(
      builder, phaseLocation(loss.getLoc(), Phase::Backward), scalar, Value(),
      StringAttr());
  FailureOr<SmallVector<Value>> gradients =
      differentiate(draft.getBlock(), builder, {{loss, seed}}, sources);
  if (failed(gradients))
    return failure();

  draft.keepSourceResults();
  bool complete = true;
  for (auto [index, gradient] : llvm::enumerate(*gradients)) {
    VariableOp variable = trained[index];
    if (gradient) {
      draft.addResult(gradient, variable.getSymName(), roles::kGradient);
      continue;
    }
    complete = false;
    variable.emitError("parameter '")
        << userName(variable)
        << "' is trained but gets no gradient: no path from the loss leads to "
        << "it; freeze it with --freeze '" << userName(variable) << "'";
  }
  return success(complete);
}

LogicalResult DifferentiatePass::makeBackward() {
  ModuleOp module = getOperation();
  auto loss = module.lookupSymbol<func::FuncOp>("loss");
  if (!loss)
    return module.emitError("there is no function @loss to differentiate; "
                            "amp-attach-loss makes one");
  if (module.lookupSymbol("backward"))
    return module.emitError("there is a function @backward already");
  if (failed(FunctionDraft::checkForm(loss)))
    return failure();
  SmallVector<VariableOp> trained;
  for (auto variable : module.getOps<VariableOp>())
    if (variable.getTrained())
      trained.push_back(variable);
  if (trained.empty())
    return module.emitError("there is nothing to train: no parameter of the "
                            "model is trained");

  FunctionDraft draft(loss, "backward");
  if (failed(appendGradients(draft, trained)))
    return failure();
  draft.finish();
  return success();
}
