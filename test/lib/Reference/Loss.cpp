//===- Loss.cpp - Reference of the loss family ----------------------------===//

#include "Reference/Evaluator.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace amp;
using namespace amp::reference;

/// Log of the sum of exponentials of one row.
static double lseOf(const double *row, int64_t classes) {
  double top = -std::numeric_limits<double>::infinity(), sum = 0;
  for (int64_t c = 0; c < classes; ++c)
    top = std::max(top, row[c]);
  for (int64_t c = 0; c < classes; ++c)
    sum += std::exp(row[c] - top);
  return top + std::log(sum);
}

static bool crossEntropy(SoftmaxCrossEntropyOp op, Frame &frame) {
  const Tensor &logits = frame.get(op.getLogits());
  const Tensor &target = frame.get(op.getTarget());
  int64_t classes = logits.shape.back();
  double smoothing = op.getLabelSmoothing().convertToDouble();
  Tensor loss(ArrayRef<int64_t>{}), count(ArrayRef<int64_t>{});
  Tensor lse(target.shape);
  for (int64_t row = 0; row < target.size(); ++row) {
    const double *x = logits.data.data() + row * classes;
    double log = lse.data[row] = lseOf(x, classes);
    int64_t label = target.data[row];
    if (label == int64_t(op.getIgnoreIndex()))
      continue;
    double mean = 0;
    for (int64_t c = 0; c < classes; ++c)
      mean += (log - x[c]) / classes;
    loss.data[0] += (1 - smoothing) * (log - x[label]) + smoothing * mean;
    count.data[0] += 1;
  }
  if (op.getReduction() == LossReduction::Mean)
    loss.data[0] /= count.data[0];
  frame.set(op.getLoss(), std::move(loss));
  frame.set(op.getLse(), std::move(lse));
  frame.set(op.getCount(), std::move(count));
  return true;
}

static bool crossEntropyGrad(SoftmaxCrossEntropyGradOp op, Frame &frame) {
  const Tensor &logits = frame.get(op.getLogits());
  const Tensor &target = frame.get(op.getTarget());
  const Tensor &lse = frame.get(op.getLse());
  int64_t classes = logits.shape.back();
  double smoothing = op.getLabelSmoothing().convertToDouble();
  double share = frame.get(op.getDloss()).data[0];
  if (op.getReduction() == LossReduction::Mean)
    share /= frame.get(op.getCount()).data[0];
  Tensor dx(logits.shape);
  for (int64_t row = 0; row < target.size(); ++row) {
    int64_t label = target.data[row];
    if (label == int64_t(op.getIgnoreIndex()))
      continue;
    for (int64_t c = 0; c < classes; ++c) {
      int64_t at = row * classes + c;
      double wanted = (c == label) * (1 - smoothing) + smoothing / classes;
      dx.data[at] =
          share * (std::exp(logits.data[at] - lse.data[row]) - wanted);
    }
  }
  frame.set(op.getResult(), std::move(dx));
  return true;
}

static bool countCorrect(CountCorrectOp op, Frame &frame) {
  const Tensor &logits = frame.get(op.getLogits());
  const Tensor &target = frame.get(op.getTarget());
  int64_t classes = logits.shape.back();
  int64_t rows = target.size();
  if (op.getValid()) {
    int64_t perSample = target.shape[0] ? rows / target.shape[0] : 0;
    rows = std::min<int64_t>(rows, int64_t(frame.get(op.getValid()).data[0]) *
                                       perSample);
  }
  Tensor correct(ArrayRef<int64_t>{}), counted(ArrayRef<int64_t>{});
  for (int64_t row = 0; row < rows; ++row) {
    int64_t label = target.data[row];
    if (label == int64_t(op.getIgnoreIndex()))
      continue;
    auto first = logits.data.begin() + row * classes;
    correct.data[0] +=
        std::max_element(first, first + classes) - first == label;
    counted.data[0] += 1;
  }
  frame.set(op.getCorrect(), std::move(correct));
  frame.set(op.getCounted(), std::move(counted));
  return true;
}

bool amp::reference::evaluateLoss(Operation *op, Frame &frame) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](SoftmaxCrossEntropyOp o) { return crossEntropy(o, frame); })
      .Case([&](SoftmaxCrossEntropyGradOp o) {
        return crossEntropyGrad(o, frame);
      })
      .Case([&](CountCorrectOp o) { return countCorrect(o, frame); })
      .Case([&](SeedGradientOp o) {
        frame.set(o.getResult(), o.getScale() ? frame.get(o.getScale())
                                              : Tensor(ArrayRef<int64_t>{}, 1));
        return true;
      })
      .Default(false);
}
