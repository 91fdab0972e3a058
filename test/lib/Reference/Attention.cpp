//===- Attention.cpp - Reference of attention and its gradients -----------===//

#include "Reference/Evaluator.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace amp;
using namespace amp::reference;

/// Place [batch..., row, column] of an index whose last two entries change.
static Index placed(ArrayRef<int64_t> index, int64_t row, int64_t column) {
  Index place(index);
  place[place.size() - 2] = row;
  place.back() = column;
  return place;
}

/// A product of matrices, batch by batch; `at` gives the term of the sum over
/// `depth`.
static Tensor
product(ArrayRef<int64_t> shape, int64_t depth,
        llvm::function_ref<double(ArrayRef<int64_t>, int64_t)> at) {
  Tensor result(shape);
  forEach(shape, [&](ArrayRef<int64_t> i) {
    for (int64_t k = 0; k < depth; ++k)
      result.at(i) += at(i, k);
  });
  return result;
}

static void attention(AttentionOp op, Frame &frame) {
  const Tensor &q = frame.get(op.getQuery()), &k = frame.get(op.getKey()),
               &v = frame.get(op.getValue());
  double scale = op.getScale().convertToDouble();
  int64_t rank = q.rank(), source = k.shape[rank - 2];
  auto column = [&](ArrayRef<int64_t> i) { return i[rank - 1]; };
  auto row = [&](ArrayRef<int64_t> i) { return i[rank - 2]; };
  Tensor probs = product(shapeOf(op.getProbs()), q.shape[rank - 1],
                         [&](ArrayRef<int64_t> i, int64_t e) {
                           return scale * q.at(placed(i, row(i), e)) *
                                  k.at(placed(i, column(i), e));
                         });
  if (op.getMask())
    forEach(probs.shape, [&](ArrayRef<int64_t> i) {
      probs.at(i) += frame.get(op.getMask()).spread(i);
    });
  for (int64_t begin = 0; begin < probs.size(); begin += source) {
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t s = begin; s < begin + source; ++s)
      top = std::max(top, probs.data[s]);
    for (int64_t s = begin; s < begin + source; ++s)
      sum += probs.data[s] = std::exp(probs.data[s] - top);
    for (int64_t s = begin; s < begin + source; ++s)
      probs.data[s] /= sum;
  }
  frame.set(op.getResult(), product(shapeOf(op.getResult()), source,
                                    [&](ArrayRef<int64_t> i, int64_t s) {
                                      return probs.at(placed(i, row(i), s)) *
                                             v.at(placed(i, s, column(i)));
                                    }));
  frame.set(op.getProbs(), std::move(probs));
}

static void attentionGrad(AttentionGradOp op, Frame &frame) {
  const Tensor &dy = frame.get(op.getDresult()), &q = frame.get(op.getQuery()),
               &k = frame.get(op.getKey()), &v = frame.get(op.getValue()),
               &probs = frame.get(op.getProbs());
  double scale = op.getScale().convertToDouble();
  int64_t rank = q.rank(), length = q.shape[rank - 2],
          source = k.shape[rank - 2];
  auto column = [&](ArrayRef<int64_t> i) { return i[rank - 1]; };
  auto row = [&](ArrayRef<int64_t> i) { return i[rank - 2]; };
  Tensor dprobs = product(
      probs.shape, v.shape[rank - 1], [&](ArrayRef<int64_t> i, int64_t d) {
        return dy.at(placed(i, row(i), d)) * v.at(placed(i, column(i), d));
      });
  Tensor dscores(probs.shape);
  forEach(probs.shape, [&](ArrayRef<int64_t> i) {
    double mean = 0;
    for (int64_t s = 0; s < source; ++s)
      mean += probs.at(placed(i, row(i), s)) * dprobs.at(placed(i, row(i), s));
    dscores.at(i) = probs.at(i) * (dprobs.at(i) - mean);
  });
  frame.set(op.getDquery(),
            product(q.shape, source, [&](ArrayRef<int64_t> i, int64_t s) {
              return scale * dscores.at(placed(i, row(i), s)) *
                     k.at(placed(i, s, column(i)));
            }));
  frame.set(op.getDkey(),
            product(k.shape, length, [&](ArrayRef<int64_t> i, int64_t l) {
              return scale * dscores.at(placed(i, l, row(i))) *
                     q.at(placed(i, l, column(i)));
            }));
  frame.set(op.getDvalue(),
            product(v.shape, length, [&](ArrayRef<int64_t> i, int64_t l) {
              return probs.at(placed(i, l, row(i))) *
                     dy.at(placed(i, l, column(i)));
            }));
  frame.set(op.getDscores(), std::move(dscores));
}

bool amp::reference::evaluateAttention(Operation *op, Frame &frame) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](AttentionOp o) { return attention(o, frame), true; })
      .Case([&](AttentionGradOp o) { return attentionGrad(o, frame), true; })
      .Default(false);
}
