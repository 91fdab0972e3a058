//===- CutCasts.cpp - Where casts will stand in the end -------------------===//
//
// The two moves of amp-simplify-casts, over one view at a time until nothing
// changes, on the types of an assignment.
//
//===----------------------------------------------------------------------===//

#include "../CastMoves.h"
#include "CutBuilder.h"

using namespace mlir;

namespace amp {

std::optional<cut::Label>
CutBuilder::demandOf(OpOperand &use, const cut::Labels &labels) const {
  cut::Label own = labels[storage.lookup(use.get())];
  Operation *op = use.getOwner();
  switch (operandSlot(use)) {
  case Slot::None:
    return std::nullopt;
  case Slot::Any:
    return own;
  case Slot::Wide:
    return widest();
  case Slot::Saved: {
    // As amp-insert-casts narrows it, where the range allows.
    if (own != widest())
      return own;
    Operation *maker = use.get().getDefiningOp();
    for (cut::Label label = 0; label < widest(); ++label)
      if (!isForbidden(maker, label))
        return label;
    return own;
  }
  case Slot::Low:
    if (isLowOperand(use))
      return 0;
    if (auto number = computeOf(op))
      return labels[*number];
    return own;
  case Slot::Same:
    if (auto number = storageOf(op->getResult(0)))
      return labels[*number];
    return own;
  }
  return own;
}

/// The one type that everything that reads a value reads, or nullopt.
std::optional<cut::Label>
CutBuilder::onlyDemand(Value value, const cut::Labels &labels) const {
  std::optional<cut::Label> wanted;
  for (OpOperand &use : value.getUses()) {
    auto demand = demandOf(use, labels);
    if (!demand || (wanted && *wanted != *demand))
      return std::nullopt;
    wanted = demand;
  }
  return wanted;
}

/// Everything that reads the view's result reads it in one other type.
bool CutBuilder::hoist(Operation *view, cut::Labels &labels) const {
  cut::Label &own = labels[storage.lookup(view->getResult(0))];
  auto wanted = onlyDemand(view->getResult(0), labels);
  if (!wanted || *wanted == own || !mayHoistCast(view, *wanted < own))
    return false;
  own = *wanted;
  return true;
}

/// Nothing else reads the view's operand in the view's type.
bool CutBuilder::sink(Operation *view, cut::Labels &labels) const {
  Value source = view->getOperand(0);
  cut::Label from = labels[storage.lookup(source)];
  cut::Label &own = labels[storage.lookup(view->getResult(0))];
  if (own == from || !maySinkCast(view, source, own < from))
    return false;
  for (OpOperand &use : source.getUses())
    if (use.getOwner() != view && demandOf(use, labels) == own)
      return false;
  own = from;
  return true;
}

/// What makes a value writes it in the one type that its aliases are read in
/// (amp-fuse-casts, amp-form-regions).
void CutBuilder::widenAliases(ArrayRef<Operation *> views,
                              cut::Labels &labels) const {
  for (Operation *view : llvm::reverse(views)) {
    cut::Label &own = labels[storage.lookup(view->getResult(0))];
    auto wanted = onlyDemand(view->getResult(0), labels);
    if (isAlias(view) && wanted && *wanted > own &&
        labels[storage.lookup(view->getOperand(0))] <= own)
      own = *wanted;
  }
}

cut::Labels CutBuilder::simplified(cut::Labels labels) const {
  SmallVector<Operation *> views;
  for (Operation &op : function.getBody().front())
    if (isUniform(&op) && op.getNumOperands() && op.getNumResults() == 1 &&
        storageOf(op.getOperand(0)) && storageOf(op.getResult(0)))
      views.push_back(&op);
  // As many rounds as the rewriter of the pass makes at most.
  constexpr unsigned kMostRounds = 10;
  bool changed = true;
  for (unsigned round = 0; changed && round < kMostRounds; ++round) {
    changed = false;
    for (Operation *view : llvm::reverse(views))
      changed |= hoist(view, labels);
    for (Operation *view : views)
      changed |= sink(view, labels);
  }
  widenAliases(views, labels);
  return labels;
}

} // namespace amp
