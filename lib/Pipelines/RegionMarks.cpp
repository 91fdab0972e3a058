//===- RegionMarks.cpp - From formed regions back to the ops --------------===//

#include "RegionMarks.h"
#include "amp/Analysis/ValueKeys.h"
#include "amp/Dialect/Amp/IR/Layout.h"
#include "amp/Dialect/Amp/IR/Source.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace amp {

bool RegionMarks::Traffic::any() const {
  auto moves = [](int64_t count) { return count != 0; };
  return inner || llvm::any_of(loads, moves) || llvm::any_of(stores, moves) ||
         llvm::any_of(copies, moves);
}

RegionMarks::RegionMarks(func::FuncOp function, func::FuncOp formed)
    : function(function), formed(formed), map(formed) {
  for (Operation &op : function.getBody().front())
    if (StringAttr key = opKey(&op))
      byKey[key] = &op;
}

Operation *RegionMarks::sourceOp(Operation *formed) const {
  auto mark = sourceOf(formed->getLoc());
  return mark ? byKey.lookup(mark->key) : nullptr;
}

RegionMarks::Origin RegionMarks::originOf(Value formed) const {
  if (auto argument = dyn_cast<BlockArgument>(formed)) {
    auto region = dyn_cast<RegionOp>(argument.getOwner()->getParentOp());
    if (region)
      return originOf(region.getInputs()[argument.getArgNumber()]);
    return {func::FuncOp(function).getArgument(argument.getArgNumber()),
            nullptr};
  }
  auto result = cast<OpResult>(formed);
  Operation *op = result.getOwner();
  if (auto region = dyn_cast<RegionOp>(op))
    return originOf(region.getBody().front().getTerminator()->getOperand(
        result.getResultNumber()));
  // The same tensor in another layout.
  if (isa<RelayoutOp>(op))
    return originOf(op->getOperand(0));
  auto mark = sourceOf(op->getLoc());
  Operation *source = mark ? byKey.lookup(mark->key) : nullptr;
  if (!source)
    return {};
  // The op itself, or the piece that computes one of its results.
  if (op->getName() == source->getName() &&
      op->getNumResults() == source->getNumResults() && op->getNumResults() > 1)
    return {source->getResult(result.getResultNumber()), source};
  if (mark->result >= 0 && mark->result < (int64_t)source->getNumResults())
    return {source->getResult(mark->result), source};
  return {Value(), source};
}

RegionMarks::Traffic &RegionMarks::trafficOf(Operation *op) {
  Traffic &own = traffic[op];
  own.loads.resize(op->getNumOperands());
  own.stores.resize(op->getNumResults());
  own.copies.resize(op->getNumOperands());
  return own;
}

Value RegionMarks::memoryOf(Value value) const {
  while (auto *op = value.getDefiningOp()) {
    if (!isa<ReshapeOp, TransposeOp, SliceOp, BroadcastOp, RelayoutOp>(op))
      break;
    auto own = traffic.find(op);
    if (op->hasAttr(kRegionAttr) ||
        (own != traffic.end() && own->second.stores[0]))
      break;
    value = op->getOperand(0);
  }
  return value;
}

