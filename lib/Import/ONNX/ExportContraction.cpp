//===- ExportContraction.cpp - Products and convolutions as ONNX nodes ----===//
//
// Matrix products, attention, convolutions and pooling.
//
//===----------------------------------------------------------------------===//

#include "ExportWriter.h"

using namespace amp;
using namespace amp::onnxexport;
using mlir::failure;
using mlir::FailureOr;
using mlir::Operation;

/// Exchanges the last two dimensions.
static std::string flip(ExportWriter &w, Operation *op, mlir::Value value) {
  llvm::SmallVector<int64_t> perm;
  for (int64_t i = 0; i < tensorType(value).getRank(); ++i)
    perm.push_back(i);
  std::swap(perm.back(), perm[perm.size() - 2]);
  std::string name = w.fresh(w.nameOf(value) + "/flipped");
  setInts(w.node(op, "Transpose", {w.nameOf(value)}, {name}), "perm", perm);
  return name;
}

static FailureOr<bool> writeMatmul(ExportWriter &w, MatmulOp op) {
  if (op.getLhsScale() || op.getLhsAmax())
    return failure();
  std::string result = w.define(op.getResult());
  if (tensorType(op.getLhs()).getRank() == 2) {
    llvm::SmallVector<std::string> inputs = {w.nameOf(op.getLhs()),
                                             w.nameOf(op.getRhs())};
    if (op.getBias())
      inputs.push_back(w.nameOf(op.getBias()));
    onnx::NodeProto &node = w.node(op, "Gemm", inputs, {result});
    setInt(node, "transA", op.getTransposeLhs());
    setInt(node, "transB", op.getTransposeRhs());
    return true;
  }
  std::string lhs =
      op.getTransposeLhs() ? flip(w, op, op.getLhs()) : w.nameOf(op.getLhs());
  std::string rhs =
      op.getTransposeRhs() ? flip(w, op, op.getRhs()) : w.nameOf(op.getRhs());
  if (!op.getBias()) {
    w.node(op, "MatMul", {lhs, rhs}, {result});
    return true;
  }
  std::string product = w.inner(op, "MatMul", {lhs, rhs});
  w.node(op, "Add", {product, w.nameOf(op.getBias())}, {result});
  return true;
}

/// The operator of this name came with opset 23, after the one written here.
static void writeAttention(ExportWriter &w, AttentionOp op) {
  mlir::Type element = op.getProbs().getType().getElementType();
  std::string scores = w.inner(
      op, "MatMul", {w.nameOf(op.getQuery()), flip(w, op, op.getKey())});
  scores = w.inner(
      op, "Mul", {scores, w.scalar(op.getScale().convertToDouble(), element)});
  if (op.getMask())
    scores = w.inner(op, "Add", {scores, w.nameOf(op.getMask())});
  std::string probs = w.define(op.getProbs());
  setInt(w.node(op, "Softmax", {scores}, {probs}), "axis", -1);
  w.node(op, "MatMul", {probs, w.nameOf(op.getValue())},
         {w.define(op.getResult())});
}

template <typename OpTy>
static void setWindows(onnx::NodeProto &node, OpTy op) {
  setInts(node, "strides", op.getStrides());
  setInts(node, "dilations", op.getDilations());
}

static void writeConv(ExportWriter &w, ConvOp op) {
  onnx::NodeProto &node = w.direct(op, "Conv");
  setWindows(node, op);
  setInts(node, "pads", op.getPads());
  setInt(node, "group", op.getGroup());
}

static void writeConvTranspose(ExportWriter &w, ConvInputGradOp op) {
  onnx::NodeProto &node = w.direct(op, "ConvTranspose");
  setWindows(node, op);
  setInts(node, "pads", op.getPads());
  setInt(node, "group", op.getGroup());
  // What the strided windows do not reach at the end.
  llvm::SmallVector<int64_t> extra;
  size_t rank = op.getStrides().size();
  for (size_t i = 0; i < rank; ++i) {
    int64_t in = tensorType(op.getDy()).getDimSize(i + 2);
    int64_t kernel = tensorType(op.getW()).getDimSize(i + 2);
    int64_t reach = (kernel - 1) * op.getDilations()[i] + 1;
    int64_t size = (in - 1) * op.getStrides()[i] + reach - op.getPads()[i] -
                   op.getPads()[rank + i];
    extra.push_back(op.getType().getDimSize(i + 2) - size);
  }
  setInts(node, "output_padding", extra);
}

static void writeMaxPool(ExportWriter &w, MaxPoolOp op) {
  onnx::NodeProto &node =
      w.node(op, "MaxPool", {w.nameOf(op.getX())}, {w.define(op.getResult())});
  setWindows(node, op);
  setInts(node, "kernel_shape", op.getKernel());
  setInts(node, "pads", op.getPads());
}

static void writeAveragePool(ExportWriter &w, AvgPoolOp op) {
  onnx::NodeProto &node = w.direct(op, "AveragePool");
  setWindows(node, op);
  setInts(node, "kernel_shape", op.getKernel());
  setInts(node, "pads", op.getPads());
  setInt(node, "count_include_pad", op.getCountIncludePad());
}

FailureOr<bool> amp::onnxexport::writeContraction(ExportWriter &w,
                                                  Operation *op) {
  if (auto matmul = llvm::dyn_cast<MatmulOp>(op))
    return writeMatmul(w, matmul);
  if (auto attention = llvm::dyn_cast<AttentionOp>(op)) {
    writeAttention(w, attention);
    return true;
  }
  if (auto pool = llvm::dyn_cast<MaxPoolOp>(op)) {
    if (!pool.getIndex().use_empty())
      return failure();
    writeMaxPool(w, pool);
    return true;
  }
  if (auto conv = llvm::dyn_cast<ConvOp>(op))
    writeConv(w, conv);
  else if (auto transposed = llvm::dyn_cast<ConvInputGradOp>(op))
    writeConvTranspose(w, transposed);
  else if (auto average = llvm::dyn_cast<AvgPoolOp>(op))
    writeAveragePool(w, average);
  else
    return false;
  return true;
}
