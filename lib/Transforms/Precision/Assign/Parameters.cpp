//===- Parameters.cpp - Parameters that no contraction reads --------------===//

#include "../Slots.h"
#include "Assign.h"
#include "amp/Analysis/Uses.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace amp {

/// True for a view, a part or a join of parameters and of nothing else.
static bool isMadeOfParameters(OpResult result) {
  SmallVector<Value> open = {result};
  DenseSet<Value> seen;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (auto read = dyn_cast_or_null<ReadOp>(op)) {
      auto variable = SymbolTable::lookupNearestSymbolFrom<VariableOp>(
          op, read.getVariableAttr());
      if (!variable || variable.getKind() != VariableKind::Parameter)
        return false;
      continue;
    }
    if (!op || isa<CastOp>(op) ||
        effectiveClass(op) != PrecisionClass::Transparent)
      return false;
    for (Value operand : op->getOperands())
      if (isFloatTensor(operand.getType()))
        open.push_back(operand);
  }
  return seen.size() > 1;
}

/// A contraction reads the value, or what only moves it.
static bool feedsContraction(Value value) {
  return anyUse(
      value, [](OpOperand &use) { return operandSlot(use) == Slot::Low; },
      [](OpOperand &use) { return operandSlot(use) == Slot::Same; });
}

bool isUnmultipliedParameter(OpResult result) {
  return isMadeOfParameters(result) && !feedsContraction(result);
}

} // namespace amp
