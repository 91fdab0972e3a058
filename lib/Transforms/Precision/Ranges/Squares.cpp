//===- Squares.cpp - Squares whose size nobody knows ----------------------===//
//
// A norm or a variance is a root of squares: their size is the square of that
// of the numbers, beyond what float16 holds long before these are.
//
//===----------------------------------------------------------------------===//

#include "../Slots.h"
#include "Verdicts.h"

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

Value amp::ranges::squareBase(Operation *op, const RangeAnalysis &facts) {
  auto behindAbs = [](Value value) {
    auto abs = value.getDefiningOp<AbsOp>();
    return abs ? Value(abs.getX()) : value;
  };
  if (auto mul = dyn_cast_or_null<MulOp>(op))
    return behindAbs(mul.getLhs()) == behindAbs(mul.getRhs())
               ? behindAbs(mul.getLhs())
               : Value();
  if (auto pow = dyn_cast_or_null<PowOp>(op)) {
    // Higher powers are larger still.
    const ValueFacts &exponent = facts[pow.getRhs()];
    return exponent.constant && exponent.bounds.lo >= 2
               ? behindAbs(pow.getLhs())
               : Value();
  }
  return {};
}

static bool isConstant(Value value, const RangeAnalysis &facts) {
  return facts[value].constant;
}

/// Whether an op with an operand that is a square, or one made of squares,
/// gives another.
static bool keepsSquares(Operation *op, const RangeAnalysis &facts) {
  if (isa<MulOp, DivOp>(op))
    return isConstant(op->getOperand(0), facts) ||
           isConstant(op->getOperand(1), facts);
  return isa<AddOp, SubOp, MaxOp, ConcatOp>(op);
}

/// The operand that an op adds up along an axis, or null.
static Value summed(Operation *op, const RangeAnalysis &facts) {
  if (isa<ReduceMeanOp, ReduceSumOp, AvgPoolOp>(op))
    return op->getOperand(0);
  // Equal weights: a mean, written as a product.
  if (auto matmul = dyn_cast<MatmulOp>(op))
    for (int i = 0; i < 2; ++i) {
      Interval weights = facts[op->getOperand(i)].expected();
      if (!weights.isEmpty() && weights.lo == weights.hi)
        return op->getOperand(1 - i);
    }
  return {};
}

/// The operand that a root, or a quotient, brings back to the size of what was
/// squared; null for other ops.
static Value takenBack(Operation *op, const RangeAnalysis &facts) {
  if (isa<SqrtOp, RsqrtOp, ReciprocalOp>(op))
    return op->getOperand(0);
  if (auto div = dyn_cast<DivOp>(op))
    return div.getRhs();
  if (auto pow = dyn_cast<PowOp>(op))
    return facts[pow.getRhs()].bounds.hi < 1 ? Value(pow.getLhs()) : Value();
  return {};
}

void Verdicts::markSquares(Value value, const Reason &reason) {
  SmallVector<Value> open = {value};
  while (!open.empty()) {
    Value next = open.pop_back_val(), root = rootOf(next);
    if (!squares.contains(root))
      continue;
    markMoved(next, reason);
    if (!reasons.try_emplace(root, reason).second)
      continue;
    Operation *op = root.getDefiningOp();
    Value base = squareBase(op, facts);
    if (!base)
      llvm::append_range(open, op->getOperands());
    // What a norm centres, and what a squared error compares: the difference
    // need not fit where both of its operands do.
    else if (rootOf(base).getDefiningOp<SubOp>())
      markComputed(base, reason);
  }
}

/// Follows what was computed from a variance to its root.
void Verdicts::followVariance(Operation *op) {
  bool passes = isa<SqrtOp>(op) || movesElements(op);
  if (isa<AddOp, SubOp, MulOp, DivOp, MaxOp>(op))
    passes = isConstant(op->getOperand(0), facts) ||
             isConstant(op->getOperand(1), facts);
  // The mean of squares less the square of the mean.
  if (auto sub = dyn_cast<SubOp>(op))
    passes |= squares.contains(rootOf(sub.getRhs()));
  if (!passes)
    return;
  for (Value operand : op->getOperands())
    if (variances.contains(operand)) {
      variances.insert(op->getResult(0));
      Reason reason = reasons.lookup(operand);
      mark(op->getResult(0), reason);
      for (Value other : op->getOperands())
        markSquares(other, reason);
      return;
    }
}

void Verdicts::followSquares(Operation *op) {
  if (op->getNumResults() != 1 || !isFloatTensor(op->getResult(0).getType()))
    return;
  bool isFine = type.overflows > 1e6;
  auto isSquare = [&](Value value) { return squares.contains(rootOf(value)); };
  Value result = op->getResult(0);
  Reason reason = "RG-square: squares of unknown size under a mean, beyond " +
                  shown(type.largest) +
                  " from |x| = " + shown(std::ceil(std::sqrt(type.overflows)));
  if (Value squared = summed(op, facts); squared && isSquare(squared)) {
    variances.insert(result);
    if (isFine) {
      // The range is that of float32, but the whole row is scaled by the
      // result.
      mark(result, "RG-square: a variance of " + std::to_string(type.bits + 1) +
                       " bits scales a whole row");
      return;
    }
    mark(result, reason);
    markSquares(squared, reason);
    return;
  }
  if (Value squared = takenBack(op, facts); squared && !isFine)
    markSquares(squared, reason);
  followVariance(op);
  bool isOne =
      squareBase(op, facts) ||
      (keepsSquares(op, facts) && llvm::any_of(op->getOperands(), isSquare));
  if (isOne && facts[result].bounds.hi >= type.overflows)
    squares.insert(result);
}
