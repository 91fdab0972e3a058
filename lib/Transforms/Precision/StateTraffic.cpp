//===- StateTraffic.cpp - Bytes that parameters and moments take ----------===//

#include "StateTraffic.h"
#include "amp/Dialect/Amp/IR/Functions.h"
#include "amp/Dialect/Amp/IR/Layout.h"
#include "amp/Transforms/Precision/Passes.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace amp;

namespace {

int64_t bytesOf(Type type) { return tensorBytes(type); }

/// A cast of a parameter: its readers get a copy that the update writes.
CastOp copyOf(OpOperand &use) {
  auto cast = dyn_cast<CastOp>(use.getOwner());
  return cast && !cast.getUser() ? cast : CastOp();
}

/// The parameter of an update; everything else reads.
bool isUpdated(OpOperand &use) {
  return isa<OptimizerStepOp>(use.getOwner()) && use.getOperandNumber() == 0;
}

/// Bytes of the copies of each parameter, one of each type.
using Copies = DenseMap<Attribute, SmallVector<Type, 2>>;

int64_t readBytes(ReadOp read, Copies &copies) {
  int64_t bytes = 0;
  for (OpOperand &use : read->getUses()) {
    CastOp copy = copyOf(use);
    if (copy) {
      SmallVector<Type, 2> &types = copies[read.getVariableAttr().getAttr()];
      if (!llvm::is_contained(types, copy.getType()))
        types.push_back(copy.getType());
    }
    if (copy)
      for (OpOperand &reader : copy->getUses())
        bytes += bytesOf(reader.get().getType());
    else if (!isUpdated(use))
      bytes += bytesOf(read.getType());
  }
  return bytes;
}

int64_t updateBytes(OptimizerStepOp step, const Copies &copies) {
  int64_t bytes = bytesOf(step.getParam().getType()) +
                  bytesOf(step.getNewParam().getType());
  for (ValueRange states :
       {ValueRange(step.getStates()), ValueRange(step.getNewStates())})
    for (Value state : states)
      bytes += bytesOf(state.getType());
  if (auto read = step.getParam().getDefiningOp<ReadOp>())
    for (Type copy : copies.lookup(read.getVariableAttr().getAttr()))
      bytes += bytesOf(copy);
  return bytes;
}

} // namespace

StateTraffic amp::stateTraffic(ModuleOp module) {
  SymbolTable symbols(module);
  StateTraffic traffic;
  Copies copies;
  // All reads first: an update writes what any function reads.
  for (auto function : functionsWithBody(module))
    for (auto read : function.getBody().front().getOps<ReadOp>()) {
      auto variable = symbols.lookup<VariableOp>(read.getVariable());
      if (variable && variable.getTrained())
        traffic[function.getSymNameAttr()] += readBytes(read, copies);
    }
  for (auto function : functionsWithBody(module))
    for (auto step : function.getBody().front().getOps<OptimizerStepOp>())
      traffic[function.getSymNameAttr()] += updateBytes(step, copies);
  return traffic;
}

void amp::adjustPredictions(ModuleOp module, const StateTraffic &before) {
  auto known = module->getAttrOfType<DictionaryAttr>(kPredictedBytesAttr);
  if (!known)
    return;
  NamedAttrList items(known);
  Builder builder(module.getContext());
  for (auto [function, bytes] : stateTraffic(module)) {
    auto numbers = known.getAs<DenseI64ArrayAttr>(function);
    if (!numbers || numbers.size() != 3)
      continue;
    // Decided and greedy; in float32 state is float32, too.
    int64_t added = bytes - before.lookup(function);
    items.set(function,
              builder.getDenseI64ArrayAttr(
                  {numbers[0] + added, numbers[1] + added, numbers[2]}));
  }
  module->setAttr(kPredictedBytesAttr,
                  items.getDictionary(module.getContext()));
}
