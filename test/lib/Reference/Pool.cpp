//===- Pool.cpp - Reference of pooling ------------------------------------===//

#include "Reference/Evaluator.h"
#include "Reference/Windows.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace amp;
using namespace amp::reference;

template <typename OpTy>
static WindowRule ruleOf(OpTy op) {
  return {op.getKernel(), op.getStrides(), op.getPads(), op.getDilations()};
}

static void maxPool(MaxPoolOp op, Frame &frame) {
  const Tensor &x = frame.get(op.getX());
  WindowRule rule = ruleOf(op);
  Tensor y(shapeOf(op.getResult())), index(shapeOf(op.getIndex()));
  ArrayRef<int64_t> size = ArrayRef<int64_t>(x.shape).drop_front(2);
  Index position;
  forEach(y.shape, [&](ArrayRef<int64_t> out) {
    bool found = false;
    int64_t number = 0;
    forEach(rule.kernel, [&](ArrayRef<int64_t> place) {
      if (rule.input(out.drop_front(2), place, size, position)) {
        double value = x.at(joined(out[0], out[1], position));
        double &best = y.at(out);
        if (!found || value > best ||
            (std::isnan(value) && !std::isnan(best))) {
          best = value;
          index.at(out) = number;
          found = true;
        }
      }
      ++number;
    });
  });
  frame.set(op.getResult(), std::move(y));
  frame.set(op.getIndex(), std::move(index));
}

static void maxPoolGrad(MaxPoolGradOp op, Frame &frame) {
  const Tensor &dy = frame.get(op.getDy()), &index = frame.get(op.getIndex());
  WindowRule rule = ruleOf(op);
  Tensor dx(shapeOf(op.getResult()));
  ArrayRef<int64_t> size = ArrayRef<int64_t>(dx.shape).drop_front(2);
  Index position;
  forEach(dy.shape, [&](ArrayRef<int64_t> out) {
    int64_t number = 0;
    forEach(rule.kernel, [&](ArrayRef<int64_t> place) {
      if (number++ == index.at(out) &&
          rule.input(out.drop_front(2), place, size, position))
        dx.at(joined(out[0], out[1], position)) += dy.at(out);
    });
  });
  frame.set(op.getResult(), std::move(dx));
}

/// Calls `visit` with the places of y and x and the weight of every term.
template <typename OpTy>
static void forEachTerm(
    OpTy op, ArrayRef<int64_t> yShape, ArrayRef<int64_t> xShape,
    llvm::function_ref<void(ArrayRef<int64_t>, ArrayRef<int64_t>, double)>
        visit) {
  WindowRule rule = ruleOf(op);
  Index position;
  forEach(yShape, [&](ArrayRef<int64_t> out) {
    SmallVector<Index> seen;
    forEach(rule.kernel, [&](ArrayRef<int64_t> place) {
      if (rule.input(out.drop_front(2), place, xShape.drop_front(2), position))
        seen.push_back(position);
    });
    double count = op.getCountIncludePad() ? countOf(rule.kernel) : seen.size();
    for (const Index &at : seen)
      visit(out, joined(out[0], out[1], at), 1 / count);
  });
}

bool amp::reference::evaluatePool(Operation *op, Frame &frame) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](MaxPoolOp pool) {
        maxPool(pool, frame);
        return true;
      })
      .Case([&](MaxPoolGradOp grad) {
        maxPoolGrad(grad, frame);
        return true;
      })
      .Case([&](AvgPoolOp pool) {
        const Tensor &x = frame.get(pool.getX());
        Tensor y(shapeOf(pool.getResult()));
        forEachTerm(pool, y.shape, x.shape,
                    [&](auto yi, auto xi, double share) {
                      y.at(yi) += share * x.at(xi);
                    });
        frame.set(pool.getResult(), std::move(y));
        return true;
      })
      .Case([&](AvgPoolGradOp grad) {
        const Tensor &dy = frame.get(grad.getDy());
        Tensor dx(shapeOf(grad.getResult()));
        forEachTerm(grad, dy.shape, dx.shape,
                    [&](auto yi, auto xi, double share) {
                      dx.at(xi) += share * dy.at(yi);
                    });
        frame.set(grad.getResult(), std::move(dx));
        return true;
      })
      .Default(false);
}
