//===- Reduce.cpp - Verification of the reduction family ------------------===//

#include "Checks.h"

using namespace mlir;
using namespace amp;

/// Shape of `x` after reducing `axes`, which are sorted and in range.
static SmallVector<int64_t>
reducedShape(ArrayRef<int64_t> x, ArrayRef<int64_t> axes, bool keepdims) {
  SmallVector<int64_t> shape;
  for (auto [i, size] : llvm::enumerate(x)) {
    if (!llvm::is_contained(axes, int64_t(i)))
      shape.push_back(size);
    else if (keepdims)
      shape.push_back(1);
  }
  return shape;
}

template <typename ReduceLike>
static LogicalResult verifyReduction(ReduceLike op) {
  RankedTensorType x = tensorType(op.getX());
  RankedTensorType result = tensorType(op.getResult());
  int64_t last = -1;
  for (int64_t axis : op.getAxes()) {
    if (failed(verifyAxis(op, axis, x.getRank())))
      return failure();
    if (axis <= last)
      return op.emitOpError("expected rising axes, got ")
             << shapeText(op.getAxes());
    last = axis;
  }
  if (failed(verifyShape(
          op, "a result", op.getResult(),
          reducedShape(x.getShape(), op.getAxes(), op.getKeepdims()))))
    return failure();
  Type from = x.getElementType(), to = result.getElementType();
  if (from != to && !(isa<FloatType>(from) && isa<FloatType>(to)))
    return op.emitOpError("expected equal element types or floats only, got ")
           << from << " and " << to;
  return verifyAccumulator(op, op.getAcc(), from);
}

/// Sums and products of truth values have no useful type.
template <typename ReduceLike>
static LogicalResult verifyArithmetic(ReduceLike op) {
  if (tensorType(op.getX()).getElementType().isInteger(1))
    return op.emitOpError("expected numbers, got i1 elements");
  return verifyReduction(op);
}

LogicalResult ReduceSumOp::verify() { return verifyArithmetic(*this); }
LogicalResult ReduceMeanOp::verify() { return verifyArithmetic(*this); }
LogicalResult ReduceProdOp::verify() { return verifyArithmetic(*this); }
LogicalResult ReduceMaxOp::verify() { return verifyReduction(*this); }
LogicalResult ReduceMinOp::verify() { return verifyReduction(*this); }

LogicalResult ArgMaxOp::verify() {
  RankedTensorType x = tensorType(getX());
  if (failed(verifyAxis(*this, getAxis(), x.getRank())))
    return failure();
  int64_t axis = getAxis();
  return verifyShape(*this, "a result", getResult(),
                     reducedShape(x.getShape(), axis, getKeepdims()));
}

LogicalResult CumSumOp::verify() {
  RankedTensorType x = tensorType(getX());
  Type from = x.getElementType();
  Type to = tensorType(getResult()).getElementType();
  if (from.isInteger(1))
    return emitOpError("expected numbers, got i1 elements");
  if (from != to && !(isa<FloatType>(from) && isa<FloatType>(to)))
    return emitOpError("expected equal element types or floats only, got ")
           << from << " and " << to;
  if (failed(verifyAxis(*this, getAxis(), x.getRank())) ||
      failed(verifyShape(*this, "a result", getResult(), x.getShape())))
    return failure();
  return verifyAccumulator(*this, getAcc(), from);
}

LogicalResult ColumnPartialsOp::verify() {
  RankedTensorType x = tensorType(getX());
  if (x.getRank() < 1)
    return emitOpError("expected an input [rows..., C], got a scalar");
  int64_t chunk = getChunk();
  if (chunk < 1)
    return emitOpError("expected a chunk of at least 1, got ") << chunk;
  int64_t rows = 1;
  for (int64_t size : x.getShape().drop_back())
    rows *= size;
  int64_t chunks = rows / chunk + (rows % chunk != 0);
  if (failed(verifyShape(*this, "a result", getResult(),
                         {chunks, x.getShape().back()})) ||
      failed(verifyFloat32(*this, "a result", getResult())))
    return failure();
  return verifyAccumulator(*this, getAcc(), x.getElementType());
}

LogicalResult CombinePartialsOp::verify() {
  RankedTensorType partials = tensorType(getPartials());
  if (partials.getRank() != 2)
    return emitOpError("expected partial sums [U, C], got rank ")
           << partials.getRank();
  if (failed(
          verifyShape(*this, "a result", getResult(), partials.getDimSize(1))))
    return failure();
  return verifyAccumulator(*this, getAcc(), partials.getElementType());
}
