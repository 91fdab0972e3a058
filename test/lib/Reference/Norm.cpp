//===- Norm.cpp - Reference of normalisations -----------------------------===//

#include "Reference/Evaluator.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace amp;
using namespace amp::reference;

/// The group that shares statistics, and the place of scale and bias, of each
/// element.
struct NormRule {
  llvm::function_ref<int64_t(ArrayRef<int64_t>)> group, affine;
};

/// Mean and population variance of each group.
static void statistics(const Tensor &x, const NormRule &rule, Tensor &mean,
                       Tensor &variance) {
  Tensor count(mean.shape);
  forEach(x.shape, [&](ArrayRef<int64_t> i) {
    mean.data[rule.group(i)] += x.at(i);
    count.data[rule.group(i)] += 1;
  });
  for (int64_t g = 0; g < mean.size(); ++g)
    mean.data[g] /= count.data[g];
  forEach(x.shape, [&](ArrayRef<int64_t> i) {
    double d = x.at(i) - mean.data[rule.group(i)];
    variance.data[rule.group(i)] += d * d / count.data[rule.group(i)];
  });
}

static Tensor normalised(const Tensor &x, const NormRule &rule,
                         const Tensor &mean, const Tensor &rstd,
                         const Tensor &scale, const Tensor *bias) {
  Tensor y(x.shape);
  forEach(x.shape, [&](ArrayRef<int64_t> i) {
    double hat =
        (x.at(i) - mean.data[rule.group(i)]) * rstd.data[rule.group(i)];
    y.at(i) = hat * scale.data[rule.affine(i)] +
              (bias ? bias->data[rule.affine(i)] : 0);
  });
  return y;
}

/// dx, dscale, dbias by the textbook formula.
static void gradient(const Tensor &dy, const Tensor &x, const NormRule &rule,
                     const Tensor &mean, const Tensor &rstd,
                     const Tensor &scale, Tensor &dx, Tensor &dscale,
                     Tensor &dbias) {
  Tensor count(mean.shape), sum(mean.shape), moment(mean.shape);
  auto hat = [&](ArrayRef<int64_t> i) {
    return (x.at(i) - mean.data[rule.group(i)]) * rstd.data[rule.group(i)];
  };
  forEach(x.shape, [&](ArrayRef<int64_t> i) {
    double g = dy.at(i) * scale.data[rule.affine(i)];
    count.data[rule.group(i)] += 1;
    sum.data[rule.group(i)] += g;
    moment.data[rule.group(i)] += g * hat(i);
    dscale.data[rule.affine(i)] += dy.at(i) * hat(i);
    dbias.data[rule.affine(i)] += dy.at(i);
  });
  forEach(x.shape, [&](ArrayRef<int64_t> i) {
    int64_t g = rule.group(i);
    dx.at(i) = rstd.data[g] * (dy.at(i) * scale.data[rule.affine(i)] -
                               sum.data[g] / count.data[g] -
                               hat(i) * moment.data[g] / count.data[g]);
  });
}

static Tensor rstdOf(const Tensor &variance, double epsilon) {
  Tensor rstd = variance;
  for (double &number : rstd.data)
    number = 1 / std::sqrt(number + epsilon);
  return rstd;
}

static int64_t channel(ArrayRef<int64_t> index) { return index[1]; }

static void batchNorm(BatchNormOp op, Frame &frame) {
  NormRule rule{channel, channel};
  Tensor mean(shapeOf(op.getMean())), variance(mean.shape);
  const Tensor &x = frame.get(op.getX());
  statistics(x, rule, mean, variance);
  frame.set(op.getResult(),
            normalised(x, rule, mean,
                       rstdOf(variance, op.getEpsilon().convertToDouble()),
                       frame.get(op.getScale()), &frame.get(op.getBias())));
  frame.set(op.getMean(), std::move(mean));
  frame.set(op.getVariance(), std::move(variance));
}

