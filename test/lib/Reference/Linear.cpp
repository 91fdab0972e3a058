//===- Linear.cpp - Reference of matrix products --------------------------===//

#include "Reference/Evaluator.h"

using namespace mlir;
using namespace amp;
using namespace amp::reference;

bool amp::reference::evaluateLinear(Operation *op, Frame &frame) {
  auto matmul = dyn_cast<MatmulOp>(op);
  if (!matmul)
    return false;
  const Tensor &lhs = frame.get(matmul.getLhs());
  const Tensor &rhs = frame.get(matmul.getRhs());
  bool turnLhs = matmul.getTransposeLhs(), turnRhs = matmul.getTransposeRhs();
  int64_t rank = lhs.rank();
  int64_t inner = lhs.shape[turnLhs ? rank - 2 : rank - 1];
  Tensor result(shapeOf(matmul.getResult()));
  forEach(result.shape, [&](ArrayRef<int64_t> index) {
    Index l(index), r(index);
    double sum = 0;
    for (int64_t k = 0; k < inner; ++k) {
      l[rank - 2] = turnLhs ? k : index[rank - 2];
      l[rank - 1] = turnLhs ? index[rank - 2] : k;
      r[rank - 2] = turnRhs ? index[rank - 1] : k;
      r[rank - 1] = turnRhs ? k : index[rank - 1];
      sum += lhs.spread(l) * rhs.spread(r);
    }
    if (matmul.getBias())
      sum += frame.get(matmul.getBias()).spread(index);
    result.at(index) = sum;
  });
  frame.set(matmul.getResult(), std::move(result));
  return true;
}
