//===- Linear.cpp - Import of matrix products -----------------------------===//
//
// MatMul with NumPy's ranks and Gemm with its factors.
//
//===----------------------------------------------------------------------===//

#include "NodeBinder.h"

using namespace amp;
using namespace amp::onnximport;
using llvm::Twine;
using mlir::Value;

/// lhs [.., M, K] times a matrix [K, N]: one plain product of all rows, so that
/// the gradient of the matrix is one, too.
static Value timesMatrix(NodeBinder &b, Value lhs, Value rhs) {
  llvm::ArrayRef<int64_t> shape = shapeOf(lhs);
  llvm::SmallVector<int64_t> resultShape(shape.drop_back());
  int64_t rows = 1;
  for (int64_t dim : resultShape)
    rows *= dim;
  resultShape.push_back(shapeOf(rhs)[1]);
  mlir::RankedTensorType type =
      b.tensor({rows, resultShape.back()}, elementOf(lhs));
  Value flat = b.reshape(lhs, {rows, shape.back()});
  if (!type || !flat)
    return {};
  return b.reshape(b.emit<MatmulOp>(type, flat, rhs), resultShape);
}

static LogicalResult importMatMul(NodeBinder &b) {
  Value lhs = b.floatIn(0), rhs = lhs ? b.floatIn(1) : Value();
  if (!rhs)
    return failure();
  int64_t lhsRank = rankOf(lhs), rhsRank = rankOf(rhs);
  if (!lhsRank || !rhsRank)
    return b.invalid("a scalar cannot be multiplied as a matrix");
  if (elementOf(lhs) != elementOf(rhs))
    return b.invalid("operands have different element types");
  int64_t depth = shapeOf(lhs)[lhsRank - 1];
  if (shapeOf(rhs)[rhsRank == 1 ? 0 : rhsRank - 2] != depth)
    return b.invalid("the inner dimensions differ: " + Twine(depth) + " and " +
                     Twine(shapeOf(rhs)[rhsRank == 1 ? 0 : rhsRank - 2]));
  // A vector becomes a matrix with one row or column, which goes again later.
  if (lhsRank == 1)
    lhs = b.reshape(lhs, {1, depth});
  if (rhsRank == 1)
    rhs = b.reshape(rhs, {depth, 1});
  if (!lhs || !rhs)
    return failure();
  Value product;
  if (rankOf(rhs) == 2) {
    product = timesMatrix(b, lhs, rhs);
  } else {
    llvm::ArrayRef<int64_t> x = shapeOf(lhs), y = shapeOf(rhs);
    auto batch = broadcastShapes(x.drop_back(2), y.drop_back(2));
    if (!batch)
      return b.invalid("the batch dimensions do not broadcast");
    // Equal ranks by leading ones.
    size_t rank = batch->size() + 2;
    auto padded = [&](Value value) {
      llvm::SmallVector<int64_t> shape(rank - rankOf(value), 1);
      llvm::append_range(shape, shapeOf(value));
      return b.reshape(value, shape);
    };
    batch->push_back(x[x.size() - 2]);
    batch->push_back(y.back());
    mlir::RankedTensorType type = b.tensor(*batch, elementOf(lhs));
    lhs = padded(lhs);
    rhs = padded(rhs);
    if (!type || !lhs || !rhs)
      return failure();
    product = b.emit<MatmulOp>(type, lhs, rhs);
  }
  if (!product)
    return failure();
  llvm::SmallVector<int64_t> shape(shapeOf(product));
  if (rhsRank == 1)
    shape.pop_back();
  if (lhsRank == 1)
    shape.erase(shape.end() - (rhsRank == 1 ? 1 : 2));
  return b.result(b.reshape(product, shape));
}

/// Multiplies by a factor unless it is 1.
static Value scaled(NodeBinder &b, Value x, double factor) {
  if (!x || factor == 1)
    return x;
  return b.binary<MulOp>(x, b.number(factor, x.getType()));
}

static LogicalResult importGemm(NodeBinder &b) {
  Value lhs = b.in(0), rhs = lhs ? b.in(1) : Value();
  FailureOr<double> alpha = b.floatAttr("alpha", 1);
  FailureOr<double> beta = b.floatAttr("beta", 1);
  FailureOr<int64_t> transA = b.intAttr("transA", 0);
  FailureOr<int64_t> transB = b.intAttr("transB", 0);
  if (!rhs || failed(alpha) || failed(beta) || failed(transA) || failed(transB))
    return failure();
  if (!llvm::isa<mlir::FloatType>(elementOf(lhs)))
    return b.unsupported("integer matrices");
  if (rankOf(lhs) != 2 || rankOf(rhs) != 2)
    return b.invalid("operands have to be matrices");
  if (elementOf(lhs) != elementOf(rhs))
    return b.invalid("operands have different element types");
  int64_t rows = shapeOf(lhs)[*transA ? 1 : 0];
  int64_t columns = shapeOf(rhs)[*transB ? 0 : 1];
  mlir::RankedTensorType type = b.tensor({rows, columns}, elementOf(lhs));
  if (!type)
    return failure();
  Value bias = b.has(2) ? b.in(2) : Value();
  if (b.has(2) && !bias)
    return failure();
  // A bias of one value per column is part of the product.
  bool isRow = bias && *alpha == 1 && *beta == 1 && columns > 0 &&
               elementOf(bias) == elementOf(lhs) &&
               tensorType(bias).getNumElements() == columns &&
               rankOf(bias) >= 1 && shapeOf(bias).back() == columns;
  if (isRow)
    return b.result(b.emit<MatmulOp>(type, lhs, rhs, *transA != 0, *transB != 0,
                                     b.reshape(bias, {columns})));
  Value product = scaled(
      b, b.emit<MatmulOp>(type, lhs, rhs, *transA != 0, *transB != 0), *alpha);
  if (!product || !bias || *beta == 0)
    return b.result(product);
  auto shape = broadcastShapes(shapeOf(bias), type.getShape());
  if (!shape || llvm::ArrayRef<int64_t>(*shape) != type.getShape())
    return b.invalid("operand C does not broadcast to the result");
  return b.result(b.binary<AddOp>(product, scaled(b, bias, *beta)));
}

void amp::onnximport::addLinearOps(OpTable &table) {
  table.add("MatMul", importMatMul);
  table.add("Gemm", importGemm);
}
