//===- Patterns.cpp - Sub-expressions that hang on small numbers ----------===//
//
// Found on the data flow, whatever the shapes and the order of operands.
//
//===----------------------------------------------------------------------===//

#include "../Slots.h"
#include "Verdicts.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

/// The positive constant that an op adds to, takes the larger of with, or takes
/// in the place of its other operand; 0 if there is none.
static double guardOf(Operation *op, const RangeAnalysis &facts) {
  auto constant = [&](Value value) {
    const ValueFacts &known = facts[value];
    bool isOne = known.constant && known.bounds.lo == known.bounds.hi;
    return isOne ? known.bounds.lo : 0.0;
  };
  if (auto sub = dyn_cast<SubOp>(op))
    return std::max(-constant(sub.getRhs()), 0.0);
  SmallVector<Value, 2> operands;
  if (auto select = dyn_cast<SelectOp>(op))
    operands = {select.getOnTrue(), select.getOnFalse()};
  else if (isa<AddOp, MaxOp>(op))
    operands = {op->getOperand(0), op->getOperand(1)};
  for (Value operand : operands)
    if (double guard = constant(operand); guard > 0)
      return guard;
  return 0;
}

/// The operand that must not become 0, or null: of a quotient, a root below a
/// quotient, a logarithm or a negative power.
static Value divisorOf(Operation *op, const RangeAnalysis &facts) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([](DivOp div) { return Value(div.getRhs()); })
      .Case([](ReciprocalOp r) { return Value(r.getX()); })
      .Case([](RsqrtOp r) { return Value(r.getX()); })
      .Case([](LogOp log) { return Value(log.getX()); })
      .Case([&](PowOp pow) {
        return facts[pow.getRhs()].bounds.hi < 0 ? Value(pow.getLhs())
                                                 : Value();
      })
      .Default([](Operation *) { return Value(); });
}

/// The operand through which a small constant that was added still shows.
static Value passesGuard(Operation *op, const RangeAnalysis &facts) {
  if (movesElements(op) ||
      isa<SqrtOp, AbsOp, ReduceMeanOp, ReduceSumOp, ReduceMaxOp, ReduceMinOp>(
          op))
    return op->getOperand(0);
  if (isa<MulOp, DivOp, MinOp, PowOp>(op)) {
    if (facts[op->getOperand(1)].constant)
      return op->getOperand(0);
    if (isa<MulOp, MinOp>(op) && facts[op->getOperand(0)].constant)
      return op->getOperand(1);
    // Squares of a root: gradients of quotients.
    if (isa<MulOp>(op) && op->getOperand(0) == op->getOperand(1))
      return op->getOperand(0);
  }
  return {};
}

void Verdicts::markGuarded(Value value, const Reason &reason) {
  while (value && guarded.count(value) && !reasons.contains(value)) {
    mark(value, reason);
    Operation *op = value.getDefiningOp();
    value = passesGuard(op, facts);
    // A square is as small as what is added to it, and vanishes first.
    if (!value && guardOf(op, facts) > 0)
      for (Value operand : op->getOperands())
        if (squareBase(rootOf(operand).getDefiningOp(), facts))
          markComputed(operand, reason);
  }
}

void Verdicts::followEpsilon(Operation *op) {
  if (Value divisor = divisorOf(op, facts);
      divisor && isFloatTensor(divisor.getType())) {
    if (auto guard = guarded.find(divisor); guard != guarded.end()) {
      markGuarded(divisor, "RG-epsilon: only " + shown(guard->second) + " < " +
                               shown(type.leastNormal) +
                               " keeps a divisor, root or logarithm from 0");
    } else {
      double least = facts[divisor].bounds.lo;
      if (least > 0 && least < type.leastNormal)
        markComputed(divisor, "RG-epsilon: a divisor or logarithm reads values "
                              "down to " +
                                  shown(least) + " < " +
                                  shown(type.leastNormal));
    }
  }
  if (op->getNumResults() != 1 || !isFloatTensor(op->getResult(0).getType()))
    return;
  double guard = guardOf(op, facts);
  if (Value from = passesGuard(op, facts))
    if (auto found = guarded.find(from); found != guarded.end())
      guard = found->second;
  if (guard > 0 && guard < type.leastNormal)
    guarded[op->getResult(0)] = guard;
}

void Verdicts::judgeDifference(Operation *op) {
  if (!isa<AddOp, SubOp>(op))
    return;
  Interval result = facts[op->getResult(0)].bounds;
  if (result.contains(0))
    return;
  Interval a = facts[op->getOperand(0)].bounds,
           b = facts[op->getOperand(1)].bounds;
  if (!a.isFinite() || !b.isFinite())
    return;
  auto round = [&](Interval x) {
    return Interval{type.rounded(x.lo), type.rounded(x.hi)};
  };
  bool subtracts = isa<SubOp>(op);
  for (int i = 0; i < 2; ++i) {
    Interval x = i == 0 ? round(a) : a, y = i == 1 ? round(b) : b;
    Interval rounded = subtracts ? Interval{x.lo - y.hi, x.hi - y.lo}
                                 : Interval{x.lo + y.lo, x.hi + y.hi};
    if (rounded.contains(0))
      markComputed(op->getOperand(i),
                   "RG-cancellation: a difference in " + result.text() +
                       " becomes 0 once its operand is rounded");
  }
}

