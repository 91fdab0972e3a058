//===- Linear.cpp - Ranges of matrix products -----------------------------===//

#include "Transfer.h"

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

bool amp::ranges::transferLinear(Operation *op, Facts &facts) {
  auto matmul = dyn_cast<MatmulOp>(op);
  if (!matmul)
    return false;
  auto lhs = tensorType(matmul.getLhs());
  int64_t depth =
      lhs.getDimSize(lhs.getRank() - (matmul.getTransposeLhs() ? 2 : 1));
  Interval term =
      mul(facts.bounds(matmul.getLhs()), facts.bounds(matmul.getRhs()));
  ValueFacts result;
  // Scales of 8-bit operands are known at run time only.
  if (!matmul.getLhsScale())
    result.bounds = sumOf(term, depth, depth);
  result.why =
      "sum of " + std::to_string(depth) + " products in " + term.text();
  addBias(result, matmul.getBias(), facts);
  result.origin = originOf({matmul.getLhs(), matmul.getRhs()}, facts);
  facts.set(matmul.getResult(), std::move(result));
  return true;
}
