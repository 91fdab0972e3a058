//===- SweepPlan.cpp - What each pass over a row computes -----------------===//

#include "amp/Codegen/SweepPlan.h"
#include "amp/Codegen/KernelChecks.h"
#include "amp/Codegen/LaneBuilder.h"
#include "amp/Codegen/OpEmitter.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace amp;

// From this cost on a value is kept in a buffer for later sweeps: reading it
// back is one load, and the store hides behind the arithmetic.
static constexpr int64_t kKeepCost = 12;

bool amp::reducesRows(Operation *op) {
  auto axes = reducedAxes(op);
  if (!axes)
    return false;
  ArrayRef<int64_t> shape = tensorType(op->getOperand(0)).getShape();
  return llvm::any_of(*axes, [&](int64_t a) { return shape[a] != 1; });
}

bool amp::isControlInput(Value value) {
  if (!isa<BlockArgument>(value) || value.use_empty())
    return false;
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    return isa<DropoutOp>(use.getOwner()) && use.getOperandNumber() > 0;
  });
}

SweepPlan::SweepPlan(KernelOp kernel, const RowSpace &space)
    : kernel(kernel), space(space) {
  findLevels();
  placeOutputs();
  for (unsigned s = 0; s < sweeps.size(); ++s)
    planSweep(s);
  planRowOps();
}

/// True for values that differ between columns. Splat constants are one
/// register, whatever their shape.
bool SweepPlan::isFull(Value value) const {
  if (isControlInput(value))
    return false;
  if (auto constant = value.getDefiningOp<ConstantOp>())
    if (cast<DenseElementsAttr>(constant.getValue()).isSplat())
      return false;
  return !space.map(value).isRowUniform();
}

void SweepPlan::findLevels() {
  unsigned last = 0;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    unsigned highest = 0;
    int64_t cost = costOf(&op);
    for (Value operand : op.getOperands()) {
      highest = std::max(highest, levelOf(operand));
      if (isFull(operand))
        cost = std::min<int64_t>(cost + coneCost.lookup(operand), 1 << 20);
    }
    if (reducesRows(&op))
      ++highest;
    for (Value result : op.getResults()) {
      level[result] = highest;
      coneCost[result] = cost;
    }
    last = std::max(last, highest);
  }
  sweeps.resize(last + 1);
}

void SweepPlan::placeOutputs() {
  Operation *yield = kernel.getBody().front().getTerminator();
  for (auto [number, value] : llvm::enumerate(yield->getOperands())) {
    if (auto partials = value.getDefiningOp<ColumnPartialsOp>()) {
      outputSweep.push_back(levelOf(partials.getX()));
      sweeps[outputSweep.back()].partials.push_back(number);
      continue;
    }
    outputSweep.push_back(levelOf(value));
    Sweep &sweep = sweeps[outputSweep.back()];
    if (space.map(value).isRowUniform())
      sweep.rowStores.push_back(number);
    else
      sweep.stores.push_back(number);
  }
}

void SweepPlan::planSweep(unsigned number) {
  Sweep &sweep = sweeps[number];
  Block &body = kernel.getBody().front();
  Operation *yield = body.getTerminator();
  llvm::SmallPtrSet<Operation *, 16> needed;
  auto need = [&](Value value) {
    if (Operation *def = value.getDefiningOp())
      if (isFull(value))
        needed.insert(def);
  };
  for (unsigned output : sweep.stores)
    need(yield->getOperand(output));
  for (unsigned output : sweep.partials)
    need(yield->getOperand(output).getDefiningOp()->getOperand(0));
  for (Operation &op : body.without_terminator())
    if (reducesRows(&op) && levelOf(op.getOperand(0)) == number &&
        !op.use_empty()) {
      sweep.reductions.push_back(&op);
      need(op.getOperand(0));
    }
  for (Operation &op : llvm::reverse(body.without_terminator())) {
    if (!needed.contains(&op) || isa<ConstantOp>(op))
      continue;
    Value result = op.getResult(0);
    auto earlier = firstSweep.find(result);
    bool keep = earlier != firstSweep.end() && earlier->second < number &&
                coneCost.lookup(result) >= kKeepCost &&
                isa<FloatType>(tensorType(result).getElementType());
    if (keep) {
      auto [entry, isNew] = bufferOf.try_emplace(result, buffers);
      if (isNew) {
        ++buffers;
        sweeps[earlier->second].saves[result] = entry->second;
      }
      sweep.loads[result] = entry->second;
      continue;
    }
    firstSweep.try_emplace(result, number);
    sweep.ops.push_back(&op);
    for (Value operand : op.getOperands())
      need(operand);
  }
  std::reverse(sweep.ops.begin(), sweep.ops.end());
  for (Operation *op : sweep.ops)
    if (isa<DropoutOp>(op)) {
      sweep.dropouts.push_back(op);
      if (!llvm::is_contained(dropouts, op))
        dropouts.push_back(op);
    }
}

void SweepPlan::planRowOps() {
  Block &body = kernel.getBody().front();
  llvm::SmallPtrSet<Operation *, 16> live;
  auto use = [&](Value value) {
    if (Operation *def = value.getDefiningOp())
      live.insert(def);
  };
  for (Value output : body.getTerminator()->getOperands())
    use(output);
  for (Operation &op : llvm::reverse(body.without_terminator())) {
    if (!live.contains(&op))
      continue;
    for (Value operand : op.getOperands())
      use(operand);
  }
  for (Operation &op : body.without_terminator()) {
    if (!live.contains(&op) || isa<ConstantOp, ColumnPartialsOp>(op) ||
        reducesRows(&op) || isFull(op.getResult(0)))
      continue;
    sweeps[levelOf(op.getResult(0))].rowOps.push_back(&op);
  }
  // Dead reductions were kept while users were unknown.
  for (Sweep &sweep : sweeps)
    llvm::erase_if(sweep.reductions,
                   [&](Operation *op) { return !live.contains(op); });
}

bool SweepPlan::readsInput(unsigned number, BlockArgument input) const {
  const Sweep &sweep = sweeps[number];
  auto uses = [&](Operation *op) {
    return llvm::is_contained(op->getOperands(), Value(input));
  };
  Operation *yield = KernelOp(kernel).getBody().front().getTerminator();
  return llvm::any_of(sweep.ops, uses) || llvm::any_of(sweep.rowOps, uses) ||
         llvm::any_of(sweep.reductions, uses) ||
         llvm::any_of(sweep.stores,
                      [&](unsigned output) {
                        return yield->getOperand(output) == input;
                      }) ||
         llvm::any_of(sweep.partials, [&](unsigned output) {
           return uses(yield->getOperand(output).getDefiningOp());
         });
}
