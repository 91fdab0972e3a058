//===- CutUses.cpp - Who reads which value in which type ------------------===//

#include "../Forbid.h"
#include "CutBuilder.h"
#include "amp/Analysis/Casts.h"
#include "amp/Analysis/Traffic.h"

using namespace mlir;

namespace amp {
namespace {

bool isForward(Operation *op) { return phaseOf(op) == Phase::Forward; }

int64_t elementsOf(Value value) { return tensorType(value).getNumElements(); }

} // namespace

bool isCopy(Operation *op) {
  return isa<ReshapeOp, TransposeOp, SliceOp, BroadcastOp, StridedCopyOp>(op);
}

bool writesAnyType(Operation *op) { return isCopy(op) || roundsToAnyType(op); }

/// A copy of the value into another order reads the type it has and writes the
/// one that is read. Behind a kernel, or a routine that writes for it alone,
/// the cast is part of these.
bool CutBuilder::roundsInCopy(Value value) const {
  value = memoryOf(value);
  Operation *op = value.getDefiningOp();
  return !op || !(inKernel(op) || (writesAnyType(op) && value.hasOneUse()));
}

/// An op of the reader's kernel, perhaps a later one, needs what `op` makes.
bool CutBuilder::kernelNeeds(Operation *reader, Operation *op) {
  Attribute region = reader->getAttr(kRegionAttr);
  if (!region)
    return false;
  if (lastOfKernel.empty())
    for (Operation &each : *reader->getBlock())
      if (Attribute own = each.getAttr(kRegionAttr))
        lastOfKernel[own] = &each;
  Operation *last = lastOfKernel.lookup(region);
  DenseSet<Operation *> seen = {op};
  SmallVector<Operation *> open = {op};
  while (!open.empty())
    for (Operation *user : open.pop_back_val()->getUsers()) {
      if (user->getAttr(kRegionAttr) == region)
        return true;
      if (user->isBeforeInBlock(last) && seen.insert(user).second)
        open.push_back(user);
    }
  return false;
}

/// A kernel that reads all of a value in the phase in which it is made writes
/// its copies on the way, as amp-form-regions joins what reads one tensor.
void CutBuilder::fuseCasts(Value value, Operation *reader) {
  value = memoryOf(value);
  Operation *op = value.getDefiningOp();
  if (op && (inKernel(op) || isa<ReadOp, ConstantOp>(op)))
    return;
  if (op ? op->getAttr("amp.phase") != reader->getAttr("amp.phase")
         : !isForward(reader))
    return;
  // Not if a routine reads a copy before: what that writes, the kernel may
  // need.
  SmallVector<Value> names = {value};
  for (size_t i = 0; i < names.size(); ++i)
    for (OpOperand &use : names[i].getUses()) {
      Operation *user = use.getOwner();
      if (isAlias(user))
        names.push_back(user->getResult(0));
      else if (operandSlot(use) != Slot::Any && !inKernel(user) &&
               (user->isBeforeInBlock(reader) || kernelNeeds(reader, user)))
        return;
    }
  cut::Copies &own = problem.copies[copies[value]];
  if (own.both) {
    own.both = 0;
    return;
  }
  for (cut::Label s = 0; s <= widest(); ++s)
    for (cut::Label t = 0; t <= widest(); ++t)
      if (s != t && own.price[s][t] < cut::kForbidden)
        own.price[s][t] = elementsOf(value) * bytes(t) + weights.copy;
}

void CutBuilder::addUse(OpOperand &use) {
  Value value = use.get();
  Operation *op = use.getOwner();
  auto known = storage.find(value);
  if (known == storage.end())
    return;
  unsigned variable = known->second;
  cut::Copies &own = problem.copies[copies[memoryOf(value)]];
  Traffic traffic = trafficOf(op);
  int64_t loads = traffic.loads[use.getOperandNumber()];
  int64_t copied = traffic.copies[use.getOperandNumber()];
  bool rounds = copied && roundsInCopy(value);
  // What such a copy reads has the type of the memory, not that of a view.
  unsigned memory = rounds ? storage.lookup(memoryOf(value)) : variable;
  // Whoever reads a copy first has it made.
  if (copied && !copiedValues.insert(memoryOf(value)).second)
    copied = 0;
  Slot slot = operandSlot(use);
  Operation *maker = memoryOf(value).getDefiningOp();
  bool madeInKernel = maker && inKernel(maker);
  auto readAlways = [&](cut::Label label) {
    fixedBytes += (loads + copied) * bytes(label);
    if (!rounds) {
      fixedBytes += copied * bytes(label);
      own.wanted |= 1u << label;
      return;
    }
    addMoves(memory, copied);
    own.readers.push_back(memory);
  };
  auto readBy = [&](unsigned reader) {
    addMoves(reader, loads + copied);
    addMoves(rounds ? memory : reader, copied);
    own.readers.push_back(rounds ? memory : reader);
  };
  // What forward keeps for backward has the type backward wants.
  if (slot == Slot::Saved && loads && !isForbidden(value.getDefiningOp(), 0))
    return readAlways(0);
  // Of attention only what is between its products is in a kernel.
  if (inKernel(op) && !isContraction(op)) {
    if (!loads)
      return; // A register, or charged to another op of the kernel.
    if (loads >= elementsOf(value))
      fuseCasts(value, op);
    if (weights.saved && !isForward(op) && value.getDefiningOp() &&
        isForward(value.getDefiningOp()))
      addMoves(variable, elementsOf(value));
    return readBy(variable);
  }
  // Written straight to where it goes, in the type of the result or variable.
  if (isa<func::ReturnOp, WriteOp>(op))
    return readAlways(widest());
  // A sum whose parts a kernel leaves in memory begins in registers.
  if (marked && slot == Slot::Any && !loads)
    return;
  switch (slot) {
  case Slot::None:
    return;
  case Slot::Low: {
    bool ownLayout = isParameter(value) && !layoutUse(op, value).empty();
    unsigned number = compute.lookup(op);
    if (!ownLayout)
      return readBy(number);
    // A copy in the layout of this use, in whatever type.
    return addMoves(number,
                    loads + (updated.contains(value) ? elementsOf(value) : 0));
  }
  case Slot::Wide:
    return readAlways(widest());
  case Slot::Same:
    // A copy that is made reads any type and writes its own, unless a kernel
    // makes the value, which rounds for it; scalars come out of reshapes, which
    // part the cast from it.
    if (isCopy(op) && loads && elementsOf(value) > 1 && !madeInKernel)
      return readBy(variable);
    if (auto result = storage.find(op->getResult(0)); result != storage.end())
      return readBy(result->second);
    return;
  case Slot::Any:
  case Slot::Saved:
    return readBy(variable);
  }
}

} // namespace amp
