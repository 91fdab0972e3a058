//===- Loss.cpp - Import of losses inside the graph -----------------------===//
//
// SoftmaxCrossEntropyLoss, and NegativeLogLikelihoodLoss of a log-softmax.
//
//===----------------------------------------------------------------------===//

#include "NodeBinder.h"

using namespace amp;
using namespace amp::onnximport;
using mlir::Value;

namespace {

/// Attributes of both losses.
struct LossForm {
  LossReduction reduction = LossReduction::Mean;
  int64_t ignoreIndex = -100;
};

} // namespace

static FailureOr<LossForm> readForm(NodeBinder &b) {
  LossForm form;
  FailureOr<std::string> reduction = b.stringAttr("reduction", "mean");
  FailureOr<int64_t> ignore = b.intAttr("ignore_index", -100);
  if (failed(reduction) || failed(ignore))
    return failure();
  if (b.has(2))
    return b.unsupported("class weights");
  if (*reduction == "none")
    return b.unsupported("reduction 'none'");
  if (*reduction != "mean" && *reduction != "sum")
    return b.invalid("attribute 'reduction' is " + shown(*reduction) +
                     ", expected mean, sum or none");
  form.ignoreIndex = *ignore;
  if (*reduction == "sum")
    form.reduction = LossReduction::Sum;
  return form;
}

/// [N, C, d...] with the classes in the last dimension.
static Value classesLast(NodeBinder &b, Value scores) {
  llvm::SmallVector<int64_t> perm = {0};
  for (int64_t i = 2; i < rankOf(scores); ++i)
    perm.push_back(i);
  perm.push_back(1);
  return b.transpose(scores, perm);
}

static LogicalResult emitLoss(NodeBinder &b, Value logits, Value target,
                              const LossForm &form) {
  if (!logits)
    return failure();
  mlir::Type f32 = b.builder.getF32Type();
  auto scalar = mlir::RankedTensorType::get({}, f32);
  auto rows = mlir::RankedTensorType::get(shapeOf(logits).drop_back(), f32);
  auto op = b.emitOp<SoftmaxCrossEntropyOp>(
      scalar, rows, scalar, logits, target,
      b.builder.getI64IntegerAttr(form.ignoreIndex),
      b.builder.getF64FloatAttr(0),
      LossReductionAttr::get(b.builder.getContext(), form.reduction),
      mlir::TypeAttr::get(f32));
  return op ? b.result(op.getLoss()) : failure();
}

static LogicalResult importCrossEntropy(NodeBinder &b) {
  Value scores = b.floatIn(0), target = scores ? b.in(1) : Value();
  if (!target)
    return failure();
  FailureOr<LossForm> form = readForm(b);
  if (failed(form))
    return failure();
  if (rankOf(scores) < 2)
    return b.invalid("scores have to have at least 2 dimensions");
  Value logits = classesLast(b, scores);
  if (failed(emitLoss(b, logits, target, *form)))
    return failure();
  if (!b.isUsed(1))
    return success();
  Value log = b.emit<LogSoftmaxOp>(logits.getType(), logits, rankOf(logits) - 1,
                                   b.accumulator(elementOf(logits)).getValue());
  if (!log)
    return failure();
  llvm::SmallVector<int64_t> perm = {0, rankOf(log) - 1};
  for (int64_t i = 1; i < rankOf(log) - 1; ++i)
    perm.push_back(i);
  return b.result(b.transpose(log, perm), 1);
}

/// The value behind a log-softmax over classes (dimension 1), or null.
static Value logitsBehind(NodeBinder &b, Value logProbabilities) {
  // With more than two dimensions a transposition stands on either side.
  Value value = logProbabilities;
  auto back = value.getDefiningOp<TransposeOp>();
  if (back)
    value = back.getX();
  auto log = value.getDefiningOp<LogSoftmaxOp>();
  if (!log)
    return {};
  if (!back)
    return rankOf(value) == 2 ? Value(log.getX()) : Value();
  llvm::ArrayRef<int64_t> perm = back.getPerm();
  // Class axis 1 of the result has to be the normalised one.
  if (perm.size() < 2 || perm[1] != rankOf(value) - 1)
    return {};
  llvm::SmallVector<int64_t> order(perm);
  Value logits = b.transpose(log.getX(), order);
  return logits ? classesLast(b, logits) : Value();
}

static LogicalResult importNegativeLogLikelihood(NodeBinder &b) {
  Value input = b.floatIn(0), target = input ? b.in(1) : Value();
  if (!target)
    return failure();
  FailureOr<LossForm> form = readForm(b);
  if (failed(form))
    return failure();
  if (rankOf(input) < 2)
    return b.invalid("the operand has to have at least 2 dimensions");
  Value logits = logitsBehind(b, input);
  if (!logits)
    return b.status() == NodeBinder::Status::Ok
               ? b.unsupported("an operand that is no LogSoftmax over classes")
               : failure();
  return emitLoss(b, logits, target, *form);
}

void amp::onnximport::addLossOps(OpTable &table) {
  table.add("SoftmaxCrossEntropyLoss", importCrossEntropy, 12);
  table.add("NegativeLogLikelihoodLoss", importNegativeLogLikelihood, 12);
}