static void batchNormGrad(BatchNormGradOp op, Frame &frame) {
  NormRule rule{channel, channel};
  Tensor dx(shapeOf(op.getDx())), dscale(shapeOf(op.getDscale())),
      dbias(dscale.shape);
  gradient(
      frame.get(op.getDy()), frame.get(op.getX()), rule,
      frame.get(op.getMean()),
      rstdOf(frame.get(op.getVariance()), op.getEpsilon().convertToDouble()),
      frame.get(op.getScale()), dx, dscale, dbias);
  frame.set(op.getDx(), std::move(dx));
  frame.set(op.getDscale(), std::move(dscale));
  frame.set(op.getDbias(), std::move(dbias));
}

/// Number of the row, and of the place within it, that an index belongs to.
static std::pair<int64_t, int64_t>
rowOf(ArrayRef<int64_t> index, ArrayRef<int64_t> shape, int64_t axis) {
  int64_t row = 0, place = 0;
  for (int64_t dim = 0; dim < int64_t(shape.size()); ++dim) {
    int64_t &flat = dim < axis ? row : place;
    flat = flat * shape[dim] + index[dim];
  }
  return {row, place};
}

static void layerNorm(LayerNormOp op, Frame &frame) {
  const Tensor &x = frame.get(op.getX());
  auto group = [&](ArrayRef<int64_t> i) {
    return rowOf(i, x.shape, op.getAxis()).first;
  };
  auto affine = [&](ArrayRef<int64_t> i) {
    return rowOf(i, x.shape, op.getAxis()).second;
  };
  NormRule rule{group, affine};
  Tensor mean(shapeOf(op.getMean())), variance(mean.shape);
  statistics(x, rule, mean, variance);
  Tensor rstd = rstdOf(variance, op.getEpsilon().convertToDouble());
  frame.set(op.getResult(),
            normalised(x, rule, mean, rstd, frame.get(op.getScale()),
                       op.getBias() ? &frame.get(op.getBias()) : nullptr));
  frame.set(op.getMean(), std::move(mean));
  frame.set(op.getRstd(), std::move(rstd));
}

static void layerNormGrad(LayerNormGradOp op, Frame &frame) {
  const Tensor &x = frame.get(op.getX());
  auto group = [&](ArrayRef<int64_t> i) {
    return rowOf(i, x.shape, op.getAxis()).first;
  };
  auto affine = [&](ArrayRef<int64_t> i) {
    return rowOf(i, x.shape, op.getAxis()).second;
  };
  NormRule rule{group, affine};
  Tensor dx(x.shape), dscale(shapeOf(op.getDscale())), dbias(dscale.shape);
  gradient(frame.get(op.getDy()), x, rule, frame.get(op.getMean()),
           frame.get(op.getRstd()), frame.get(op.getScale()), dx, dscale,
           dbias);
  frame.set(op.getDx(), std::move(dx));
  frame.set(op.getDscale(), std::move(dscale));
  frame.set(op.getDbias(), std::move(dbias));
}

bool amp::reference::evaluateNorm(Operation *op, Frame &frame) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](BatchNormOp norm) { return batchNorm(norm, frame), true; })
      .Case([&](BatchNormGradOp norm) {
        return batchNormGrad(norm, frame), true;
      })
      .Case([&](BatchNormInferenceOp norm) {
        frame.set(norm.getResult(),
                  normalised(frame.get(norm.getX()), {channel, channel},
                             frame.get(norm.getMean()),
                             rstdOf(frame.get(norm.getVariance()),
                                    norm.getEpsilon().convertToDouble()),
                             frame.get(norm.getScale()),
                             &frame.get(norm.getBias())));
        return true;
      })
      .Case([&](LayerNormOp norm) { return layerNorm(norm, frame), true; })
      .Case([&](LayerNormGradOp norm) {
        return layerNormGrad(norm, frame), true;
      })
      .Default(false);
}
