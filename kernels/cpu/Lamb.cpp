//===- Lamb.cpp - Layer-wise adaptive moments -----------------------------===//
//
// You et al., "Large batch optimization for deep learning: training BERT in 76
// minutes", 2020, with bias correction. The direction of the second pass is
// computed from the moments as they are stored, so the first one reads them
// back before it sums: the ratio is that of the step that is made.
//
//===----------------------------------------------------------------------===//

#include "kernels/common/Tree.h"
#include "kernels/cpu/UpdateMath.h"

#include <algorithm>
#include <cmath>

using namespace amp;
using namespace amp::kernels;

namespace {

/// Corrected moments and decay.
struct Direction {
  explicit Direction(const UpdateConstants &c)
      : correction(splat(c.correction1)), root2(splat(c.root)),
        eps(splat(c.eps)), decay(splat(c.decay)) {}
  V8 operator()(V8 p, V8 mean, V8 square) const {
    V8 denominator = add(div(root(square), root2), eps);
    return fma(decay, p, div(div(mean, correction), denominator));
  }
  V8 correction, root2, eps, decay;
};

/// Parameter and moments of a block, widened.
struct Block {
  float parameter[kUpdateBlock], mean[kUpdateBlock], square[kUpdateBlock];

  void load(const UpdateTensor &tensor, int64_t offset, int64_t n) {
    loadParameter(tensor, offset, parameter, n);
    loadMoments(tensor, offset, n);
  }
  void loadMoments(const UpdateTensor &tensor, int64_t offset, int64_t n) {
    loadState(tensor, 0, offset, mean, n);
    loadState(tensor, 1, offset, square, n);
  }
};

} // namespace

TrustSums kernels::lambMoments(const UpdateConstants &c,
                               const UpdateTensor &tensor, int64_t offset,
                               int64_t n) {
  const UpdateRule &rule = c.rule;
  Lerp lerp(1.0 - rule.beta1);
  V8 beta2 = single(rule.beta2), rest2 = single(1.0 - rule.beta2);
  Direction direction(c);
  SquareSum parameters, directions;
  Block block;
  float gradient[kUpdateBlock];
  for (int64_t end = offset + n; offset < end; offset += kUpdateBlock) {
    int64_t length = std::min(kUpdateBlock, end - offset);
    block.load(tensor, offset, length);
    clipGradient(c, tensor.gradient + offset, gradient, length);
    for (int64_t i = 0; i < length; i += kLanes) {
      int64_t left = length - i;
      V8 g = loadUpTo8(gradient + i, left);
      storeUpTo8(block.mean + i, lerp(loadUpTo8(block.mean + i, left), g),
                 left);
      V8 square = mul(loadUpTo8(block.square + i, left), beta2);
      storeUpTo8(block.square + i, fma(mul(rest2, g), g, square), left);
    }
    storeState(c, tensor, 0, offset, block.mean, length);
    storeState(c, tensor, 1, offset, block.square, length);
    block.loadMoments(tensor, offset, length);
    for (int64_t i = 0; i < length; i += kLanes) {
      int64_t left = length - i;
      V8 p = loadUpTo8(block.parameter + i, left);
      parameters.add(p);
      // Lanes beyond the end are 0 / (0 + eps); with eps 0 they are no number.
      V8 u = direction(p, loadUpTo8(block.mean + i, left),
                       loadUpTo8(block.square + i, left));
      alignas(32) float lanes[kLanes] = {};
      storeUpTo8(lanes, u, left);
      directions.add(load8(lanes));
    }
  }
  return {parameters.total(), directions.total()};
}

float kernels::lambRatio(const TrustSums &sums) {
  if (!(sums.parameter > 0) || !(sums.direction > 0))
    return 1;
  return static_cast<float>(std::sqrt(sums.parameter) /
                            std::sqrt(sums.direction));
}

void kernels::lambApply(const UpdateConstants &c, const UpdateTensor &tensor,
                        float ratio, int64_t offset, int64_t n) {
  Direction direction(c);
  V8 rate = splat(c.rate * ratio);
  Block block;
  for (int64_t end = offset + n; offset < end; offset += kUpdateBlock) {
    int64_t length = std::min(kUpdateBlock, end - offset);
    block.load(tensor, offset, length);
    for (int64_t i = 0; i < length; i += kLanes) {
      int64_t left = length - i;
      V8 p = loadUpTo8(block.parameter + i, left);
      V8 u = direction(p, loadUpTo8(block.mean + i, left),
                       loadUpTo8(block.square + i, left));
      storeUpTo8(block.parameter + i, fma(rate, u, p), left);
    }
    storeParameter(c, tensor, offset, block.parameter, length);
  }
}

TrustSums kernels::combineSums(const TrustSums *sums, int64_t count) {
  struct Add {
    TrustSums operator()(const TrustSums &a, const TrustSums &b) const {
      return {a.parameter + b.parameter, a.direction + b.direction};
    }
  };
  ScalarTree<TrustSums, Add> tree;
  for (int64_t i = 0; i < count; ++i)
    tree.push(sums[i]);
  return tree.finish({});
}
