//===- Attention.cpp - Ranges of attention --------------------------------===//

#include "Transfer.h"

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

bool amp::ranges::transferAttention(Operation *op, Facts &facts) {
  auto attention = dyn_cast<AttentionOp>(op);
  if (!attention)
    return false;
  facts.set(attention.getProbs(), {0, 1}, "probabilities of attention");
  facts.set(attention.getResult(), facts.bounds(attention.getValue()),
            "weighted mean of values");
  return true;
}
