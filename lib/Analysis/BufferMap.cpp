//===- BufferMap.cpp - Where each value of a function lives ---------------===//

#include "amp/Analysis/BufferMap.h"
#include "amp/Dialect/Amp/IR/Layout.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace amp {

Value inPlaceOperand(OpResult result) {
  unsigned number = result.getResultNumber();
  return TypeSwitch<Operation *, Value>(result.getOwner())
      .Case([](ReshapeOp op) {
        return isChannelsLast(op.getX().getType()) ? Value() : op.getX();
      })
      .Case([](RelayoutOp op) {
        RankedTensorType from = tensorType(op.getX());
        unsigned rank = from.getRank();
        // A copy that rounds, too, has memory of its own.
        if (from.getElementType() != op.getType().getElementType())
          return Value();
        return sameMemoryBothWays(op.getX().getType(), rank) ? op.getX()
                                                             : Value();
      })
      .Case([&](OptimizerStepOp op) -> Value {
        if (number == 0)
          return op.getParam();
        if (number <= op.getNewStates().size())
          return op.getStates()[number - 1];
        return {};
      })
      .Case([](AccumulateGradientOp op) { return op.getAccumulator(); })
      .Case([&](ScalerUpdateOp op) { return op->getOperand(number); })
      .Case([&](AdvanceCountersOp op) { return op->getOperand(number); })
      .Default([](Operation *) { return Value(); });
}

BufferMap::BufferMap(func::FuncOp function) {
  Block &body = function.getBody().front();
  int64_t position = 0, lastStep = 0, lastSum = 0;
  for (Operation &op : body) {
    if (isa<OptimizerStepOp>(op))
      lastStep = position;
    if (isa<AccumulateGradientOp>(op))
      lastSum = position;
    positions[&op] = position++;
  }
  for (Operation &op : body)
    if (isa<OptimizerStepOp>(op))
      positions[&op] = lastStep;
    else if (isa<AccumulateGradientOp>(op))
      positions[&op] = lastSum;
  findAliases(body);
  findHomes(function);
  findLifetimes(body);
}

void BufferMap::findAliases(Block &body) {
  for (Operation &op : body)
    for (OpResult result : op.getResults())
      if (Value operand = inPlaceOperand(result))
        aliasOf[result] = rootOf(operand);
}

Value BufferMap::rootOf(Value value) const {
  auto it = aliasOf.find(value);
  return it == aliasOf.end() ? value : it->second;
}

int64_t BufferMap::positionOf(Operation *op) const {
  return positions.lookup(op);
}

void BufferMap::findHomes(func::FuncOp function) {
  Block &body = function.getBody().front();
  for (auto argument : body.getArguments())
    homes[argument] = {BufferSpace::Argument, argument.getArgNumber(), {}};
  for (Operation &op : body) {
    if (auto read = dyn_cast<ReadOp>(op))
      homes[read.getResult()] = {BufferSpace::Variable, -1,
                                 read.getVariableAttr()};
    else if (isa<ConstantOp>(op))
      homes[op.getResult(0)] = {BufferSpace::Constant, -1, {}};
    else if (auto write = dyn_cast<WriteOp>(op)) {
      // A shadow has no reader in the step that writes it: the update writes
      // the variable itself.
      auto step = write.getValue().getDefiningOp<OptimizerStepOp>();
      if (step && llvm::is_contained(step.getShadows(), write.getValue()))
        homes[write.getValue()] = {BufferSpace::Variable, -1,
                                   write.getVariableAttr()};
    }
  }
  for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands())) {
    Value root = rootOf(value);
    // Joins and pads write their result in pieces; a result buffer is written
    // whole.
    if (homes.count(root) ||
        isa_and_nonnull<ConcatOp, PadOp>(root.getDefiningOp()))
      copiedResults.insert(i);
    else
      homes[root] = {BufferSpace::Result, (int64_t)i, {}};
  }
}

Home BufferMap::homeOf(Value value) const {
  return homes.lookup(rootOf(value));
}

void BufferMap::findLifetimes(Block &body) {
  llvm::DenseMap<Value, unsigned> index;
  for (Operation &op : body) {
    int64_t here = positionOf(&op);
    for (Value operand : op.getOperands()) {
      auto it = index.find(rootOf(operand));
      if (it != index.end())
        arena[it->second].last = std::max(arena[it->second].last, here);
    }
    for (Value result : op.getResults()) {
      Value root = rootOf(result);
      if (root != result || homes.count(root))
        continue;
      index[root] = arena.size();
      arena.push_back({root, tensorBytes(root.getType()), here, here});
    }
  }
}

} // namespace amp
