//===- Greedy.cpp - One walk in order, by local rules ---------------------===//
//
// The painting that the cut is compared with: the types of operands are known
// when an op is decided, those of users only by class.
//
//===----------------------------------------------------------------------===//

#include "../Slots.h"
#include "Assign.h"

using namespace mlir;

namespace amp {
namespace {

bool usedByContraction(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    return operandSlot(use) == Slot::Low;
  });
}

bool usedByKeep(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return effectiveClass(user) == PrecisionClass::Keep;
  });
}

class Greedy {
public:
  explicit Greedy(func::FuncOp function) : readers(function) {}

  Choice decide(Operation *op, OpResult result) {
    Choice choice = choose(op, result);
    if (choice.low)
      lowValues.insert(result);
    return choice;
  }

private:
  Choice choose(Operation *op, OpResult result);
  bool readsLowOnly(Operation *op) {
    return llvm::all_of(op->getOperands(), [&](Value value) {
      return !isFloatTensor(value.getType()) || lowValues.contains(value);
    });
  }
  bool readsLow(Operation *op) {
    return llvm::any_of(op->getOperands(),
                        [&](Value value) { return lowValues.contains(value); });
  }
  Readers readers;
  DenseSet<Value> lowValues;
};

Choice Greedy::choose(Operation *op, OpResult result) {
  if (auto fixed = fixedChoice(op, result))
    return *fixed;
  PrecisionClass cls = effectiveClass(op);
  if (cls == PrecisionClass::Transparent)
    return {readsLow(op), "TR-as-operand"};
  // Whoever wants it low: what it reads in float32 is not narrowed.
  if (policyClass(op) == PolicyClass::Promote &&
      (!readsLowOnly(op) || readsKept(op)))
    return {false, "PM-float32-operand"};
  if (auto choice = choiceByUsers(op, result, readers))
    return *choice;
  return readsLow(op) ? Choice{true, "FO-reads-low"}
                      : Choice{false, "FO-reads-float32"};
}

} // namespace

std::optional<Choice> choiceByUsers(Operation *op, OpResult result,
                                    const Readers &readers) {
  if (readers.onlyWide(result))
    return Choice{false, "WD-only-float32-uses"};
  if (isa<ConvOp>(op) && isNarrowConvolution(op))
    return Choice{false, "NW-narrow-convolution"};
  if (isa<ConvInputGradOp>(op) && inNormalisedNetwork(op))
    return Choice{false, "NW-gradient-into-norm"};
  PrecisionClass cls = effectiveClass(op);
  if (cls == PrecisionClass::Allow)
    return Choice{true, "AL-contraction"};
  if (usedByContraction(result))
    return Choice{true, "AL-feeds-contraction"};
  if (cls == PrecisionClass::Keep)
    return Choice{false, "KP-range-sensitive"};
  if (usedByKeep(result))
    return Choice{false, "KP-feeds-range-sensitive"};
  return std::nullopt;
}

Decisions assignGreedy(func::FuncOp function, const AssignOptions &options) {
  Greedy greedy(function);
  return decideInOrder(
      function, options,
      [&](Operation *op, OpResult result) { return greedy.decide(op, result); },
      [](Operation *op, bool resultsLow) {
        return computesLow(op, resultsLow) && !isNarrowConvolution(op);
      });
}

} // namespace amp
