//===- Softmax.cpp - Reference of softmax and its gradients ---------------===//

#include "Reference/Evaluator.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace amp;
using namespace amp::reference;

/// Sum over an axis of a function of the index, kept as size 1.
static Tensor sumOver(ArrayRef<int64_t> shape, int64_t axis,
                      llvm::function_ref<double(ArrayRef<int64_t>)> term) {
  Index kept(shape);
  kept[axis] = 1;
  Tensor sum(kept);
  forEach(shape, [&](ArrayRef<int64_t> i) {
    Index at(i);
    at[axis] = 0;
    sum.at(at) += term(i);
  });
  return sum;
}

/// x - log(sum of e^x).
static Tensor logSoftmax(const Tensor &x, int64_t axis) {
  Index kept(x.shape);
  kept[axis] = 1;
  Tensor top(kept, -std::numeric_limits<double>::infinity());
  forEach(x.shape, [&](ArrayRef<int64_t> i) {
    Index at(i);
    at[axis] = 0;
    top.at(at) = std::max(top.at(at), x.at(i));
  });
  Tensor sum = sumOver(x.shape, axis, [&](ArrayRef<int64_t> i) {
    return std::exp(x.at(i) - top.spread(i));
  });
  Tensor y(x.shape);
  forEach(x.shape, [&](ArrayRef<int64_t> i) {
    y.at(i) = x.at(i) - top.spread(i) - std::log(sum.spread(i));
  });
  return y;
}

bool amp::reference::evaluateSoftmax(Operation *op, Frame &frame) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](SoftmaxOp softmax) {
        Tensor y = logSoftmax(frame.get(softmax.getX()), softmax.getAxis());
        for (double &number : y.data)
          number = std::exp(number);
        frame.set(softmax.getResult(), std::move(y));
        return true;
      })
      .Case([&](LogSoftmaxOp softmax) {
        frame.set(softmax.getResult(),
                  logSoftmax(frame.get(softmax.getX()), softmax.getAxis()));
        return true;
      })
      .Case([&](SoftmaxGradOp grad) {
        const Tensor &dy = frame.get(grad.getDy()), &y = frame.get(grad.getY());
        Tensor sum = sumOver(y.shape, grad.getAxis(), [&](ArrayRef<int64_t> i) {
          return y.at(i) * dy.at(i);
        });
        Tensor dx(y.shape);
        forEach(y.shape, [&](ArrayRef<int64_t> i) {
          dx.at(i) = y.at(i) * (dy.at(i) - sum.spread(i));
        });
        frame.set(grad.getResult(), std::move(dx));
        return true;
      })
      .Case([&](LogSoftmaxGradOp grad) {
        const Tensor &dy = frame.get(grad.getDy()), &y = frame.get(grad.getY());
        Tensor sum = sumOver(y.shape, grad.getAxis(),
                             [&](ArrayRef<int64_t> i) { return dy.at(i); });
        Tensor dx(y.shape);
        forEach(y.shape, [&](ArrayRef<int64_t> i) {
          dx.at(i) = dy.at(i) - std::exp(y.at(i)) * sum.spread(i);
        });
        frame.set(grad.getResult(), std::move(dx));
        return true;
      })
      .Default(false);
}
