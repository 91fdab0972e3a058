//===- Reduce.cpp - Row and column reductions as regions ------------------===//
//
// A reduction over the innermost dimensions is a row reduction; one over the
// outermost dimensions a column sum in two halves. Others are left to the
// runtime's routine, which works in float32: float64 and integers are
// transposed first, so that they become rows.
//
//===----------------------------------------------------------------------===//

#include "../RegionBuilder.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;

namespace {

/// Physical axes of a reduction, sorted.
SmallVector<int64_t> physicalAxes(Type type, ArrayRef<int64_t> axes) {
  auto order = physicalOrder(cast<RankedTensorType>(type).getRank(),
                             isChannelsLast(type));
  SmallVector<int64_t> result;
  for (auto [physical, logical] : llvm::enumerate(order))
    if (llvm::is_contained(axes, logical))
      result.push_back(physical);
  return result;
}

bool isSuffix(ArrayRef<int64_t> axes, int64_t rank) {
  for (auto [i, axis] : llvm::enumerate(axes))
    if (axis != rank - (int64_t)axes.size() + (int64_t)i)
      return false;
  return !axes.empty();
}

bool isPrefix(ArrayRef<int64_t> axes) {
  for (auto [i, axis] : llvm::enumerate(axes))
    if (axis != (int64_t)i)
      return false;
  return !axes.empty();
}

template <typename ReduceOp>
bool seedRow(OpBuilder &builder, ReduceOp op, ArrayRef<int64_t> axes) {
  SeedBuilder seed(builder, op);
  Value x = seed.input(op.getX(), physicalType(op.getX().getType()));
  Value row = seed.reduceRow<ReduceOp>(x, axes.front());
  row = seed.toElement(row, tensorType(op.getResult()).getElementType());
  op->replaceAllUsesWith(seed.finish(row, op.getResult().getType()));
  op->erase();
  return true;
}

/// The same over any axes, with those brought to the end.
template <typename ReduceOp>
bool seedTransposed(OpBuilder &builder, ReduceOp op) {
  auto type = tensorType(op.getX());
  if (type.getEncoding())
    return false;
  SmallVector<int64_t> order, reduced, shape, kept;
  for (int64_t i = 0; i < type.getRank(); ++i)
    (llvm::is_contained(op.getAxes(), i) ? reduced : order).push_back(i);
  int64_t first = order.size();
  llvm::append_range(order, reduced);
  for (int64_t axis : order)
    shape.push_back(type.getDimSize(axis));
  kept.assign(shape.begin(), shape.begin() + first);
  Type element = type.getElementType();
  auto transposed = TransposeOp::create(
      builder, op.getLoc(), RankedTensorType::get(shape, element), op.getX(),
      builder.getDenseI64ArrayAttr(order));
  copyPhase(op, transposed);
  SeedBuilder seed(builder, op);
  Value row = seed.reduceRow<ReduceOp>(
      seed.input(transposed, transposed.getType()), first);
  auto made = RankedTensorType::get(kept, element);
  Value result = seed.finish(row, made).front();
  if (made != op.getType()) {
    result = ReshapeOp::create(builder, op.getLoc(), op.getType(), result);
    copyPhase(op, result.getDefiningOp());
  }
  op->replaceAllUsesWith(ValueRange(result));
  op->erase();
  return true;
}

/// The sum over leading dimensions of x, seen as [rows, columns].
bool seedColumns(OpBuilder &builder, Operation *op, Value x, Value result,
                 ArrayRef<int64_t> axes, double factor) {
  RankedTensorType physical = physicalType(x.getType());
  int64_t rows = 1;
  for (int64_t axis : axes)
    rows *= physical.getDimSize(axis);
  int64_t columns = physical.getNumElements() / rows;
  SeedBuilder seed(builder, op);
  // With one remaining dimension the full shape stays, so that the producer
  // of x can join the region.
  RankedTensorType domain = physical;
  if ((int64_t)axes.size() != physical.getRank() - 1)
    domain = RankedTensorType::get({rows, columns}, physical.getElementType());
  Value partials = seed.columnPartials(seed.input(x, domain));
  Value partial = seed.finish(partials, partials.getType()).front();
  auto f32 = builder.getF32Type();
  auto outer = tensorType(result);
  auto sums = CombinePartialsOp::create(
      builder, op->getLoc(),
      RankedTensorType::get({columns},
                            factor == 1 ? outer.getElementType() : (Type)f32),
      partial, TypeAttr::get(f32));
  copyPhase(op, sums);
  Value value = sums;
  if (factor != 1) {
    SeedBuilder scale(builder, op);
    Value scaled = scale.mul(scale.input(value, tensorType(value)),
                             scale.constant(factor));
    scaled = scale.toElement(scaled, outer.getElementType());
    value = scale.finish(scaled, outer).front();
  } else if (value.getType() != outer) {
    value = ReshapeOp::create(builder, op->getLoc(), outer, value);
    copyPhase(op, value.getDefiningOp());
  }
  result.replaceAllUsesWith(value);
  op->erase();
  return true;
}

} // namespace

bool amp::seedReduce(OpBuilder &builder, Operation *op) {
  if (op->getNumResults() != 1 ||
      !isa<ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp>(op))
    return false;
  Value x = op->getOperand(0);
  auto type = tensorType(x);
  if (type.getNumElements() == 0)
    return false;
  auto axes = physicalAxes(
      type, op->getAttrOfType<DenseI64ArrayAttr>("axes").asArrayRef());
  builder.setInsertionPoint(op);
  int64_t rank = type.getRank();
  // What is left goes to a routine, which sums in float32.
  Type element = type.getElementType();
  bool isExact = element.isF64() || !isa<FloatType>(element);
  if (((int64_t)axes.size() == rank && !isExact) || axes.empty())
    return false;
  if (isSuffix(axes, rank))
    return TypeSwitch<Operation *, bool>(op)
        .Case<ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp>(
            [&](auto reduce) { return seedRow(builder, reduce, axes); })
        .Default([](Operation *) { return false; });
  if (isExact)
    return TypeSwitch<Operation *, bool>(op)
        .Case<ReduceSumOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp>(
            [&](auto reduce) { return seedTransposed(builder, reduce); })
        .Default([](Operation *) { return false; });
  if (isPrefix(axes) && isa<ReduceSumOp, ReduceMeanOp>(op)) {
    int64_t rows = 1;
    for (int64_t axis : axes)
      rows *= physicalType(type).getDimSize(axis);
    return seedColumns(builder, op, x, op->getResult(0), axes,
                       isa<ReduceMeanOp>(op) ? 1.0 / rows : 1.0);
  }
  return false;
}
