//===- Pool.cpp - Verification of the pooling family ----------------------===//

#include "Checks.h"
#include "Windows.h"

using namespace mlir;
using namespace amp;

/// `x` is the large side of the pooling, `y` the small one.
template <typename PoolLike>
static LogicalResult verifyPooling(PoolLike op, RankedTensorType x,
                                   RankedTensorType y) {
  int64_t rank = x.getRank();
  if (rank < 3 || y.getRank() != rank)
    return op.emitOpError("expected tensors of equal rank of at least 3, got ")
           << rank << " and " << y.getRank();
  if (x.getShape().take_front(2) != y.getShape().take_front(2))
    return op.emitOpError("expected equal batch and channel sizes, got ")
           << shapeText(x.getShape().take_front(2)) << " and "
           << shapeText(y.getShape().take_front(2));
  Windows windows{op.getKernel(), op.getStrides(), op.getPads(),
                  op.getDilations()};
  return verifyWindows(op, windows, x.getShape().drop_front(2),
                       y.getShape().drop_front(2));
}

static LogicalResult verifyWindowIndex(Operation *op, Value index,
                                       ArrayRef<int64_t> shape,
                                       ArrayRef<int64_t> kernel) {
  if (failed(verifyShape(op, "an index", index, shape)))
    return failure();
  // 255 itself stays free for places without an element.
  int64_t places = 1;
  for (int64_t size : kernel)
    places = std::min<int64_t>(places * size, 256);
  Type got = tensorType(index).getElementType();
  if (places <= 255 ? got.isUnsignedInteger(8) : got.isSignlessInteger(32))
    return success();
  return op->emitOpError("expected an index of ")
         << (places <= 255 ? "ui8" : "i32") << " elements for a window of "
         << shapeText(kernel) << ", got " << got;
}

LogicalResult MaxPoolOp::verify() {
  RankedTensorType y = tensorType(getResult());
  if (failed(verifyPooling(*this, tensorType(getX()), y)) ||
      failed(verifySameElement(*this, "a result", getResult(), "the input",
                               getX())))
    return failure();
  return verifyWindowIndex(*this, getIndex(), y.getShape(), getKernel());
}

LogicalResult MaxPoolGradOp::verify() {
  RankedTensorType dy = tensorType(getDy());
  if (failed(verifyPooling(*this, getType(), dy)))
    return failure();
  return verifyWindowIndex(*this, getIndex(), dy.getShape(), getKernel());
}

LogicalResult AvgPoolOp::verify() {
  if (failed(verifyPooling(*this, tensorType(getX()), getType())))
    return failure();
  return verifyAccumulator(*this, getAcc(), getType().getElementType());
}

LogicalResult AvgPoolGradOp::verify() {
  if (failed(verifyPooling(*this, getType(), tensorType(getDy()))))
    return failure();
  return verifyAccumulator(*this, getAcc(), getType().getElementType());
}
