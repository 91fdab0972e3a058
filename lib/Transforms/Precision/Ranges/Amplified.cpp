//===- Amplified.cpp - What exp, log, sin, cos and powers amplify ---------===//
//
// The relative error of what they read shows in their result many times over,
// and so does that of all it was computed from by products, sums and choices.
//
//===----------------------------------------------------------------------===//

#include "../Slots.h"
#include "Verdicts.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

/// Angles that are products over fewer terms gain nothing from a low type:
/// outer products of positions and frequencies, projections of coordinates.
static constexpr int64_t kFewTerms = 16;

/// The operands whose relative error the result of an op has.
static SmallVector<Value> handedOn(Operation *op, bool isAngle) {
  return llvm::TypeSwitch<Operation *, SmallVector<Value>>(op)
      .Case([](SelectOp select) {
        return SmallVector<Value>{select.getOnTrue(), select.getOnFalse()};
      })
      .Case([&](MatmulOp matmul) {
        auto lhs = tensorType(matmul.getLhs()).getShape();
        int64_t terms = lhs[lhs.size() - (matmul.getTransposeLhs() ? 2 : 1)];
        return isAngle && terms < kFewTerms
                   ? SmallVector<Value>{matmul.getLhs(), matmul.getRhs()}
                   : SmallVector<Value>();
      })
      .Case<AddOp, SubOp, MulOp, DivOp, MaxOp, MinOp, NegOp, AbsOp, ReluOp,
            ConcatOp, CumSumOp>(
          [](auto op) { return SmallVector<Value>(op->getOperands()); })
      .Default([](Operation *) { return SmallVector<Value>(); });
}

void Verdicts::markAmplified(Value x, bool isAngle, const Reason &reason) {
  constexpr size_t kMostValues = 64;
  SmallVector<Value> open = {x};
  for (size_t i = 0; i < open.size() && i < kMostValues; ++i) {
    Value value = open[i];
    if (!isFloatTensor(value.getType()) ||
        llvm::is_contained(ArrayRef(open).take_front(i), value))
      continue;
    Operation *maker = rootOf(value).getDefiningOp();
    SmallVector<Value> operands =
        maker ? handedOn(maker, isAngle) : SmallVector<Value>();
    // What is moved is rounded where it was made, unless that is outside.
    if (!maker || isa<ReadOp, ConstantOp>(maker) || !operands.empty())
      markMoved(value, reason);
    if (operands.empty())
      markComputed(value, reason);
    else
      mark(rootOf(value), reason);
    open.append(operands);
  }
}

void Verdicts::judgeAmplifiers(Operation *op) {
  if (!isa<ExpOp, Expm1Op, SinOp, CosOp, LogOp, PowOp>(op))
    return;
  Value x = op->getOperand(0);
  if (!isFloatTensor(x.getType()))
    return;
  // How many times larger the relative error of the result may be.
  constexpr double kMost = 4;
  Interval bounds = facts[x].bounds;
  double factor = bounds.magnitude();
  if (isa<LogOp>(op)) {
    // 1 / |ln x|: unbounded around 1, and 0 has none.
    bool isFar = bounds.lo >= 2 || (bounds.lo > 0 && bounds.hi <= 0.5);
    factor = isFar ? 1 : HUGE_VAL;
  } else if (isa<PowOp>(op)) {
    factor = facts[op->getOperand(1)].bounds.magnitude();
  }
  if (factor <= kMost)
    return;
  std::string name = op->getName().stripDialect().str();
  markAmplified(x, isa<SinOp, CosOp>(op),
                "RG-amplified: " + name + " amplifies rounding " +
                    (std::isinf(factor) ? "without bound"
                                        : "up to " + shown(factor) + " times") +
                    ", operand in " + bounds.text());
}
