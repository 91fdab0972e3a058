//===- Linear.cpp - Gradients of matrix products --------------------------===//

#include "RuleBuilder.h"

using namespace mlir;
using namespace amp;

namespace {

/// Rows of a batch of matrices, as one matrix.
Value flattened(RuleBuilder &b, Value x) {
  ArrayRef<int64_t> shape = shapeOf(x);
  int64_t rows = 1;
  for (int64_t size : shape.drop_back())
    rows *= size;
  return b.reshape(x, {rows, shape.back()});
}

/// True if the right operand is one matrix for the whole batch and the left
/// one is stored with its rows outside: then the batch is more rows.
bool isOneMatrix(MatmulOp op) {
  ArrayRef<int64_t> rhs = shapeOf(op.getRhs());
  return rhs.size() > 2 && !op.getTransposeLhs() &&
         llvm::all_of(rhs.drop_back(2), [](int64_t d) { return d == 1; });
}

/// Type of a product whose batch dimensions are those of the result and whose
/// matrices are those of `like`.
RankedTensorType batchOf(Value result, Value like, Type element) {
  SmallVector<int64_t> shape(shapeOf(result));
  std::copy(shapeOf(like).end() - 2, shapeOf(like).end(), shape.end() - 2);
  return RankedTensorType::get(shape, element);
}

void lhsGradient(MatmulOp op, RuleBuilder &b) {
  Value lhs = op.getLhs(), rhs = op.getRhs(), dy = b.grad();
  Type type = batchOf(dy, lhs, tensorType(lhs).getElementType());
  if (op.getTransposeLhs())
    b.give(lhs, b.make<MatmulOp>(type, rhs, dy, op.getTransposeRhs(), true));
  else
    b.give(lhs, b.make<MatmulOp>(type, dy, rhs, false, !op.getTransposeRhs()));
}

/// Leaves in float32: it is, or leads to, the gradient of a weight.
void rhsGradient(MatmulOp op, RuleBuilder &b) {
  Value lhs = op.getLhs(), rhs = op.getRhs(), dy = b.grad();
  RankedTensorType type = batchOf(dy, rhs, b.wide());
  if (isOneMatrix(op)) {
    // One product over all rows instead of a batch of products and a sum.
    lhs = flattened(b, lhs);
    dy = flattened(b, dy);
    type = RankedTensorType::get(type.getShape().take_back(2), b.wide());
  }
  Value product =
      op.getTransposeRhs()
          ? b.make<MatmulOp>(Type(type), dy, lhs, true, op.getTransposeLhs())
          : b.make<MatmulOp>(Type(type), lhs, dy, !op.getTransposeLhs(), false);
  b.give(rhs, isOneMatrix(op) ? b.reshape(product, shapeOf(rhs)) : product);
}

LogicalResult matmulRule(MatmulOp op, RuleBuilder &b) {
  if (op.getLhsScale() || op.getRhsScale())
    return op.emitOpError("has scaled 8-bit operands, which appear only after "
                          "differentiation");
  if (b.wants(op.getLhs()))
    lhsGradient(op, b);
  if (b.wants(op.getRhs()))
    rhsGradient(op, b);
  if (b.wants(op.getBias())) {
    auto axes = llvm::to_vector(
        llvm::seq<int64_t>(0, tensorType(b.grad()).getRank() - 1));
    b.give(op.getBias(), b.sum(b.grad(), axes, false, b.wide()));
  }
  return success();
}

} // namespace

void amp::attachLinearGradients(MLIRContext *context) {
  attachRule<MatmulOp, matmulRule>(context);
}
