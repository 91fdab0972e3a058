//===- UpdateMath.h - Arithmetic that optimizers share ----------*- C++ -*-===//
//
// Lanes of float32, PyTorch's interpolation, and what happens to a gradient
// before an optimizer sees it.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_KERNELS_CPU_UPDATEMATH_H
#define AMP_KERNELS_CPU_UPDATEMATH_H

#include "kernels/Update.h"
#include "kernels/common/Storage.h"

namespace amp::kernels {

/// Elements that are widened at a time where a tensor is not float32.
inline constexpr int64_t kUpdateBlock = 1024;

inline V8 add(V8 a, V8 b) { return _mm256_add_ps(a, b); }
inline V8 mul(V8 a, V8 b) { return _mm256_mul_ps(a, b); }
inline V8 div(V8 a, V8 b) { return _mm256_div_ps(a, b); }
inline V8 root(V8 a) { return _mm256_sqrt_ps(a); }
inline V8 single(double value) { return splat(static_cast<float>(value)); }

/// PyTorch's lerp: from whichever end is nearer.
struct Lerp {
  explicit Lerp(double weight)
      : near(weight < 0.5), factor(single(near ? weight : 1.0 - weight)) {}
  V8 operator()(V8 from, V8 to) const {
    V8 way = _mm256_sub_ps(to, from);
    return near ? fma(factor, way, from) : _mm256_sub_ps(to, mul(way, factor));
  }
  bool near;
  V8 factor;
};

/// Unscaled and clipped gradient.
template <ClipMode mode>
struct Gradient {
  explicit Gradient(const UpdateConstants &c)
      : inverse(splat(c.inverseScale)), factor(splat(c.clipFactor)),
        high(splat(c.clipValue)), low(splat(-c.clipValue)) {}
  V8 operator()(V8 g) const {
    g = mul(g, inverse);
    if (mode == ClipMode::norm)
      g = mul(g, factor);
    // The gradient is the second operand, which is what comes back for a NaN.
    if (mode == ClipMode::value)
      g = _mm256_min_ps(high, _mm256_max_ps(low, g));
    return g;
  }
  V8 inverse, factor, high, low;
};

/// Calls fn(Gradient<mode>) with the clipping of these constants.
template <class Fn>
inline void withClipping(const UpdateConstants &c, Fn &&fn) {
  switch (c.rule.clip) {
  case ClipMode::none:
    return fn(Gradient<ClipMode::none>(c));
  case ClipMode::norm:
    return fn(Gradient<ClipMode::norm>(c));
  case ClipMode::value:
    return fn(Gradient<ClipMode::value>(c));
  }
}

/// Adds squares in float64, lanes apart; a square of float32 is exact there.
class SquareSum {
public:
  void add(V8 v) {
    __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(v));
    __m256d high = _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1));
    sums[0] = _mm256_fmadd_pd(low, low, sums[0]);
    sums[1] = _mm256_fmadd_pd(high, high, sums[1]);
  }
  double total() const {
    alignas(32) double lanes[4];
    _mm256_store_pd(lanes, _mm256_add_pd(sums[0], sums[1]));
    return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
  }

private:
  __m256d sums[2] = {_mm256_setzero_pd(), _mm256_setzero_pd()};
};

} // namespace amp::kernels

#endif // AMP_KERNELS_CPU_UPDATEMATH_H