void Verdicts::judgeMask(Operation *op) {
  // Whether a number is infinite changes with its type.
  if (isa<CompareOp>(op))
    for (int i = 0; i < 2; ++i) {
      const ValueFacts &limit = facts[op->getOperand(i)];
      Value other = op->getOperand(1 - i);
      if (!limit.constant || !std::isinf(limit.bounds.lo + limit.bounds.hi) ||
          facts[other].constant || !isFloatTensor(other.getType()))
        continue;
      Reason reason = "RG-mask: compared with infinity, which the type makes "
                      "of numbers beyond " +
                      shown(type.largest);
      markMoved(other, reason);
      mark(rootOf(other), reason);
    }
  if (!isa<AddOp>(op))
    return;
  for (int i = 0; i < 2; ++i) {
    Interval sentinel = facts[op->getOperand(i)].expected();
    bool isOpen = facts[op->getOperand(1 - i)].expected().isEmpty();
    if (isOpen && sentinel.magnitude() >= type.largest / 2 &&
        sentinel.magnitude() < type.overflows)
      mark(op->getResult(0), "RG-mask: " + shown(sentinel.lo) +
                                 " plus numbers of unknown size, beyond " +
                                 shown(type.largest));
  }
}

/// A constant, or an initial value, that multiplies numbers of unknown size.
/// These are taken to be around 1, as what a network hands on is.
void Verdicts::judgeFactor(Operation *op) {
  if (!isa<MulOp, DivOp>(op) || !isFloatTensor(op->getResult(0).getType()))
    return;
  for (int i = 0; i < 2; ++i) {
    Value value = op->getOperand(i);
    Operation *maker = rootOf(value).getDefiningOp();
    Interval factor = facts[value].expected();
    if (!isa_and_nonnull<ReadOp, ConstantOp>(maker) || factor.isEmpty() ||
        !facts[op->getOperand(1 - i)].expected().isEmpty())
      continue;
    double most = factor.magnitude();
    bool divides = isa<DivOp>(op) && i == 1;
    if (divides)
      most = factor.contains(0)
                 ? 0
                 : std::max(1 / std::fabs(factor.lo), 1 / std::fabs(factor.hi));
    std::string text = std::string("numbers of unknown size ") +
                       (divides ? "by " : "times ") + factor.text() + ", ";
    if (most >= type.overflows)
      mark(op->getResult(0),
           "RG-overflow: " + text + "beyond " + shown(type.largest));
    else if (most > 0 && most < type.leastNormal)
      mark(op->getResult(0),
           "RG-underflow: " + text + "below " + shown(type.leastNormal));
  }
}

/// A bias, or a constant, so large that numbers around 1 added to it do not
/// show.
void Verdicts::judgeShift(Operation *op) {
  if (!isa<AddOp, SubOp, MatmulOp, ConvOp>(op) ||
      !isFloatTensor(op->getResult(0).getType()))
    return;
  auto judge = [&](Value given, bool isOpen) {
    Operation *maker = rootOf(given).getDefiningOp();
    Interval shift = facts[given].expected();
    if (!isOpen || !isa_and_nonnull<ReadOp, ConstantOp>(maker) ||
        shift.isEmpty() || shift.contains(0))
      return;
    double least = std::min(std::fabs(shift.lo), std::fabs(shift.hi));
    if (type.spacing(least) >= 1)
      mark(op->getResult(0), "RG-resolution: numbers of unknown size beside " +
                                 shift.text() + ", where neighbours are " +
                                 shown(type.spacing(least)) + " apart");
  };
  if (isa<AddOp, SubOp>(op))
    for (int i = 0; i < 2; ++i)
      judge(op->getOperand(i),
            facts[op->getOperand(1 - i)].expected().isEmpty());
  if (isa<MatmulOp, ConvOp>(op)) {
    auto matmul = dyn_cast<MatmulOp>(op);
    if (Value bias = matmul ? matmul.getBias() : cast<ConvOp>(op).getBias())
      judge(bias, !facts[op->getResult(0)].bounds.isFinite());
  }
}

bool amp::ranges::selectsMask(SelectOp select, const RangeAnalysis &facts) {
  const ValueFacts &a = facts[select.getOnTrue()],
                   &b = facts[select.getOnFalse()];
  auto isSentinel = [](const ValueFacts &known) {
    return known.constant && known.bounds.lo == known.bounds.hi &&
           known.bounds.isFinite() && known.bounds.lo <= -kSentinel;
  };
  // The scores themselves must fit without clamping.
  if (isSentinel(a) == isSentinel(b) ||
      (isSentinel(a) ? b : a).expected().magnitude() >= kSentinel)
    return false;
  // Nothing but softmax reads the scores.
  SmallVector<Value> open = {select.getResult()};
  bool found = false;
  constexpr size_t kMostValues = 64;
  for (size_t i = 0; i < open.size(); ++i)
    for (Operation *user : open[i].getUsers()) {
      if (isa<SoftmaxOp, LogSoftmaxOp>(user))
        found = true;
      else if (movesElements(user) && open.size() < kMostValues)
        open.push_back(user->getResult(0));
      else
        return false;
    }
  return found;
}
