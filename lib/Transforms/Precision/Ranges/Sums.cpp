//===- Sums.cpp - Sums of many terms --------------------------------------===//
//
// Each rounding of a running total loses what is small beside it; the bound of
// a sum is that of its terms as often as there are terms.
//
//===----------------------------------------------------------------------===//

#include "../Slots.h"
#include "Verdicts.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

/// A total that is rounded more often is float32 on the way.
static constexpr int kMostRoundings = 8;

void Verdicts::followTotal(Operation *op) {
  if (!isa<AddOp, SubOp>(op) || !isFloatTensor(op->getResult(0).getType()))
    return;
  // A total that anything else reads may be what the next term is made of, as
  // in a residual network: no sum of given terms.
  int most = 0;
  for (Value operand : op->getOperands())
    if (auto found = totals.find(operand);
        found != totals.end() && operand.hasOneUse())
      most = std::max(most, found->second);
  totals[op->getResult(0)] = most + 1;
  if (most + 1 < kMostRoundings)
    return;
  Reason reason = "RG-total: a running total of " + std::to_string(most + 1) +
                  " terms or more, each rounded with it";
  // What reads the last one reads one rounding.
  SmallVector<Operation *> open = {op};
  while (!open.empty())
    for (Value operand : open.pop_back_val()->getOperands())
      if (totals.contains(operand) && operand.hasOneUse() &&
          reasons.try_emplace(operand, reason).second)
        open.push_back(operand.getDefiningOp());
}

/// The number of terms that a sum along axes adds up, and the operand; of a sum
/// of sums, all of them.
std::pair<uint64_t, Value> Verdicts::termsOf(Value value) const {
  // Sums and repetitions may alternate without end.
  uint64_t terms = 1;
  auto times = [&](int64_t count) {
    terms = llvm::SaturatingMultiply(terms, uint64_t(count));
  };
  for (;;) {
    Operation *op = rootOf(value).getDefiningOp();
    if (auto sum = dyn_cast_or_null<ReduceSumOp>(op)) {
      for (int64_t axis : sum.getAxes())
        times(tensorType(sum.getX()).getDimSize(axis));
      value = sum.getX();
    } else if (auto sum = dyn_cast_or_null<CumSumOp>(op)) {
      times(tensorType(sum.getX()).getDimSize(sum.getAxis()));
      value = sum.getX();
    } else {
      return {terms, value};
    }
  }
}

void Verdicts::judgeSum(Operation *op) {
  if (!movesElements(op) && !isa<ReduceSumOp, CumSumOp>(op))
    return;
  Value result = op->getResult(0);
  auto [terms, operand] = termsOf(result);
  // Numbers of this size are nothing unusual between the layers of a network.
  constexpr double kUsual = 64;
  if (terms > 1 && isFloatTensor(result.getType()) &&
      facts[operand].expected().isEmpty() && terms * kUsual >= type.overflows)
    mark(result, "RG-overflow: a sum of " + std::to_string(terms) +
                     " terms of unknown size, beyond " + shown(type.largest) +
                     " from |x| = " + shown(std::ceil(type.overflows / terms)));
}
