//===- Norm.cpp - Ranges of normalisations --------------------------------===//
//
// Of n numbers with mean 0 and mean square at most 1 none exceeds sqrt(n - 1).
//
//===----------------------------------------------------------------------===//

#include "Transfer.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

/// Normalised numbers, scaled and shifted.
static ValueFacts normalised(double count, Value scale, Value bias,
                             const Facts &facts) {
  double most = std::sqrt(std::max(count - 1, 0.0));
  ValueFacts known;
  known.bounds = mul({-most, most}, facts.bounds(scale));
  known.why = "norm of " + std::to_string(static_cast<int64_t>(count)) +
              " numbers, at most " + Interval::of(most).text() +
              " before scale and bias";
  addBias(known, bias, facts);
  return known;
}

/// Variance of numbers in an interval.
static Interval variance(Interval x) {
  double half = (x.hi - x.lo) / 2;
  return {0, half * half};
}

static void batchNorm(BatchNormOp norm, Facts &facts) {
  auto type = tensorType(norm.getX());
  double count =
      double(type.getNumElements()) / std::max<int64_t>(type.getDimSize(1), 1);
  Interval x = facts.bounds(norm.getX());
  facts.set(norm.getResult(),
            normalised(count, norm.getScale(), norm.getBias(), facts));
  facts.set(norm.getMean(), x, "mean");
  facts.set(norm.getVariance(), variance(x), "variance");
}

static void layerNorm(LayerNormOp norm, Facts &facts) {
  double count = 1;
  for (int64_t size : tensorType(norm.getX())
                          .getShape()
                          .drop_front(static_cast<int64_t>(norm.getAxis())))
    count *= size;
  Interval x = facts.bounds(norm.getX());
  double epsilon = norm.getEpsilon().convertToDouble();
  facts.set(norm.getResult(),
            normalised(count, norm.getScale(), norm.getBias(), facts));
  facts.set(norm.getMean(), x, "mean");
  Interval shifted = add(variance(x), Interval::of(epsilon));
  if (shifted.lo > 0)
    facts.set(norm.getRstd(),
              {1 / std::sqrt(shifted.hi), 1 / std::sqrt(shifted.lo)},
              "at most 1 / sqrt(epsilon)");
}

static void inference(BatchNormInferenceOp norm, Facts &facts) {
  Interval shifted = add(facts.bounds(norm.getVariance()),
                         Interval::of(norm.getEpsilon().convertToDouble()));
  if (!(shifted.lo > 0))
    return;
  Interval deviation = {std::sqrt(shifted.lo), std::sqrt(shifted.hi)};
  Interval z = div(sub(facts.bounds(norm.getX()), facts.bounds(norm.getMean())),
                   deviation);
  facts.set(
      norm.getResult(),
      add(mul(z, facts.bounds(norm.getScale())), facts.bounds(norm.getBias())),
      "norm with given statistics");
}

bool amp::ranges::transferNorm(Operation *op, Facts &facts) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](BatchNormOp norm) {
        batchNorm(norm, facts);
        return true;
      })
      .Case([&](LayerNormOp norm) {
        layerNorm(norm, facts);
        return true;
      })
      .Case([&](BatchNormInferenceOp norm) {
        inference(norm, facts);
        return true;
      })
      .Default(false);
}
