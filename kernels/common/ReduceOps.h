//===- ReduceOps.h - The operations of a reduction --------------*- C++ -*-===//
//
// Sum, product, maximum and minimum on a scalar and on eight lanes, with their
// neutral elements. A NaN passes through all of them.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_KERNELS_COMMON_REDUCEOPS_H
#define AMP_KERNELS_COMMON_REDUCEOPS_H

#include "kernels/Kernels.h"
#include "kernels/common/Storage.h"

#include <limits>

namespace amp::kernels {

struct SumOp {
  static constexpr float neutral = 0.0f;
  V8 operator()(V8 a, V8 b) const { return _mm256_add_ps(a, b); }
  float operator()(float a, float b) const { return a + b; }
};
struct ProdOp {
  static constexpr float neutral = 1.0f;
  V8 operator()(V8 a, V8 b) const { return _mm256_mul_ps(a, b); }
  float operator()(float a, float b) const { return a * b; }
};
/// The later operand is taken where larger or NaN; an earlier NaN stays.
struct MaxOp {
  static constexpr float neutral = -std::numeric_limits<float>::infinity();
  V8 operator()(V8 a, V8 b) const { return choose(largerOrNaN(b, a), b, a); }
  float operator()(float a, float b) const {
    return (b > a) | (b != b) ? b : a;
  }
};
struct MinOp {
  static constexpr float neutral = std::numeric_limits<float>::infinity();
  V8 operator()(V8 a, V8 b) const { return choose(smallerOrNaN(b, a), b, a); }
  float operator()(float a, float b) const {
    return (b < a) | (b != b) ? b : a;
  }
};

/// Calls fn(op) with the operation of this kind; a mean adds.
template <class Fn>
void withReduceOp(ReduceKind kind, Fn fn) {
  switch (kind) {
  case ReduceKind::sum:
  case ReduceKind::mean:
    return fn(SumOp());
  case ReduceKind::prod:
    return fn(ProdOp());
  case ReduceKind::max:
    return fn(MaxOp());
  case ReduceKind::min:
    return fn(MinOp());
  }
}

/// The lanes of a vector as one value, halves first.
template <class Op>
float acrossLanes(V8 v, Op op) {
  alignas(32) float lane[kLanes];
  _mm256_store_ps(lane, v);
  return op(op(op(lane[0], lane[4]), op(lane[2], lane[6])),
            op(op(lane[1], lane[5]), op(lane[3], lane[7])));
}

/// A contiguous run as one value: four accumulators of eight lanes, then the
/// rest. The order depends on the length only.
template <class T, class Op>
float reduceRun(const T *x, int64_t n, Op op) {
  float result = Op::neutral;
  int64_t i = 0;
  if (n >= kLanes) {
    V8 sums[4] = {splat(Op::neutral), splat(Op::neutral), splat(Op::neutral),
                  splat(Op::neutral)};
    for (; i + 4 * kLanes <= n; i += 4 * kLanes)
      for (int j = 0; j < 4; ++j)
        sums[j] = op(sums[j], load8(x + i + j * kLanes));
    for (int j = 0; i + kLanes <= n; i += kLanes, ++j)
      sums[j] = op(sums[j], load8(x + i));
    result = acrossLanes(op(op(sums[0], sums[1]), op(sums[2], sums[3])), op);
  }
  float rest = Op::neutral;
  for (; i < n; ++i)
    rest = op(rest, load1(x + i));
  return op(result, rest);
}

} // namespace amp::kernels

#endif // AMP_KERNELS_COMMON_REDUCEOPS_H
