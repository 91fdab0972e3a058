//===- Unary.cpp - Ranges of elementwise ops with one operand -------------===//

#include "Transfer.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
static double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
}
static double signum(double x) { return (x > 0) - (x < 0); }
static double larger0(double x) { return std::max(x, 0.0); }

/// Least value of GELU in either form, rounded down (near x = -0.75).
static constexpr double kLeastGelu = -0.1701;
/// Bounds of the derivative of GELU in either form, rounded outwards.
static constexpr Interval kGeluSlope = {-0.13, 1.13};

static Interval gelu(Interval x) {
  // Below x everywhere, and rising where x is positive.
  double hi = std::max(x.hi, 0.0);
  return {x.lo >= 0 ? x.lo / 2 : kLeastGelu, hi};
}

static Interval unit() { return {0, 1}; }

/// The image of the operand, or nullopt for ops of other families.
static std::optional<Interval> image(Operation *op, Interval x) {
  using Result = std::optional<Interval>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](NegOp) -> Result { return neg(x); })
      .Case([&](AbsOp) -> Result { return abs(x); })
      .Case([&](SignOp) -> Result { return rising(x, signum); })
      .Case([&](FloorOp) -> Result { return rising(x, std::floor); })
      .Case([&](CeilOp) -> Result { return rising(x, std::ceil); })
      .Case([&](RoundOp) -> Result { return rising(x, std::nearbyint); })
      .Case([&](ExpOp) -> Result { return rising(x, std::exp); })
      .Case([&](Expm1Op) -> Result { return rising(x, std::expm1); })
      .Case([&](LogOp) -> Result { return rising(x, std::log, 0); })
      .Case([&](Log1pOp) -> Result { return rising(x, std::log1p, -1); })
      .Case([&](SqrtOp) -> Result { return rising(x, std::sqrt, 0); })
      .Case([&](RsqrtOp) -> Result {
        if (!(x.lo > 0))
          return Interval::all();
        return Interval{1 / std::sqrt(x.hi), 1 / std::sqrt(x.lo)};
      })
      .Case([&](ReciprocalOp) -> Result { return div(Interval::of(1), x); })
      .Case([&](TanhOp) -> Result { return rising(x, std::tanh); })
      .Case([&](SigmoidOp) -> Result { return rising(x, sigmoid); })
      .Case([&](SoftplusOp) -> Result { return rising(x, softplus); })
      .Case([&](ErfOp) -> Result { return rising(x, std::erf); })
      .Case([&](SinOp) -> Result { return Interval{-1, 1}; })
      .Case([&](CosOp) -> Result { return Interval{-1, 1}; })
      .Case([&](ReluOp) -> Result { return rising(x, larger0); })
      .Case([&](NotOp) -> Result { return unit(); })
      .Case([&](IsNanOp) -> Result { return unit(); })
      .Case([&](GeluOp) -> Result { return gelu(x); })
      .Default([](Operation *) -> Result { return std::nullopt; });
}

bool amp::ranges::transferUnary(Operation *op, Facts &facts) {
  if (auto grad = dyn_cast<GeluGradOp>(op)) {
    facts.set(op->getResult(0), mul(facts.bounds(grad.getDy()), kGeluSlope),
              "derivative of gelu");
    return true;
  }
  if (auto grad = dyn_cast<ReluGradOp>(op)) {
    facts.set(op->getResult(0),
              hull(facts.bounds(grad.getDy()), Interval::of(0)),
              "derivative of relu");
    return true;
  }
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return false;
  const ValueFacts &x = facts.get(op->getOperand(0));
  auto bounds = image(op, x.bounds);
  if (!bounds)
    return false;
  ValueFacts result;
  result.bounds = *bounds;
  if (bounds->isKnown()) {
    result.why = op->getName().stripDialect().str();
    if (x.bounds.isKnown())
      result.why += " of " + x.bounds.text();
  }
  result.whole = isa<SignOp, FloorOp, CeilOp, RoundOp, NotOp, IsNanOp>(op) ||
                 (x.whole && isa<NegOp, AbsOp, ReluOp>(op));
  if (isa<NegOp, AbsOp, ReluOp>(op)) {
    if (!x.reach.isEmpty())
      result.reach = *image(op, x.reach);
    result.origin = x.origin;
  } else {
    // Angles end here, and so do truth values.
    bool ends =
        isa<SinOp, CosOp, TanhOp, SigmoidOp, ErfOp, SignOp, NotOp, IsNanOp>(op);
    result.origin =
        ends && x.origin == Origin::Counts ? Origin::Fixed : x.origin;
  }
  facts.set(op->getResult(0), std::move(result));
  return true;
}
