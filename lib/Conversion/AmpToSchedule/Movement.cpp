//===- Movement.cpp - Copies, pads, joins, gathers ------------------------===//

#include "Scheduler.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;

namespace {

/// Strides of the memory of a value, in elements.
SmallVector<int64_t> memoryStrides(Value value) {
  return elementStrides(value.getType());
}

LogicalResult stridedCopy(Scheduler &s, StridedCopyOp op) {
  for (int64_t stride : op.getStrides())
    if (stride < 0)
      return op.emitOpError() << "walks backwards; launches take non-negative "
                                 "strides";
  s.copy(op,
         s.part(op.getX(), op.getOffset(),
                tensorType(op.getResult()).getShape(), op.getStrides()),
         s.buffer(op.getResult()));
  return success();
}

LogicalResult slice(Scheduler &s, SliceOp op) {
  auto strides = memoryStrides(op.getX());
  int64_t offset = 0;
  for (auto [i, start, step] : llvm::enumerate(op.getStarts(), op.getSteps())) {
    if (step < 0)
      return op.emitOpError() << "walks backwards; launches take non-negative "
                                 "strides";
    offset += start * strides[i];
    strides[i] *= step;
  }
  s.copy(
      op,
      s.part(op.getX(), offset, tensorType(op.getResult()).getShape(), strides),
      s.buffer(op.getResult()));
  return success();
}

void transpose(Scheduler &s, TransposeOp op) {
  auto strides = memoryStrides(op.getX());
  SmallVector<int64_t> permuted;
  for (int64_t dim : op.getPerm())
    permuted.push_back(strides[dim]);
  s.copy(op,
         s.part(op.getX(), 0, tensorType(op.getResult()).getShape(), permuted),
         s.buffer(op.getResult()));
}

void broadcast(Scheduler &s, BroadcastOp op) {
  auto from = tensorType(op.getX()), to = tensorType(op.getResult());
  auto own = memoryStrides(op.getX());
  SmallVector<int64_t> strides(to.getRank(), 0);
  int64_t lead = to.getRank() - from.getRank();
  for (int64_t i = lead; i < to.getRank(); ++i)
    if (from.getDimSize(i - lead) == to.getDimSize(i))
      strides[i] = own[i - lead];
  s.copy(op, s.part(op.getX(), 0, to.getShape(), strides),
         s.buffer(op.getResult()));
}

void pad(Scheduler &s, PadOp op) {
  s.builtin(op, "fill", {}, {s.buffer(op.getResult())},
            {s.named("value", op.getValueAttr())});
  if (tensorType(op.getX()).getNumElements() == 0)
    return;
  auto strides = memoryStrides(op.getResult());
  int64_t offset = 0;
  for (int64_t i = 0, e = strides.size(); i < e; ++i) {
    offset += op.getLow()[i] * strides[i];
    strides[i] *= op.getInterior()[i] + 1;
  }
  s.copy(op, s.buffer(op.getX()),
         s.part(op.getResult(), offset, tensorType(op.getX()).getShape(),
                strides));
}

void concat(Scheduler &s, ConcatOp op) {
  auto strides = memoryStrides(op.getResult());
  int64_t axis = op.getAxis(), at = 0;
  for (Value joined : op.getParts()) {
    auto type = tensorType(joined);
    if (type.getNumElements())
      s.copy(
          op, s.buffer(joined),
          s.part(op.getResult(), at * strides[axis], type.getShape(), strides));
    at += type.getDimSize(axis);
  }
}

} // namespace

LogicalResult amp::scheduleMovement(Scheduler &s, Operation &op, bool &done) {
  done = true;
  return TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](StridedCopyOp o) { return stridedCopy(s, o); })
      .Case([&](SliceOp o) { return slice(s, o); })
      .Case([&](TransposeOp o) { return transpose(s, o), success(); })
      .Case([&](BroadcastOp o) { return broadcast(s, o), success(); })
      .Case([&](PadOp o) { return pad(s, o), success(); })
      .Case([&](ConcatOp o) { return concat(s, o), success(); })
      .Case([&](GatherOp o) {
        return s.plain(o, "gather", {s.named("axis", o.getAxisAttr())}),
               success();
      })
      .Case([&](GatherGradOp o) {
        return s.plain(o, "gather_grad", {s.named("axis", o.getAxisAttr())}),
               success();
      })
      .Case<ReshapeOp, RelayoutOp>([&](Operation *o) {
        // Shared memory, or one copy between two orders of it.
        if (!inPlaceOperand(o->getResult(0)))
          s.copy(o, s.buffer(o->getOperand(0)), s.buffer(o->getResult(0)));
        return success();
      })
      .Default([&](Operation *) {
        done = false;
        return success();
      });
}
