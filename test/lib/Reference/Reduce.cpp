//===- Reduce.cpp - Reference of reductions -------------------------------===//

#include "Reference/Evaluator.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace amp;
using namespace amp::reference;

/// Folds the elements of each group into its result; `seen` says how many.
template <typename OpTy>
static bool reduce(OpTy op, Frame &frame, double neutral,
                   double (*combine)(double, double), bool isMean = false) {
  const Tensor &x = frame.get(op.getX());
  Index kept(x.shape);
  for (int64_t axis : op.getAxes())
    kept[axis] = 1;
  Tensor result(kept, neutral), count(kept);
  forEach(x.shape, [&](ArrayRef<int64_t> i) {
    Index at(i);
    for (int64_t axis : op.getAxes())
      at[axis] = 0;
    result.at(at) = combine(result.at(at), x.at(i));
    count.at(at) += 1;
  });
  if (isMean)
    for (int64_t i = 0; i < result.size(); ++i)
      result.data[i] /= count.data[i];
  result.shape = Index(shapeOf(op.getResult()));
  frame.set(op.getResult(), std::move(result));
  return true;
}

static double add(double a, double b) { return a + b; }
static double multiply(double a, double b) { return a * b; }
static double larger(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? a + b : std::max(a, b);
}
static double smaller(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? a + b : std::min(a, b);
}

static bool argMax(ArgMaxOp op, Frame &frame) {
  const Tensor &x = frame.get(op.getX());
  int64_t axis = op.getAxis();
  Index kept(x.shape);
  kept[axis] = 1;
  Tensor result(kept);
  forEach(kept, [&](ArrayRef<int64_t> i) {
    Index at(i);
    double best = 0;
    for (int64_t k = 0; k < x.shape[axis]; ++k) {
      at[axis] = k;
      double value = x.at(at);
      bool nan = std::isnan(value) && !std::isnan(best);
      if (k == 0 || nan || value > best ||
          (op.getSelectLast() && value == best)) {
        best = value;
        result.at(i) = k;
      }
    }
  });
  result.shape = Index(shapeOf(op.getResult()));
  frame.set(op.getResult(), std::move(result));
  return true;
}

static bool cumSum(CumSumOp op, Frame &frame) {
  const Tensor &x = frame.get(op.getX());
  int64_t axis = op.getAxis(), n = x.shape[axis];
  Tensor result(x.shape);
  forEach(x.shape, [&](ArrayRef<int64_t> i) {
    Index at(i);
    for (int64_t k = 0; k < n; ++k) {
      bool before = op.getReverse() ? k > i[axis] : k < i[axis];
      at[axis] = k;
      if (before || (k == i[axis] && !op.getExclusive()))
        result.at(i) += x.at(at);
    }
  });
  frame.set(op.getResult(), std::move(result));
  return true;
}

/// Rows in chunks, all other rows' columns apart.
static bool partials(ColumnPartialsOp op, Frame &frame) {
  const Tensor &x = frame.get(op.getX());
  int64_t columns = x.shape.back();
  Tensor result(shapeOf(op.getResult()));
  for (int64_t i = 0; i < x.size(); ++i) {
    int64_t row = i / columns, column = i % columns;
    result.data[row / op.getChunk() * columns + column] += x.data[i];
  }
  frame.set(op.getResult(), std::move(result));
  return true;
}

bool amp::reference::evaluateReduce(Operation *op, Frame &frame) {
  const double infinity = std::numeric_limits<double>::infinity();
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](ReduceSumOp r) { return reduce(r, frame, 0, add); })
      .Case([&](ReduceMeanOp r) { return reduce(r, frame, 0, add, true); })
      .Case([&](ReduceProdOp r) { return reduce(r, frame, 1, multiply); })
      .Case([&](ReduceMaxOp r) { return reduce(r, frame, -infinity, larger); })
      .Case([&](ReduceMinOp r) { return reduce(r, frame, infinity, smaller); })
      .Case([&](ArgMaxOp r) { return argMax(r, frame); })
      .Case([&](CumSumOp r) { return cumSum(r, frame); })
      .Case([&](ColumnPartialsOp r) { return partials(r, frame); })
      .Case([&](CombinePartialsOp r) {
        const Tensor &x = frame.get(r.getPartials());
        Tensor result(shapeOf(r.getResult()));
        forEach(x.shape,
                [&](ArrayRef<int64_t> i) { result.at({i[1]}) += x.at(i); });
        frame.set(r.getResult(), std::move(result));
        return true;
      })
      .Default(false);
}