SmallVector<Operation *> RegionMarks::membersOf(Operation *formedOp) const {
  SmallVector<Operation *> members;
  auto add = [&](Operation *piece) {
    Operation *source = sourceOp(piece);
    if (source && !llvm::is_contained(members, source))
      members.push_back(source);
  };
  if (auto region = dyn_cast<RegionOp>(formedOp)) {
    for (Operation &piece : region.getBody().front())
      add(&piece);
    llvm::sort(members, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
  } else {
    add(formedOp);
  }
  return members;
}

void RegionMarks::addFixed(const Access &access) {
  fixedBytes +=
      access.elements * elementBytes(tensorType(access.value).getElementType());
}

void RegionMarks::addOwn(const Origin &origin, const Access &access) {
  // A result that nothing reads is a step on the way to another one.
  if (origin.value && origin.op && !origin.value.use_empty())
    trafficOf(origin.op)
        .stores[cast<OpResult>(origin.value).getResultNumber()] +=
        access.elements;
  else if (origin.op)
    trafficOf(origin.op).inner += access.elements;
  else
    addFixed(access);
}

OpOperand *RegionMarks::operandOf(Operation *member, const Origin &origin) {
  for (OpOperand &operand : member->getOpOperands())
    if (memoryOf(operand.get()) == origin.value ||
        operand.get() == origin.value)
      return &operand;
  return nullptr;
}

bool RegionMarks::addCopy(RelayoutOp copy) {
  Origin origin = originOf(copy.getX());
  DenseSet<OpOperand *> readers;
  SmallVector<Value> open = {copy.getResult()};
  while (origin.value && !open.empty()) {
    Value next = open.pop_back_val();
    for (Operation *user : next.getUsers()) {
      for (Operation *member : membersOf(user))
        if (OpOperand *operand = operandOf(member, origin))
          readers.insert(operand);
      if (isa<ReshapeOp, RelayoutOp>(user))
        open.push_back(user->getResult(0));
    }
  }
  for (OpOperand *reader : readers)
    trafficOf(reader->getOwner()).copies[reader->getOperandNumber()] +=
        tensorType(copy).getNumElements();
  return !readers.empty();
}

void RegionMarks::addLoad(const Access &access, Operation *formedOp,
                          ArrayRef<Operation *> members) {
  Origin origin = originOf(access.value);
  if (origin.value)
    for (Operation *member : members)
      if (OpOperand *operand = operandOf(member, origin)) {
        trafficOf(member).loads[operand->getOperandNumber()] += access.elements;
        return;
      }
  // Moved for its own sake (another memory layout), or a step of one op.
  addOwn(origin, access);
}

/// A region belongs to the ops whose results its pieces compute.
void RegionMarks::markRegions() {
  Builder builder(function.getContext());
  for (Operation &op : function.getBody().front()) {
    op.removeAttr(kRegionAttr);
    op.removeAttr(kTrafficAttr);
  }
  int64_t number = 0;
  for (auto region : formed.getBody().front().getOps<RegionOp>()) {
    for (Operation &piece : region.getBody().front()) {
      auto mark = sourceOf(piece.getLoc());
      Operation *source = mark ? byKey.lookup(mark->key) : nullptr;
      if (source && mark->result >= 0)
        source->setAttr(kRegionAttr, builder.getI64IntegerAttr(number));
    }
    ++number;
  }
}

void RegionMarks::write(int64_t otherBytes) {
  markRegions();
  fixedBytes += otherBytes;
  auto isChoice = [](Value value) {
    return tensorType(value).getElementType().isF32();
  };
  DenseSet<Operation *> copied;
  // Stores first: they tell views that move from those that do not.
  for (bool stores : {true, false})
    for (Operation &op : formed.getBody().front()) {
      bool border =
          op.hasTrait<OpTrait::IsTerminator>() ||
          isa<WriteOp, OptimizerStepOp, AccumulateGradientOp, CheckGradientsOp>(
              op);
      auto relayout = dyn_cast<RelayoutOp>(op);
      if (relayout && isChoice(relayout) && !inPlaceOperand(op.getResult(0)) &&
          (stores ? addCopy(relayout) : copied.contains(&op))) {
        copied.insert(&op);
        continue;
      }
      SmallVector<Operation *> members = membersOf(&op);
      for (const Access &access : accessesOf(&op, map)) {
        if (access.store != stores)
          continue;
        if (border || !isChoice(access.value))
          addFixed(access);
        else if (stores)
          addOwn(originOf(access.value), access);
        else
          addLoad(access, &op, members);
      }
    }
  Builder builder(function.getContext());
  for (auto &[op, own] : traffic) {
    if (!own.any())
      continue;
    NamedAttrList items;
    if (llvm::any_of(own.copies, [](int64_t count) { return count != 0; }))
      items.set("copies", builder.getDenseI64ArrayAttr(own.copies));
    items.set("inner", builder.getI64IntegerAttr(own.inner));
    items.set("loads", builder.getDenseI64ArrayAttr(own.loads));
    items.set("stores", builder.getDenseI64ArrayAttr(own.stores));
    op->setAttr(kTrafficAttr, items.getDictionary(builder.getContext()));
  }
  function->setAttr(kFixedBytesAttr, builder.getI64IntegerAttr(fixedBytes));
}

} // namespace amp
