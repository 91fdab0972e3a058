//===- Adafactor.cpp - Factored mean squares ------------------------------===//
//
// Shazeer and Stern, "Adafactor: adaptive learning rates with sublinear memory
// cost", 2018, as torch.optim.Adafactor has it: the mean squares of a matrix
// are kept by row and by column; the size of the update is bounded, and
// relative to the size of the parameter.
//
//===----------------------------------------------------------------------===//

#include "kernels/common/Tree.h"
#include "kernels/cpu/UpdateMath.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace amp;
using namespace amp::kernels;

namespace {

/// Elements that one unit of the row pass has at least, where there are so
/// many: column sums of a unit are small beside it.
constexpr int64_t kUnitElements = 16384;
constexpr int64_t kUnitRows = 64;

/// PyTorch's lerp of one element.
float lerp(float from, float to, float weight) {
  if (weight < 0.5f)
    return std::fma(weight, to - from, from);
  return to - (to - from) * (1 - weight);
}

struct AddDoubles {
  double operator()(double a, double b) const { return a + b; }
};

/// The pieces [first column, columns) of rows that elements [offset, offset +
/// n) consist of, and of at most kUpdateBlock: fn(matrix, row, column, offset,
/// length).
template <class Fn>
void forPieces(const FactoredShape &shape, int64_t offset, int64_t n, Fn &&fn) {
  for (int64_t end = offset + n; offset < end;) {
    int64_t line = offset / shape.columns, column = offset % shape.columns;
    int64_t length =
        std::min({shape.columns - column, end - offset, kUpdateBlock});
    fn(line / shape.rows, line % shape.rows, column, offset, length);
    offset += length;
  }
}

/// Mean squares of the gradient's elements, from their factors or as stored.
class MeanSquares {
public:
  MeanSquares(const UpdateConstants &c, const UpdateTensor &tensor,
              const FactoredShape &shape, const float *rowMeans)
      : tensor(tensor), shape(shape), rowMeans(rowMeans), eps(c.eps) {}

  /// values[i] = those of a piece.
  void load(int64_t matrix, int64_t row, int64_t column, int64_t offset,
            float *values, int64_t n) {
    if (!shape.factored)
      return loadState(tensor, 0, offset, values, n);
    float rowMean;
    loadState(tensor, 0, matrix * shape.rows + row, &rowMean, 1);
    loadState(tensor, 1, matrix * shape.columns + column, values, n);
    V8 factor = splat(rowMean), mean = splat(std::max(rowMeans[matrix], eps));
    for (int64_t i = 0; i < n; i += kLanes)
      storeUpTo8(values + i,
                 div(mul(factor, loadUpTo8(values + i, n - i)), mean), n - i);
  }

private:
  const UpdateTensor &tensor;
  const FactoredShape &shape;
  const float *rowMeans;
  float eps;
};

/// gradient[i] /= sqrt(max(square[i], eps^2)).
void normalise(const UpdateConstants &c, const float *square, float *gradient,
               int64_t n) {
  // As for epsilon itself: what float32 would round to zero stays above it.
  auto squared = static_cast<float>(c.rule.eps * c.rule.eps);
  if (c.rule.eps > 0)
    squared = std::max(squared, std::numeric_limits<float>::denorm_min());
  V8 least = splat(squared), one = splat(1);
  for (int64_t i = 0; i < n; i += kLanes) {
    V8 s = _mm256_max_ps(least, loadUpTo8(square + i, n - i));
    V8 g = loadUpTo8(gradient + i, n - i);
    storeUpTo8(gradient + i, mul(div(one, root(s)), g), n - i);
  }
}

void addSquares(SquareSum &sum, const float *values, int64_t n) {
  for (int64_t i = 0; i < n; i += kLanes)
    sum.add(loadUpTo8(values + i, n - i));
}

} // namespace

FactoredShape FactoredShape::of(const std::vector<int64_t> &dims) {
  FactoredShape shape;
  size_t rank = dims.size();
  shape.factored = rank > 1;
  for (size_t i = 0; i < rank; ++i)
    (i + 1 == rank   ? shape.columns
     : i + 2 == rank ? shape.rows
                     : shape.matrices) *= dims[i];
  if (shape.factored)
    shape.blockRows = std::max(
        kUnitRows, kUnitElements / std::max<int64_t>(shape.columns, 1));
  return shape;
}

