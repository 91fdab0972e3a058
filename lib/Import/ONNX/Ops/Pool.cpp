//===- Pool.cpp - Import of pooling ---------------------------------------===//
//
// Windows that slide, and the global pools as reductions.
//
//===----------------------------------------------------------------------===//

#include "Windows.h"

using namespace amp;
using namespace amp::onnximport;
using mlir::Value;

static LogicalResult importMaxPool(NodeBinder &b) {
  Value x = b.floatIn(0);
  if (!x)
    return failure();
  if (rankOf(x) < 3)
    return b.invalid("the operand has to have at least 3 dimensions");
  if (b.isUsed(1))
    return b.unsupported("result 'Indices'");
  FailureOr<Windows> windows = readWindows(b, shapeOf(x).drop_front(2), {});
  if (failed(windows))
    return failure();
  int64_t places = 1;
  for (int64_t k : windows->kernel)
    if (__builtin_mul_overflow(places, k, &places))
      return b.invalid("the kernel is too large");
  llvm::SmallVector<int64_t> shape(shapeOf(x).take_front(2));
  llvm::append_range(shape, windows->output);
  mlir::RankedTensorType type = b.tensor(shape, elementOf(x));
  if (!type)
    return failure();
  mlir::Type index = places <= 255
                         ? b.builder.getIntegerType(8, /*isSigned=*/false)
                         : b.builder.getIntegerType(32);
  MaxPoolOp op =
      b.emitOp<MaxPoolOp>(type, withElement(type, index), x, windows->kernel,
                          windows->strides, windows->pads, windows->dilations);
  return op ? b.result(op.getResult()) : failure();
}

static LogicalResult importAveragePool(NodeBinder &b) {
  Value x = b.floatIn(0);
  FailureOr<int64_t> includePad = b.intAttr("count_include_pad", 0);
  if (!x || failed(includePad))
    return failure();
  if (rankOf(x) < 3)
    return b.invalid("the operand has to have at least 3 dimensions");
  FailureOr<Windows> windows = readWindows(b, shapeOf(x).drop_front(2), {});
  if (failed(windows))
    return failure();
  if (windows->extended && *includePad)
    return b.unsupported("ceil_mode together with count_include_pad");
  llvm::SmallVector<int64_t> shape(shapeOf(x).take_front(2));
  llvm::append_range(shape, windows->output);
  mlir::RankedTensorType type = b.tensor(shape, elementOf(x));
  if (!type)
    return failure();
  return b.result(b.emit<AvgPoolOp>(type, x, windows->kernel, windows->strides,
                                    windows->pads, windows->dilations,
                                    *includePad != 0,
                                    b.accumulator(elementOf(x)).getValue()));
}

/// Reduces all spatial dimensions to size 1.
template <typename OpTy>
static LogicalResult importGlobalPool(NodeBinder &b) {
  Value x = b.floatIn(0);
  if (!x)
    return failure();
  if (rankOf(x) < 3)
    return b.invalid("the operand has to have at least 3 dimensions");
  llvm::SmallVector<int64_t> axes, shape(shapeOf(x));
  for (int64_t i = 2; i < rankOf(x); ++i) {
    axes.push_back(i);
    shape[i] = 1;
  }
  return b.result(b.emit<OpTy>(b.tensor(shape, elementOf(x)), x, axes,
                               /*keepdims=*/true,
                               b.accumulator(elementOf(x)).getValue()));
}

void amp::onnximport::addPoolOps(OpTable &table) {
  table.add("MaxPool", importMaxPool);
  table.add("AveragePool", importAveragePool);
  table.add("GlobalAveragePool", importGlobalPool<ReduceMeanOp>);
  table.add("GlobalMaxPool", importGlobalPool<ReduceMaxOp>);
}
