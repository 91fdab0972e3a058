//===- Reduce.cpp - Ranges of reductions ----------------------------------===//

#include "Transfer.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

/// Number of elements that give one.
template <typename OpTy>
static int64_t lengthOf(OpTy op) {
  int64_t length = 1;
  for (int64_t axis : op.getAxes())
    length *= tensorType(op.getX()).getDimSize(axis);
  return length;
}

/// Whole numbers that are bounded, such as truth values, add up to a count or a
/// position.
static Origin originOfSum(const ValueFacts &x) {
  return x.whole && x.bounds.isFinite() ? Origin::Counts : x.origin;
}

/// Bounds of a reduction; the origin is that of the operand.
template <typename OpTy>
static bool set(OpTy op, Interval bounds, const Twine &text, bool whole,
                Facts &facts) {
  // Of nothing there is no mean, and extremes are infinite.
  if (lengthOf(op) == 0)
    return true;
  const ValueFacts &x = facts.get(op.getX());
  ValueFacts known;
  known.bounds = bounds;
  known.whole = whole && x.whole;
  known.origin = x.origin;
  if (bounds.isKnown())
    known.why = (text + " in " + x.bounds.text()).str();
  facts.set(op.getResult(), std::move(known));
  return true;
}

bool amp::ranges::transferReduce(Operation *op, Facts &facts) {
  auto x = [&](auto reduce) { return facts.bounds(reduce.getX()); };
  auto terms = [](auto reduce) { return Twine(lengthOf(reduce)).str(); };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](ReduceSumOp sum) {
        double n = lengthOf(sum);
        if (!set(sum, sumOf(x(sum), n, n), "sum of " + terms(sum) + " terms",
                 true, facts) ||
            n < 2)
          return true;
        ValueFacts known = facts.get(sum.getResult());
        known.origin = originOfSum(facts.get(sum.getX()));
        facts.set(sum.getResult(), std::move(known));
        return true;
      })
      .Case([&](ReduceMeanOp mean) {
        return set(mean, x(mean), "mean of " + terms(mean) + " terms", false,
                   facts);
      })
      .Case([&](ReduceProdOp product) {
        int64_t n = std::max<int64_t>(lengthOf(product), 1);
        return set(product, productOf(x(product), n),
                   "product of " + terms(product) + " factors", true, facts);
      })
      .Case([&](ReduceMaxOp max) {
        return set(max, x(max), "maximum of terms", true, facts);
      })
      .Case([&](ReduceMinOp min) {
        return set(min, x(min), "minimum of terms", true, facts);
      })
      .Case([&](ArgMaxOp max) {
        double n = tensorType(max.getX()).getDimSize(max.getAxis());
        facts.set(max.getResult(), {0, std::max(n, 1.0) - 1}, "index");
        return true;
      })
      .Case([&](CumSumOp sum) {
        double n = tensorType(sum.getX()).getDimSize(sum.getAxis());
        double least = sum.getExclusive() ? 0 : 1;
        ValueFacts known;
        known.bounds = sumOf(x(sum), least, n);
        known.whole = facts.get(sum.getX()).whole;
        known.origin = originOfSum(facts.get(sum.getX()));
        known.why = "running sum of terms";
        facts.set(sum.getResult(), std::move(known));
        return true;
      })
      .Case([&](ColumnPartialsOp partials) {
        // The last chunk may have fewer rows.
        facts.set(partials.getResult(),
                  sumOf(facts.bounds(partials.getX()), 1, partials.getChunk()),
                  "sum of a chunk of rows");
        return true;
      })
      .Case([&](CombinePartialsOp combine) {
        double n = tensorType(combine.getPartials()).getDimSize(0);
        facts.set(combine.getResult(),
                  sumOf(facts.bounds(combine.getPartials()), n, n),
                  "sum of partial sums");
        return true;
      })
      .Default(false);
}
