//===- Index.cpp - Verification of the index family -----------------------===//

#include "Checks.h"

using namespace mlir;
using namespace amp;

/// `data[:axis] + indices.shape + data[axis+1:]`.
static SmallVector<int64_t>
gatheredShape(ArrayRef<int64_t> data, ArrayRef<int64_t> indices, int64_t axis) {
  SmallVector<int64_t> shape(data.take_front(axis));
  llvm::append_range(shape, indices);
  llvm::append_range(shape, data.drop_front(axis + 1));
  return shape;
}

LogicalResult GatherOp::verify() {
  RankedTensorType data = tensorType(getData());
  if (failed(verifyAxis(*this, getAxis(), data.getRank())) ||
      failed(verifyShape(*this, "a result", getResult(),
                         gatheredShape(data.getShape(),
                                       tensorType(getIndices()).getShape(),
                                       getAxis()))))
    return failure();
  return verifyConvertible(*this, "a result", getResult(), "the data",
                           getData());
}

LogicalResult GatherGradOp::verify() {
  RankedTensorType data = tensorType(getResult());
  if (failed(verifyAxis(*this, getAxis(), data.getRank())) ||
      failed(verifyShape(*this, "a dy", getDy(),
                         gatheredShape(data.getShape(),
                                       tensorType(getIndices()).getShape(),
                                       getAxis()))))
    return failure();
  return verifyAccumulator(*this, getAcc(), data.getElementType());
}

LogicalResult GatherNdOp::verify() {
  ArrayRef<int64_t> data = tensorType(getData()).getShape();
  ArrayRef<int64_t> indices = tensorType(getIndices()).getShape();
  int64_t batch = getBatchDims();
  int64_t smaller = std::min(data.size(), indices.size());
  if (batch < 0 || batch >= smaller)
    return emitOpError("expected batch_dims in [0, ")
           << smaller << "), got " << batch;
  if (data.take_front(batch) != indices.take_front(batch))
    return emitOpError("expected equal batch dimensions, got ")
           << shapeText(data.take_front(batch)) << " and "
           << shapeText(indices.take_front(batch));
  int64_t tuple = indices.back();
  int64_t most = data.size() - batch;
  if (tuple < 1 || tuple > most)
    return emitOpError("expected index tuples of 1 to ")
           << most << " entries, got " << tuple;
  SmallVector<int64_t> shape(indices.drop_back());
  llvm::append_range(shape, data.drop_front(batch + tuple));
  if (failed(verifyShape(*this, "a result", getResult(), shape)))
    return failure();
  return verifySameElement(*this, "a result", getResult(), "the data",
                           getData());
}
