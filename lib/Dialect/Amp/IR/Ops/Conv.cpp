//===- Conv.cpp - Verification of the convolution family ------------------===//

#include "Checks.h"
#include "Windows.h"

using namespace mlir;
using namespace amp;

/// The three ops relate the same three tensors; each gives one of them.
template <typename ConvLike>
static LogicalResult verifyConvolution(ConvLike op, RankedTensorType x,
                                       RankedTensorType w, RankedTensorType y) {
  int64_t rank = x.getRank(), group = op.getGroup();
  if (rank < 3 || w.getRank() != rank || y.getRank() != rank)
    return op.emitOpError("expected tensors of equal rank of at least 3, got ")
           << "input rank " << rank << ", weight rank " << w.getRank()
           << ", output rank " << y.getRank();
  if (x.getDimSize(0) != y.getDimSize(0))
    return op.emitOpError("expected equal batch sizes, got ")
           << x.getDimSize(0) << " and " << y.getDimSize(0);
  if (group < 1)
    return op.emitOpError("expected a group of at least 1, got ") << group;
  if (x.getDimSize(1) % group || w.getDimSize(0) % group)
    return op.emitOpError("expected channels divisible by group ")
           << group << ", got " << x.getDimSize(1) << " input and "
           << w.getDimSize(0) << " output channels";
  if (w.getDimSize(1) != x.getDimSize(1) / group)
    return op.emitOpError("expected a weight of ")
           << x.getDimSize(1) / group << " input channels per group, got "
           << w.getDimSize(1);
  if (y.getDimSize(1) != w.getDimSize(0))
    return op.emitOpError("expected ")
           << w.getDimSize(0) << " output channels, got " << y.getDimSize(1);
  Windows windows{w.getShape().drop_front(2), op.getStrides(), op.getPads(),
                  op.getDilations()};
  if (failed(verifyWindows(op, windows, x.getShape().drop_front(2),
                           y.getShape().drop_front(2))))
    return failure();
  return verifyAccumulator(op, op.getAcc(), x.getElementType());
}

LogicalResult ConvOp::verify() {
  if (failed(verifyConvolution(*this, tensorType(getX()), tensorType(getW()),
                               getType())))
    return failure();
  if (!getBias())
    return success();
  return verifyShape(*this, "a bias", getBias(), getType().getDimSize(1));
}

LogicalResult ConvInputGradOp::verify() {
  return verifyConvolution(*this, getType(), tensorType(getW()),
                           tensorType(getDy()));
}

LogicalResult ConvWeightGradOp::verify() {
  return verifyConvolution(*this, tensorType(getX()), getType(),
                           tensorType(getDy()));
}
