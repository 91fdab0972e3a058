//===- LossResolve.cpp - Fits a LossSpec to a model -----------------------===//

#include "LossBuilder.h"

using namespace mlir;
using namespace amp;

/// An output that a loss of this kind can take.
static bool isPossible(const LossSpec &spec, Value output) {
  auto type = tensorType(output);
  if (!isa<FloatType>(type.getElementType()))
    return false;
  if (spec.kind == LossKind::GraphOutput)
    return type.getNumElements() == 1;
  return spec.kind != LossKind::SoftmaxCrossEntropy || type.getRank() > 0;
}

static std::string namesOf(ArrayRef<DraftResult> results) {
  std::string text;
  for (const DraftResult &result : results)
    text += (text.empty() ? "" : ", ") + result.name().str();
  return text.empty() ? "none" : text;
}

/// The output that the specification names, or the only one possible.
static FailureOr<DraftResult> chooseOutput(const LossSpec &spec,
                                           FunctionDraft &draft) {
  func::FuncOp function = draft.getFunction();
  SmallVector<DraftResult> outputs = draft.sourceResults(roles::kOutput);
  if (spec.output) {
    auto *found = llvm::find_if(outputs, [&](const DraftResult &result) {
      return result.name() == *spec.output;
    });
    if (found != outputs.end())
      return *found;
    return function.emitError("the loss names output '")
           << *spec.output
           << "', but the model's outputs are: " << namesOf(outputs);
  }
  SmallVector<DraftResult> possible;
  for (const DraftResult &result : outputs)
    if (isPossible(spec, result.value))
      possible.push_back(result);
  if (possible.size() == 1)
    return possible.front();
  if (possible.empty())
    return function.emitError("the loss ")
           << lossKindName(spec.kind) << " needs an output that is "
           << (spec.kind == LossKind::GraphOutput
                   ? "a float scalar (or output=NAME and reduction=mean|sum)"
                   : "a float tensor")
           << "; the outputs of the model are: " << namesOf(outputs);
  return function.emitError("the loss ")
         << lossKindName(spec.kind)
         << " needs output=NAME; possible outputs of the model are: "
         << namesOf(possible);
}

static LogicalResult resolveClassAxis(LossSpec &spec, RankedTensorType type,
                                      func::FuncOp function) {
  int64_t rank = type.getRank();
  // PyTorch's rule: the last of [N, C], the second of [N, C, d...].
  int64_t axis = spec.classAxis.value_or(rank > 2 ? 1 : -1);
  if (axis < -rank || axis >= rank)
    return function.emitError("class_axis is ")
           << axis << ", but the output of the loss has the type " << type;
  spec.classAxis = axis < 0 ? axis + rank : axis;
  if (type.getDimSize(*spec.classAxis) < 1)
    return function.emitError("the loss has no classes: its output has the "
                              "type ")
           << type;
  return success();
}

LogicalResult amp::resolveLoss(LossSpec &spec, FunctionDraft &draft) {
  FailureOr<DraftResult> chosen = chooseOutput(spec, draft);
  if (failed(chosen))
    return failure();
  spec.output = chosen->name().str();
  RankedTensorType type = tensorType(chosen->value);
  func::FuncOp function = draft.getFunction();
  if (!isa<FloatType>(type.getElementType()))
    return function.emitError("output '")
           << *spec.output << "' of the loss has the type " << type
           << ", expected floats";
  switch (spec.kind) {
  case LossKind::SoftmaxCrossEntropy:
    if (type.getRank() == 0)
      return function.emitError("output '")
             << *spec.output << "' of the loss is a scalar, expected a "
             << "dimension of classes";
    return resolveClassAxis(spec, type, function);
  case LossKind::GraphOutput:
    if (type.getNumElements() != 1 && !spec.sum)
      return function.emitError("output '")
             << *spec.output << "' of type " << type
             << " is not a scalar; name one that is, or give reduction=mean "
             << "or reduction=sum";
    return success();
  default:
    return success();
  }
}
