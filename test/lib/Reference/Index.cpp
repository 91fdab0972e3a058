//===- Index.cpp - Reference of gathers -----------------------------------===//

#include "Reference/Evaluator.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;
using namespace amp::reference;

/// Calls `visit` with the places of gather's result and of its data.
static void forEachGathered(
    ArrayRef<int64_t> shape, ArrayRef<int64_t> data, const Tensor &indices,
    int64_t axis,
    llvm::function_ref<void(ArrayRef<int64_t>, ArrayRef<int64_t>)> visit) {
  forEach(shape, [&](ArrayRef<int64_t> i) {
    int64_t chosen = indices.at(i.slice(axis, indices.rank()));
    if (chosen < 0)
      chosen += data[axis];
    Index from(i.take_front(axis));
    from.push_back(chosen);
    llvm::append_range(from, i.drop_front(axis + indices.rank()));
    visit(i, from);
  });
}

bool amp::reference::evaluateIndex(Operation *op, Frame &frame) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](GatherOp gather) {
        const Tensor &data = frame.get(gather.getData());
        Tensor result(shapeOf(gather.getResult()));
        forEachGathered(
            result.shape, data.shape, frame.get(gather.getIndices()),
            gather.getAxis(),
            [&](auto to, auto from) { result.at(to) = data.at(from); });
        frame.set(gather.getResult(), std::move(result));
        return true;
      })
      .Case([&](GatherGradOp grad) {
        const Tensor &dy = frame.get(grad.getDy());
        Tensor result(shapeOf(grad.getResult()));
        forEachGathered(dy.shape, result.shape, frame.get(grad.getIndices()),
                        grad.getAxis(), [&](auto from, auto to) {
                          result.at(to) += dy.at(from);
                        });
        frame.set(grad.getResult(), std::move(result));
        return true;
      })
      .Default(false);
}
