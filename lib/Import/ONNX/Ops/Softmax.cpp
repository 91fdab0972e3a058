//===- Softmax.cpp - Import of softmax and log-softmax --------------------===//
//
// The ops are made with the last dimension as axis.
//
//===----------------------------------------------------------------------===//

#include "NodeBinder.h"

using namespace amp;
using namespace amp::onnximport;
using mlir::Value;

template <typename OpTy>
static Value onLastAxis(NodeBinder &b, Value x) {
  if (!x)
    return {};
  return b.emit<OpTy>(x.getType(), x, rankOf(x) - 1,
                      b.accumulator(elementOf(x)).getValue());
}

/// Until opset 12 all dimensions from the axis on were one.
template <typename OpTy>
static LogicalResult importFlattened(NodeBinder &b) {
  Value x = b.floatIn(0);
  if (!x)
    return failure();
  FailureOr<int64_t> axis = b.axisAttr("axis", 1, rankOf(x), true);
  if (failed(axis))
    return failure();
  llvm::SmallVector<int64_t> shape(shapeOf(x));
  if (*axis == rankOf(x) - 1)
    return b.result(onLastAxis<OpTy>(b, x));
  int64_t rows = 1, columns = 1;
  for (int64_t i = 0; i < rankOf(x); ++i)
    (i < *axis ? rows : columns) *= shape[i];
  return b.result(
      b.reshape(onLastAxis<OpTy>(b, b.reshape(x, {rows, columns})), shape));
}

template <typename OpTy>
static LogicalResult importOnAxis(NodeBinder &b) {
  Value x = b.floatIn(0);
  if (!x)
    return failure();
  FailureOr<int64_t> axis = b.axisAttr("axis", -1, rankOf(x));
  if (failed(axis))
    return failure();
  // Exchanging two dimensions is its own inverse.
  llvm::SmallVector<int64_t> perm;
  for (int64_t i = 0; i < rankOf(x); ++i)
    perm.push_back(i);
  std::swap(perm[*axis], perm.back());
  return b.result(b.transpose(onLastAxis<OpTy>(b, b.transpose(x, perm)), perm));
}

void amp::onnximport::addSoftmaxOps(OpTable &table) {
  table.add("Softmax", importFlattened<SoftmaxOp>, 7, 12);
  table.add("Softmax", importOnAxis<SoftmaxOp>, 13);
  table.add("LogSoftmax", importFlattened<LogSoftmaxOp>, 7, 12);
  table.add("LogSoftmax", importOnAxis<LogSoftmaxOp>, 13);
}
