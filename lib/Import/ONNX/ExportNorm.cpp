//===- ExportNorm.cpp - Norms and losses as ONNX nodes --------------------===//
//
// Batch norms in inference form, row norms, softmax and cross-entropy.
//
//===----------------------------------------------------------------------===//

#include "ExportWriter.h"

using namespace amp;
using namespace amp::onnxexport;
using mlir::failure;
using mlir::FailureOr;
using mlir::Operation;

static FailureOr<bool> writeBatchNorm(
    ExportWriter &w, BatchNormOp op,
    llvm::function_ref<FailureOr<std::string>(llvm::StringRef)> variable) {
  // Statistics of the batch have no place in inference.
  if (!op.getRunningMean() || !op.getRunningVariance())
    return failure();
  FailureOr<std::string> mean = variable(*op.getRunningMean());
  FailureOr<std::string> variance = variable(*op.getRunningVariance());
  if (failed(mean) || failed(variance))
    return failure();
  setFloat(w.node(op, "BatchNormalization",
                  {w.nameOf(op.getX()), w.nameOf(op.getScale()),
                   w.nameOf(op.getBias()), *mean, *variance},
                  {w.define(op.getResult())}),
           "epsilon", op.getEpsilon().convertToDouble());
  return true;
}

static void writeLayerNorm(ExportWriter &w, LayerNormOp op) {
  llvm::SmallVector<std::string> inputs;
  for (mlir::Value operand : op->getOperands())
    inputs.push_back(w.nameOf(operand));
  llvm::SmallVector<std::string> outputs = {w.define(op.getResult())};
  bool wantsRstd = !op.getRstd().use_empty();
  if (wantsRstd || !op.getMean().use_empty())
    outputs.push_back(w.define(op.getMean()));
  if (wantsRstd)
    outputs.push_back(w.define(op.getRstd()));
  onnx::NodeProto &node = w.node(op, "LayerNormalization", inputs, outputs);
  setInt(node, "axis", op.getAxis());
  setFloat(node, "epsilon", op.getEpsilon().convertToDouble());
}

static FailureOr<bool> writeLoss(ExportWriter &w, SoftmaxCrossEntropyOp op) {
  if (!op.getLabelSmoothing().isZero() || !op.getLse().use_empty() ||
      !op.getCount().use_empty())
    return failure();
  // ONNX has the classes in dimension 1.
  int64_t rank = tensorType(op.getLogits()).getRank();
  std::string logits = w.nameOf(op.getLogits());
  if (rank > 2) {
    llvm::SmallVector<int64_t> perm = {0, rank - 1};
    for (int64_t i = 1; i < rank - 1; ++i)
      perm.push_back(i);
    std::string moved = w.fresh(logits + "/classes");
    setInts(w.node(op, "Transpose", {logits}, {moved}), "perm", perm);
    logits = moved;
  }
  onnx::NodeProto &node =
      w.node(op, "SoftmaxCrossEntropyLoss", {logits, w.nameOf(op.getTarget())},
             {w.define(op.getLoss())});
  setString(node, "reduction",
            op.getReduction() == LossReduction::Sum ? "sum" : "mean");
  setInt(node, "ignore_index", op.getIgnoreIndex());
  return true;
}

FailureOr<bool> amp::onnxexport::writeNorm(
    ExportWriter &w, Operation *op,
    llvm::function_ref<FailureOr<std::string>(llvm::StringRef)> variable) {
  if (auto norm = llvm::dyn_cast<BatchNormOp>(op))
    return writeBatchNorm(w, norm, variable);
  if (auto loss = llvm::dyn_cast<SoftmaxCrossEntropyOp>(op))
    return writeLoss(w, loss);
  if (auto norm = llvm::dyn_cast<LayerNormOp>(op))
    writeLayerNorm(w, norm);
  else if (auto softmax = llvm::dyn_cast<SoftmaxOp>(op))
    setInt(w.direct(op, "Softmax"), "axis", softmax.getAxis());
  else if (auto softmax = llvm::dyn_cast<LogSoftmaxOp>(op))
    setInt(w.direct(op, "LogSoftmax"), "axis", softmax.getAxis());
  else if (auto norm = llvm::dyn_cast<BatchNormInferenceOp>(op))
    setFloat(w.direct(op, "BatchNormalization"), "epsilon",
             norm.getEpsilon().convertToDouble());
  else
    return false;
  return true;
}
