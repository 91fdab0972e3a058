//===- Random.cpp - Ranges of random ops ----------------------------------===//

#include "Transfer.h"

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

bool amp::ranges::transferRandom(Operation *op, Facts &facts) {
  auto dropout = dyn_cast<DropoutOp>(op);
  if (!dropout)
    return false;
  // Zero, scaled, or unchanged where dropout is off.
  Interval x = facts.bounds(dropout.getX());
  double keep = 1 - dropout.getRatio().convertToDouble();
  Interval bounds = hull(x, Interval::of(0));
  if (keep > 0)
    bounds = hull(bounds, mul(x, Interval::of(1 / keep)));
  facts.set(dropout.getResult(), bounds, "dropout of " + x.text());
  return true;
}
