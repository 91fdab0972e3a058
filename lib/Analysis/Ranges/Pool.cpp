//===- Pool.cpp - Ranges of pooling ---------------------------------------===//

#include "Transfer.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

static double placesOf(ArrayRef<int64_t> kernel) {
  double count = 1;
  for (int64_t size : kernel)
    count *= size;
  return count;
}

/// What a window sees: the input, and zeros where it may reach beyond it.
template <typename OpTy>
static Interval window(OpTy op, Interval x) {
  bool pads = llvm::any_of(op.getPads(), [](int64_t pad) { return pad != 0; });
  return pads ? hull(x, Interval::of(0)) : x;
}

bool amp::ranges::transferPool(Operation *op, Facts &facts) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](MaxPoolOp pool) {
        ValueFacts known = facts.get(pool.getX());
        known.bounds = window(pool, known.bounds);
        facts.set(pool.getResult(), std::move(known));
        facts.set(pool.getIndex(), {0, placesOf(pool.getKernel()) - 1},
                  "place in a window");
        return true;
      })
      .Case([&](MaxPoolGradOp grad) {
        // As many windows as there are places may choose one element.
        facts.set(
            grad.getResult(),
            sumOf(facts.bounds(grad.getDy()), 0, placesOf(grad.getKernel())),
            "sum over windows");
        return true;
      })
      .Case([&](AvgPoolOp pool) {
        ValueFacts known = facts.get(pool.getX());
        known.bounds = window(pool, known.bounds);
        known.whole = false;
        facts.set(pool.getResult(), std::move(known));
        return true;
      })
      .Case([&](AvgPoolGradOp grad) {
        facts.set(
            grad.getResult(),
            sumOf(facts.bounds(grad.getDy()), 0, placesOf(grad.getKernel())),
            "sum over windows");
        return true;
      })
      .Default(false);
}