void kernels::factorRows(const UpdateConstants &c, const UpdateTensor &tensor,
                         const FactoredShape &shape, int64_t unit,
                         double *partial) {
  int64_t matrix = unit / shape.blocks();
  int64_t first = unit % shape.blocks() * shape.blockRows;
  int64_t last = std::min(first + shape.blockRows, shape.rows);
  std::fill(partial, partial + shape.columns, 0.0);
  float gradient[kUpdateBlock];
  for (int64_t row = first; row < last; ++row) {
    int64_t line = matrix * shape.rows + row;
    SquareSum sum;
    forPieces(shape, line * shape.columns, shape.columns,
              [&](int64_t, int64_t, int64_t column, int64_t offset, int64_t n) {
                clipGradient(c, tensor.gradient + offset, gradient, n);
                addSquares(sum, gradient, n);
                for (int64_t i = 0; i < n; ++i) {
                  auto g = static_cast<double>(gradient[i]);
                  partial[column + i] += g * g;
                }
              });
    float mean;
    loadState(tensor, 0, line, &mean, 1);
    mean = lerp(
        mean,
        static_cast<float>(sum.total() / static_cast<double>(shape.columns)),
        c.keep);
    storeState(c, tensor, 0, line, &mean, 1);
  }
}

float kernels::factorColumns(const UpdateConstants &c,
                             const UpdateTensor &tensor,
                             const FactoredShape &shape, int64_t matrix,
                             const double *partials) {
  auto rows = static_cast<double>(shape.rows);
  float means[kUpdateBlock];
  for (int64_t column = 0; column < shape.columns; column += kUpdateBlock) {
    int64_t n = std::min(kUpdateBlock, shape.columns - column);
    int64_t at = matrix * shape.columns + column;
    loadState(tensor, 1, at, means, n);
    for (int64_t i = 0; i < n; ++i) {
      double sum = 0;
      for (int64_t block = 0; block < shape.blocks(); ++block)
        sum += partials[block * shape.columns + column + i];
      means[i] = lerp(means[i], static_cast<float>(sum / rows), c.keep);
    }
    storeState(c, tensor, 1, at, means, n);
  }
  ScalarTree<double, AddDoubles> tree;
  for (int64_t row = 0; row < shape.rows; row += kUpdateBlock) {
    int64_t n = std::min(kUpdateBlock, shape.rows - row);
    loadState(tensor, 0, matrix * shape.rows + row, means, n);
    double sum = 0;
    for (int64_t i = 0; i < n; ++i)
      sum += static_cast<double>(means[i]);
    tree.push(sum);
  }
  return static_cast<float>(tree.finish(0.0) / rows);
}

TrustSums kernels::adafactorSums(const UpdateConstants &c,
                                 const UpdateTensor &tensor,
                                 const FactoredShape &shape,
                                 const float *rowMeans, int64_t offset,
                                 int64_t n) {
  MeanSquares squares(c, tensor, shape, rowMeans);
  SquareSum parameters, directions;
  float values[kUpdateBlock], gradient[kUpdateBlock];
  forPieces(shape, offset, n,
            [&](int64_t matrix, int64_t row, int64_t column, int64_t at,
                int64_t length) {
              loadParameter(tensor, at, values, length);
              addSquares(parameters, values, length);
              clipGradient(c, tensor.gradient + at, gradient, length);
              if (!shape.factored) {
                loadState(tensor, 0, at, values, length);
                for (int64_t i = 0; i < length; ++i)
                  values[i] =
                      lerp(values[i], gradient[i] * gradient[i], c.keep);
                storeState(c, tensor, 0, at, values, length);
              }
              squares.load(matrix, row, column, at, values, length);
              normalise(c, values, gradient, length);
              addSquares(directions, gradient, length);
            });
  return {parameters.total(), directions.total()};
}

void kernels::adafactorApply(const UpdateConstants &c,
                             const UpdateTensor &tensor,
                             const FactoredShape &shape, const float *rowMeans,
                             const TrustSums &size, int64_t elements,
                             int64_t offset, int64_t n) {
  const UpdateRule &rule = c.rule;
  double count = std::sqrt(static_cast<double>(std::max<int64_t>(elements, 1)));
  double alpha =
      std::max(rule.eps2, std::sqrt(size.parameter) / count) * c.relative;
  double bound =
      std::max(1.0, std::sqrt(size.direction) / (count * rule.updateBound));
  V8 step = single(-alpha / bound), decay = splat(c.decay);
  MeanSquares squares(c, tensor, shape, rowMeans);
  float values[kUpdateBlock], gradient[kUpdateBlock];
  forPieces(shape, offset, n,
            [&](int64_t matrix, int64_t row, int64_t column, int64_t at,
                int64_t length) {
              clipGradient(c, tensor.gradient + at, gradient, length);
              squares.load(matrix, row, column, at, values, length);
              normalise(c, values, gradient, length);
              loadParameter(tensor, at, values, length);
              for (int64_t i = 0; i < length; i += kLanes) {
                V8 p = loadUpTo8(values + i, length - i);
                if (rule.weightDecay != 0)
                  p = mul(p, decay);
                V8 u = loadUpTo8(gradient + i, length - i);
                storeUpTo8(values + i, fma(step, u, p), length - i);
              }
              storeParameter(c, tensor, at, values, length);
            });
}
