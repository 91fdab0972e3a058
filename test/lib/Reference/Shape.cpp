//===- Shape.cpp - Reference of ops that move values ----------------------===//

#include "Reference/Evaluator.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;
using namespace amp::reference;

/// Result whose element at `i` is the source's at `from(i)`.
static bool gathered(Value value, Frame &frame, const Tensor &x,
                     llvm::function_ref<Index(ArrayRef<int64_t>)> from) {
  Tensor result(shapeOf(value));
  forEach(result.shape,
          [&](ArrayRef<int64_t> i) { result.at(i) = x.at(from(i)); });
  frame.set(value, std::move(result));
  return true;
}

static bool pad(PadOp op, Frame &frame) {
  const Tensor &x = frame.get(op.getX());
  Tensor result(shapeOf(op.getResult()), op.getValue().convertToDouble());
  forEach(x.shape, [&](ArrayRef<int64_t> i) {
    Index to;
    for (size_t dim = 0; dim < i.size(); ++dim)
      to.push_back(op.getLow()[dim] + i[dim] * (op.getInterior()[dim] + 1));
    result.at(to) = x.at(i);
  });
  frame.set(op.getResult(), std::move(result));
  return true;
}

static bool concat(ConcatOp op, Frame &frame) {
  Tensor result(shapeOf(op.getResult()));
  int64_t first = 0;
  for (Value part : op.getParts()) {
    const Tensor &x = frame.get(part);
    forEach(x.shape, [&](ArrayRef<int64_t> i) {
      Index to(i);
      to[op.getAxis()] += first;
      result.at(to) = x.at(i);
    });
    first += x.shape[op.getAxis()];
  }
  frame.set(op.getResult(), std::move(result));
  return true;
}

bool amp::reference::evaluateShape(Operation *op, Frame &frame) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](ReshapeOp r) {
        Tensor x = frame.get(r.getX());
        x.shape = Index(shapeOf(r.getResult()));
        frame.set(r.getResult(), std::move(x));
        return true;
      })
      .Case([&](RelayoutOp r) {
        frame.set(r.getResult(), frame.get(r.getX()));
        return true;
      })
      .Case([&](TransposeOp t) {
        return gathered(t.getResult(), frame, frame.get(t.getX()),
                        [&](ArrayRef<int64_t> i) {
                          Index from(i.size());
                          for (size_t dim = 0; dim < i.size(); ++dim)
                            from[t.getPerm()[dim]] = i[dim];
                          return from;
                        });
      })
      .Case([&](BroadcastOp b) {
        const Tensor &x = frame.get(b.getX());
        Tensor result(shapeOf(b.getResult()));
        forEach(result.shape,
                [&](ArrayRef<int64_t> i) { result.at(i) = x.spread(i); });
        frame.set(b.getResult(), std::move(result));
        return true;
      })
      .Case([&](SliceOp s) {
        return gathered(s.getResult(), frame, frame.get(s.getX()),
                        [&](ArrayRef<int64_t> i) {
                          Index from;
                          for (size_t dim = 0; dim < i.size(); ++dim)
                            from.push_back(s.getStarts()[dim] +
                                           i[dim] * s.getSteps()[dim]);
                          return from;
                        });
      })
      .Case([&](StridedCopyOp s) {
        const Tensor &x = frame.get(s.getX());
        Tensor result(shapeOf(s.getResult()));
        forEach(result.shape, [&](ArrayRef<int64_t> i) {
          int64_t flat = s.getOffset();
          for (size_t dim = 0; dim < i.size(); ++dim)
            flat += i[dim] * s.getStrides()[dim];
          result.at(i) = x.data[flat];
        });
        frame.set(s.getResult(), std::move(result));
        return true;
      })
      .Case([&](PadOp p) { return pad(p, frame); })
      .Case([&](ConcatOp c) { return concat(c, frame); })
      .Default(false);
}
