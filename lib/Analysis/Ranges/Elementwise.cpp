//===- Elementwise.cpp - Ranges of the elementwise family -----------------===//
//
// Ops with several operands, casts and generators; Unary.cpp has the others.
//
//===----------------------------------------------------------------------===//

#include "Transfer.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

/// Remainders: smaller than the divisor, and for fmod no larger than x.
static Interval remainder(Interval y) {
  return {std::min(y.lo, 0.0), std::max(y.hi, 0.0)};
}

static Interval truncated(Interval x) {
  return {std::trunc(x.lo), std::trunc(x.hi)};
}

static Interval binary(Operation *op, Interval a, Interval b) {
  bool isSame = op->getOperand(0) == op->getOperand(1);
  bool isFloat = isa<FloatType>(tensorType(op->getResult(0)).getElementType());
  return llvm::TypeSwitch<Operation *, Interval>(op)
      .Case([&](AddOp) { return add(a, b); })
      .Case([&](SubOp) { return sub(a, b); })
      .Case([&](MulOp) { return isSame ? square(a) : mul(a, b); })
      .Case([&](DivOp) { return isFloat ? div(a, b) : truncated(div(a, b)); })
      .Case([&](MaxOp) {
        return Interval{std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
      })
      .Case([&](MinOp) {
        return Interval{std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
      })
      .Case([&](PowOp) { return pow(a, b); })
      .Case([&](ModOp) { return remainder(b); })
      .Case([&](FModOp) {
        double most = std::min(a.magnitude(), b.magnitude());
        return Interval{a.lo < 0 ? -most : 0, a.hi > 0 ? most : 0};
      })
      .Case([&](CompareOp) { return Interval{0, 1}; })
      .Default([](Operation *) { return Interval{0, 1}; });
}

/// What sums and products of sentinels and initial values are expected to
/// reach. Terms of which nothing is known are taken to be small, factors not.
static Interval expected(Operation *op, const ValueFacts &a,
                         const ValueFacts &b) {
  Interval x = a.expected(), y = b.expected();
  if (isa<AddOp, SubOp>(op)) {
    if (x.isEmpty() && y.isEmpty())
      return Interval::none();
    x = x.isEmpty() ? Interval::of(0) : x;
    y = y.isEmpty() ? Interval::of(0) : y;
    return isa<AddOp>(op) ? add(x, y) : sub(x, y);
  }
  if (isa<MulOp>(op)) {
    // An integer that multiplies a sentinel is a mask of zeros and ones.
    auto isSentinel = [](const ValueFacts &v) {
      return v.constant && v.bounds.magnitude() >= kSentinel;
    };
    if (x.isEmpty() && a.origin == Origin::Counts && isSentinel(b))
      x = {0, 1};
    if (y.isEmpty() && b.origin == Origin::Counts && isSentinel(a))
      y = {0, 1};
    return x.isEmpty() || y.isEmpty() ? Interval::none() : mul(x, y);
  }
  if (isa<DivOp>(op) && !x.isEmpty() && !y.isEmpty() && !y.contains(0))
    return div(x, y);
  return Interval::none();
}

static ValueFacts binaryFacts(Operation *op, const Facts &facts) {
  const ValueFacts &a = facts.get(op->getOperand(0)),
                   &b = facts.get(op->getOperand(1));
  ValueFacts result;
  result.bounds = binary(op, a.bounds, b.bounds);
  result.reach = expected(op, a, b);
  result.whole = isa<CompareOp, AndOp, OrOp, XorOp>(op) ||
                 (a.whole && b.whole &&
                  isa<AddOp, SubOp, MulOp, MaxOp, MinOp, ModOp, FModOp>(op));
  result.origin = isa<CompareOp, AndOp, OrOp, XorOp>(op)
                      ? Origin::Data
                      : std::max(a.origin, b.origin);
  if (result.bounds.isKnown() || !result.reach.isEmpty()) {
    auto text = [](const ValueFacts &x) {
      return x.bounds.isKnown() || x.reach.isEmpty() ? x.bounds.text()
                                                     : x.reach.text();
    };
    result.why = op->getName().stripDialect().str() + " of " + text(a) +
                 " and " + text(b);
  }
  return result;
}

static ValueFacts castFacts(CastOp cast, const Facts &facts) {
  const ValueFacts &x = facts.get(cast.getX());
  Type from = tensorType(cast.getX()).getElementType();
  Type to = tensorType(cast.getResult()).getElementType();
  ValueFacts result = x;
  if (isa<FloatType>(from) && isa<IntegerType>(to) && !to.isInteger(1)) {
    result.bounds = truncated(x.bounds);
    result.whole = true;
  }
  bool isTruth = from.isInteger(1) || to.isInteger(1);
  if (isTruth) {
    result = ValueFacts();
    result.bounds = Interval{0, 1};
    result.whole = true;
    result.origin = Origin::Data;
    result.why = "truth values";
  } else if (isa<IntegerType>(from) && isa<FloatType>(to)) {
    // An integer that a constant holds needs no more care than the constant.
    if (x.origin != Origin::Fixed)
      result.origin = Origin::Counts;
    result.whole = true;
  }
  return result;
}

bool amp::ranges::transferElementwise(Operation *op, Facts &facts) {
  if (isa<AddOp, SubOp, MulOp, DivOp, MaxOp, MinOp, PowOp, ModOp, FModOp,
          CompareOp, AndOp, OrOp, XorOp>(op)) {
    facts.set(op->getResult(0), binaryFacts(op, facts));
    return true;
  }
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](SelectOp select) {
        ValueFacts both = merged(
            {facts.get(select.getOnTrue()), facts.get(select.getOnFalse())});
        both.constant = false;
        facts.set(select.getResult(), std::move(both));
        return true;
      })
      .Case([&](FanInSumOp sum) {
        Interval total = Interval::of(0);
        for (Value term : sum.getTerms())
          total = add(total, facts.bounds(term));
        facts.set(sum.getResult(), total, "sum of gradients");
        return true;
      })
      .Case([&](CastOp cast) {
        facts.set(cast.getResult(), castFacts(cast, facts));
        return true;
      })
      .Case([&](IotaOp iota) {
        auto shape = tensorType(iota.getResult()).getShape();
        int64_t last = std::max<int64_t>(shape[iota.getAxis()], 1) - 1;
        ValueFacts known;
        known.bounds = {0, static_cast<double>(last)};
        known.whole = true;
        known.origin = Origin::Counts;
        known.why = "iota up to " + std::to_string(last);
        facts.set(iota.getResult(), std::move(known));
        return true;
      })
      .Default(false);
}
