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
