//===- Shape.cpp - Verification of the shape family -----------------------===//

#include "Checks.h"

using namespace mlir;
using namespace amp;

/// Nothing here converts elements.
static LogicalResult verifyMoved(Operation *op, Value x) {
  return verifySameElement(op, "a result", op->getResult(0), "the operand", x);
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType x = tensorType(getX()), result = tensorType(getResult());
  if (x.getNumElements() != result.getNumElements())
    return emitOpError("expected a result of ")
           << x.getNumElements() << " elements, got "
           << shapeText(result.getShape());
  return verifyMoved(*this, getX());
}

LogicalResult TransposeOp::verify() {
  RankedTensorType x = tensorType(getX());
  ArrayRef<int64_t> perm = getPerm();
  if (failed(verifyCount(*this, "entries of perm", perm.size(), x.getRank(),
                         "one per dimension")))
    return failure();
  llvm::SmallBitVector seen(perm.size());
  SmallVector<int64_t> shape;
  for (int64_t dim : perm) {
    if (dim < 0 || dim >= x.getRank() || seen.test(dim))
      return emitOpError("expected a permutation of the dimensions, got ")
             << shapeText(perm);
    seen.set(dim);
    shape.push_back(x.getDimSize(dim));
  }
  if (failed(verifyShape(*this, "a result", getResult(), shape)))
    return failure();
  return verifyMoved(*this, getX());
}

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> from = tensorType(getX()).getShape();
  ArrayRef<int64_t> to = tensorType(getResult()).getShape();
  auto joint = broadcastShapes(from, to);
  if (!joint || ArrayRef<int64_t>(*joint) != to)
    return emitOpError("expected a result to which ")
           << shapeText(from) << " broadcasts, got " << shapeText(to);
  return verifyMoved(*this, getX());
}

/// True if start + (count - 1) * step is inside [0, size), with no step taken
/// on the way that could overflow.
static bool walkStaysInside(int64_t start, int64_t step, int64_t count,
                            int64_t size) {
  if (count == 0)
    return true;
  if (start < 0 || start >= size)
    return false;
  int64_t room = step > 0 ? size - 1 - start : start;
  uint64_t stride = step > 0 ? uint64_t(step) : -uint64_t(step);
  return uint64_t(count - 1) <= uint64_t(room) / stride;
}

LogicalResult SliceOp::verify() {
  RankedTensorType x = tensorType(getX()), result = tensorType(getResult());
  size_t rank = x.getRank();
  StringRef per = "one per dimension";
  if (failed(verifyCount(*this, "starts", getStarts().size(), rank, per)) ||
      failed(verifyCount(*this, "steps", getSteps().size(), rank, per)) ||
      failed(verifyCount(*this, "result dimensions", result.getRank(), rank,
                         "as the operand has")))
    return failure();
  for (size_t i = 0; i < rank; ++i) {
    int64_t start = getStarts()[i], step = getSteps()[i];
    if (step == 0)
      return emitOpError("expected a non-zero step in dimension ") << i;
    if (!walkStaysInside(start, step, result.getDimSize(i), x.getDimSize(i)))
      return emitOpError("expected a slice within the ")
             << x.getDimSize(i) << " elements of dimension " << i << ", got "
             << result.getDimSize(i) << " from " << start << " by " << step;
  }
  return verifyMoved(*this, getX());
}

LogicalResult PadOp::verify() {
  RankedTensorType x = tensorType(getX());
  size_t rank = x.getRank();
  StringRef per = "one per dimension";
  if (failed(verifyCount(*this, "low pads", getLow().size(), rank, per)) ||
      failed(verifyCount(*this, "high pads", getHigh().size(), rank, per)) ||
      failed(
          verifyCount(*this, "interior pads", getInterior().size(), rank, per)))
    return failure();
  // Bounded so that the sizes below cannot overflow.
  constexpr int64_t limit = int64_t(1) << 31;
  SmallVector<int64_t> shape;
  for (size_t i = 0; i < rank; ++i) {
    int64_t low = getLow()[i], high = getHigh()[i], between = getInterior()[i];
    for (int64_t amount : {low, high, between})
      if (amount < 0 || amount >= limit)
        return emitOpError("expected pads in [0, 2^31), got ")
               << amount << " in dimension " << i;
    int64_t size = x.getDimSize(i);
    shape.push_back(low + high + size +
                    std::max<int64_t>(size - 1, 0) * between);
  }
  if (failed(verifyShape(*this, "a result", getResult(), shape)))
    return failure();
  return verifyMoved(*this, getX());
}

LogicalResult ConcatOp::verify() {
  if (getParts().empty())
    return emitOpError("expected at least one part");
  RankedTensorType first = tensorType(getParts().front());
  if (failed(verifyAxis(*this, getAxis(), first.getRank())))
    return failure();
  SmallVector<int64_t> shape(first.getShape());
  shape[getAxis()] = 0;
  for (Value part : getParts()) {
    RankedTensorType type = tensorType(part);
    SmallVector<int64_t> others(type.getShape());
    if (type.getRank() == first.getRank())
      others[getAxis()] = shape[getAxis()];
    if (others != shape)
      return emitOpError("expected parts that differ on axis ")
             << getAxis() << " only, got " << shapeText(first.getShape())
             << " and " << shapeText(type.getShape());
    shape[getAxis()] += type.getDimSize(getAxis());
    if (failed(verifyMoved(*this, part)))
      return failure();
  }
  return verifyShape(*this, "a result", getResult(), shape);
}

LogicalResult RelayoutOp::verify() {
  if (failed(verifyShape(*this, "a result", getResult(),
                         tensorType(getX()).getShape())))
    return failure();
  return verifyConvertible(*this, "a result", getResult(), "the operand",
                           getX());
}

LogicalResult StridedCopyOp::verify() {
  RankedTensorType x = tensorType(getX()), result = tensorType(getResult());
  if (failed(verifyCount(*this, "strides", getStrides().size(),
                         result.getRank(), "one per result dimension")) ||
      failed(verifyConvertible(*this, "a result", getResult(), "the operand",
                               getX())))
    return failure();
  if (result.getNumElements() == 0)
    return success();
  // The corners of the walk: all negative, all positive strides to their end.
  int64_t low = getOffset(), high = low;
  bool overflow = false;
  for (auto [size, stride] : llvm::zip(result.getShape(), getStrides())) {
    int64_t reach = 0;
    int64_t &corner = stride < 0 ? low : high;
    overflow |= llvm::MulOverflow(size - 1, stride, reach);
    overflow |= llvm::AddOverflow(corner, reach, corner);
  }
  if (overflow || low < 0 || high >= x.getNumElements())
    return emitOpError("expected a copy within the ")
           << x.getNumElements() << " elements of the operand, got offset "
           << int64_t(getOffset()) << " and strides "
           << shapeText(getStrides());
  return success();
}
