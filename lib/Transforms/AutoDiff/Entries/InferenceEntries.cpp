//===- InferenceEntries.cpp - eval, predict and gradients -----------------===//

#include "../LossBuilder.h"
#include "EntryWriter.h"

using namespace mlir;
using namespace amp;

/// The ops of a type, those inside of gradients too.
template <typename OpTy>
static SmallVector<OpTy> allOf(func::FuncOp function) {
  SmallVector<OpTy> found;
  function.walk([&](OpTy op) { found.push_back(op); });
  return found;
}

/// Batch norms with running statistics, no dropout, no writes. A batch norm
/// that has no running statistics keeps those of the batch.
LogicalResult EntryWriter::toInferenceForm(FunctionDraft &draft) {
  draft.getWrites().clear();
  for (auto dropout : allOf<DropoutOp>(draft.getFunction())) {
    dropout.getResult().replaceAllUsesWith(dropout.getX());
    draft.replaceResult(dropout.getResult(), dropout.getX());
    dropout.erase();
  }
  for (auto norm : allOf<BatchNormOp>(draft.getFunction())) {
    auto mean = norm.getRunningMean(), variance = norm.getRunningVariance();
    if (!mean || !variance)
      continue;
    VariableOp meanVariable = state.lookup(*mean);
    VariableOp varianceVariable = state.lookup(*variance);
    if (!meanVariable || !varianceVariable)
      return norm.emitOpError("names running statistics '")
             << *mean << "' and '" << *variance
             << "', which are not both variables";
    Value running[] = {draft.read(meanVariable), draft.read(varianceVariable)};
    OpBuilder builder(norm);
    Value result = BatchNormInferenceOp::create(
        builder, norm.getLoc(), norm.getResult().getType(), norm.getX(),
        norm.getScale(), norm.getBias(), running[0], running[1],
        norm.getEpsilon());
    Value replacements[] = {result, running[0], running[1]};
    for (auto [old, value] : llvm::zip_equal(norm.getResults(), replacements)) {
      draft.replaceResult(old, value);
      old.replaceAllUsesWith(value);
    }
    norm.erase();
  }
  return success();
}

LogicalResult EntryWriter::writePredict() {
  func::FuncOp forward = source("forward", "predict");
  if (!forward)
    return failure();
  FunctionDraft draft(forward, "predict");
  if (failed(toInferenceForm(draft)))
    return failure();
  draft.keepSourceResults();
  markPhase(draft.getBlock(), Phase::Forward);
  draft.finish();
  return success();
}

LogicalResult EntryWriter::writeEval() {
  func::FuncOp loss = source("loss", "eval");
  if (!loss)
    return failure();
  auto text = loss->getAttrOfType<StringAttr>(kLossAttr);
  if (!text)
    return loss.emitError("has no attribute ")
           << kLossAttr << "; amp-attach-loss sets it";
  llvm::Expected<SmallVector<LossSpec, 1>> terms =
      LossSpec::parseAll(text.getValue());
  if (!terms)
    return loss.emitError(llvm::toString(terms.takeError()));

  FunctionDraft draft(loss, "eval");
  // The loss is made anew from the outputs, so that padded rows drop out.
  if (failed(toInferenceForm(draft)))
    return failure();
  Value valid = draft.addArgument(
      RankedTensorType::get({}, draft.getBuilder().getI64Type()), "valid_rows",
      roles::kValidRows);
  FailureOr<LossSums> losses = buildLosses(*terms, draft, valid);
  if (failed(losses))
    return failure();
  addLossResults(*losses, draft);
  draft.addResult(losses->correct, "correct", roles::kCorrect);
  draft.addResult(losses->counted, "counted", roles::kCounted);
  // A batch with many ignored targets weighs less in one term than in another.
  if (losses->terms.size() > 1)
    for (auto [i, term] : llvm::enumerate(losses->terms)) {
      std::string number = "/" + std::to_string(i);
      draft.addResult(term.loss, (roles::kTerm + number).str(), roles::kTerm);
      draft.addResult(term.counted, (roles::kTermCounted + number).str(),
                      roles::kTermCounted);
    }
  for (const DraftResult &output : draft.sourceResults(roles::kOutput))
    draft.addResult(output);
  markPhase(draft.getBlock(), Phase::Forward);
  draft.finish();
  return success();
}

LogicalResult EntryWriter::writeGradients() {
  func::FuncOp backward = source("backward", "gradients");
  if (!backward)
    return failure();
  FunctionDraft draft(backward, "gradients");
  PhaseMarker marker(Phase::Update);
  OpBuilder &builder = draft.getBuilder();
  builder.setListener(&marker);
  for (StringRef role : {roles::kLoss, roles::kNamedLoss, roles::kOutput})
    for (const DraftResult &result : draft.sourceResults(role))
      draft.addResult(result);
  Value scale = one(builder);
  SmallVector<Value> gradients;
  for (const DraftResult &gradient : draft.sourceResults(roles::kGradient))
    gradients.push_back(gradient.value);
  for (VariableOp parameter : parameters)
    draft.addResult(
        draft.gradientResult(unscaledSum(builder, parameter, gradients, scale),
                             parameter.getSymName(), ""));
  for (VariableOp buffer : buffers)
    draft.addResult(draft.getWrites()[buffer.getSymNameAttr()],
                    buffer.getSymName(), roles::kState);
  draft.getWrites().clear();
  draft.finish();
  return success();
}
