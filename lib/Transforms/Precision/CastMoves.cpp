//===- CastMoves.cpp - Over which ops a cast may move ---------------------===//

#include "CastMoves.h"
#include "Slots.h"
#include "amp/Analysis/Uses.h"

using namespace mlir;

namespace amp {
namespace {

int64_t elementsOf(Value value) { return tensorType(value).getNumElements(); }

/// What the user wants stored in a type is stored in it.
bool hasForcedType(Operation *op) {
  return isForced(op) || forcedStorage(op->getResult(0));
}

bool isReadByProduct(Value value) {
  return anyUse(
      value, [](OpOperand &use) { return isa<MatmulOp>(use.getOwner()); },
      [](OpOperand &use) { return isa<CastOp>(use.getOwner()); });
}

/// One copy takes a slice in another order and rounds; a cast between the two
/// would make two copies of it. A product may read the other order as it is.
bool partsCopy(Operation *op) {
  auto transpose = dyn_cast<TransposeOp>(op);
  auto slice =
      transpose ? transpose.getX().getDefiningOp<SliceOp>() : SliceOp();
  return slice && slice->hasOneUse() && !isReadByProduct(transpose);
}

/// True if a launch that can round on its way out makes the value.
bool isMadeInKernel(Value value) {
  Operation *op = value.getDefiningOp();
  return op && !isa<ReadOp, ConstantOp>(op) && !isContraction(op) &&
         !isUniform(op);
}

/// True if a kernel finds the largest elements of rows, which reads any type
/// and has the rest of the row's arithmetic in it; pools are left to a routine.
bool isRowExtreme(Operation *op) {
  if (!isa<ReduceMaxOp, ReduceMinOp>(op))
    return false;
  auto axes = op->getAttrOfType<DenseI64ArrayAttr>("axes").asArrayRef();
  return axes.size() == 1 &&
         axes.front() + 1 == tensorType(op->getOperand(0)).getRank();
}

} // namespace

bool mayHoistCast(Operation *op, bool narrows) {
  // A gather reads few rows; casting the whole table for it costs more.
  if (!isa<ReshapeOp, TransposeOp, SliceOp, BroadcastOp>(op) ||
      hasForcedType(op))
    return false;
  // One element is no traffic, and what repeats it writes any type.
  int64_t before = elementsOf(op->getOperand(0));
  int64_t behind = elementsOf(op->getResult(0));
  if (before == 1)
    return false;
  return narrows ? before <= behind && !partsCopy(op) : before < behind;
}

bool maySinkCast(Operation *op, Value source, bool narrows) {
  int64_t before = elementsOf(source);
  bool repeatsOne = isa<BroadcastOp>(op) && before == 1;
  if (!repeatsOne &&
      !isa<ReshapeOp, TransposeOp, SliceOp, GatherOp, ReduceMaxOp, ReduceMinOp>(
          op))
    return false;
  if (hasForcedType(op) || isRowExtreme(op))
    return false;
  int64_t behind = elementsOf(op->getResult(0));
  return narrows ? repeatsOne || (behind < before && !isMadeInKernel(source))
                 : behind <= before;
}

} // namespace amp
