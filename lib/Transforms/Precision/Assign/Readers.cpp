//===- Readers.cpp - What reads and what makes a value --------------------===//

#include "Readers.h"
#include "../Slots.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace amp {

Readers::Readers(func::FuncOp function) {
  Block &body = function.getBody().front();
  SymbolTable symbols(function->getParentOfType<ModuleOp>());
  DenseSet<Value> parameters;
  for (Operation &op : body)
    if (auto read = dyn_cast<ReadOp>(op)) {
      auto variable = symbols.lookup<VariableOp>(read.getVariable());
      if (variable && variable.getKind() == VariableKind::Parameter)
        parameters.insert(read);
    } else {
      visitMaker(&op, parameters);
    }
  for (Operation &op : llvm::reverse(body))
    for (OpOperand &use : op.getOpOperands()) {
      Value value = use.get();
      Slot slot = operandSlot(use);
      bool moves = slot == Slot::Same;
      // Pieces of one gradient are added before they reach such a slot.
      bool passes = moves || isa<FanInSumOp>(op);
      if (slot != Slot::Wide &&
          (!passes || otherwise.contains(op.getResult(0))))
        otherwise.insert(value);
      if (slot == Slot::Low || (moves && multiplied.contains(op.getResult(0))))
        multiplied.insert(value);
    }
}

/// `parameters` are those met so far, as they are and moved.
void Readers::visitMaker(Operation *op, DenseSet<Value> &parameters) {
  if (isa<CastOp>(op) || effectiveClass(op) != PrecisionClass::Transparent)
    return;
  bool any = false;
  for (Value operand : op->getOperands()) {
    if (!isFloatTensor(operand.getType()))
      continue;
    if (!parameters.contains(operand))
      return;
    any = true;
  }
  if (any)
    for (Value result : op->getResults()) {
      parameters.insert(result);
      movedParameters.insert(result);
    }
}

} // namespace amp
