//===- Linear.cpp - Verification of the linear family ---------------------===//

#include "Checks.h"

using namespace mlir;
using namespace amp;

static LogicalResult verifyScales(MatmulOp op) {
  auto bits = [](Value value) {
    return tensorType(value).getElementType().getIntOrFloatBitWidth();
  };
  Value extras[] = {op.getLhsScale(), op.getRhsScale(), op.getLhsAmax(),
                    op.getRhsAmax()};
  if (llvm::none_of(extras, [](Value value) { return bool(value); }))
    return success();
  if (bool(extras[0]) != bool(extras[1]) || bool(extras[2]) != bool(extras[3]))
    return op.emitOpError("expected scales and amax histories of both operands "
                          "or of none");
  if (bits(op.getLhs()) != 8 || bits(op.getRhs()) != 8)
    return op.emitOpError("expected 8-bit float operands beside scales, got ")
           << tensorType(op.getLhs()).getElementType() << " and "
           << tensorType(op.getRhs()).getElementType();
  for (Value value : extras)
    if (value && failed(verifyFloat32(op, "scales and amax histories", value)))
      return failure();
  return success();
}

LogicalResult MatmulOp::verify() {
  RankedTensorType lhs = tensorType(getLhs()), rhs = tensorType(getRhs());
  int64_t rank = lhs.getRank();
  if (rank < 2 || rhs.getRank() != rank)
    return emitOpError("expected operands of equal rank of at least 2, got ")
           << rank << " and " << rhs.getRank();
  int64_t m = lhs.getDimSize(rank - 2), k = lhs.getDimSize(rank - 1);
  int64_t rhsK = rhs.getDimSize(rank - 2), n = rhs.getDimSize(rank - 1);
  if (getTransposeLhs())
    std::swap(m, k);
  if (getTransposeRhs())
    std::swap(rhsK, n);
  if (k != rhsK)
    return emitOpError("expected equal inner dimensions, got ")
           << k << " and " << rhsK;
  auto batch =
      broadcastShapes(lhs.getShape().drop_back(2), rhs.getShape().drop_back(2));
  if (!batch)
    return emitOpError("expected batch dimensions that are equal or 1, got ")
           << shapeText(lhs.getShape().drop_back(2)) << " and "
           << shapeText(rhs.getShape().drop_back(2));
  SmallVector<int64_t> shape = *batch;
  shape.append({m, n});
  if (failed(verifyShape(*this, "a result", getResult(), shape)))
    return failure();
  if (getBias() && failed(verifyShape(*this, "a bias", getBias(), {n})))
    return failure();
  if (failed(verifyScales(*this)))
    return failure();
  return verifyAccumulator(*this, getAcc(), lhs.getElementType());
}
