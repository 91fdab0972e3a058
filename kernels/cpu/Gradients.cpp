//===- Gradients.cpp - Passes over all gradients --------------------------===//
//
// One pass finds out whether every gradient is finite and how large they are
// together. Squares are added as float64: a finite float32 cannot overflow
// them, and the flag is read from the bits, never from the sum.
//
//===----------------------------------------------------------------------===//

#include "kernels/Kernels.h"
#include "kernels/common/Storage.h"
#include "kernels/common/Tree.h"

#include <algorithm>

using namespace amp;
using namespace amp::kernels;

std::vector<TensorChunk>
kernels::cutTensors(const std::vector<int64_t> &sizes,
                    const std::vector<int64_t> &chunk) {
  std::vector<TensorChunk> chunks;
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t step = chunk.empty() ? kChunk : chunk[i];
    for (int64_t at = 0; at < sizes[i]; at += step)
      chunks.push_back(
          {static_cast<int>(i), at, std::min(step, sizes[i] - at)});
  }
  return chunks;
}

ChunkCheck kernels::checkChunk(const float *gradient, int64_t n) {
  __m256d sums[4] = {_mm256_setzero_pd(), _mm256_setzero_pd(),
                     _mm256_setzero_pd(), _mm256_setzero_pd()};
  __m256i largest = _mm256_setzero_si256();
  const __m256i magnitude = _mm256_set1_epi32(0x7fffffff);
  for (int64_t i = 0; i < n; i += 2 * kLanes) {
    for (int j = 0; j < 2; ++j) {
      int64_t left = n - i - j * kLanes;
      if (left <= 0)
        break;
      V8 v = loadUpTo8(gradient + i + j * kLanes, left);
      __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(v));
      __m256d high = _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1));
      // The square of a float32 is exact in float64.
      sums[2 * j] = _mm256_fmadd_pd(low, low, sums[2 * j]);
      sums[2 * j + 1] = _mm256_fmadd_pd(high, high, sums[2 * j + 1]);
      largest = _mm256_max_epi32(
          largest, _mm256_and_si256(_mm256_castps_si256(v), magnitude));
    }
  }
  alignas(32) double lanes[4];
  _mm256_store_pd(lanes, _mm256_add_pd(_mm256_add_pd(sums[0], sums[1]),
                                       _mm256_add_pd(sums[2], sums[3])));
  __m256i beyond = _mm256_cmpgt_epi32(largest, _mm256_set1_epi32(0x7f7fffff));
  return {(lanes[0] + lanes[2]) + (lanes[1] + lanes[3]),
          _mm256_testz_si256(beyond, beyond) != 0};
}

ChunkCheck kernels::combineChecks(const std::vector<ChunkCheck> &checks) {
  struct Add {
    double operator()(double a, double b) const { return a + b; }
  };
  ScalarTree<double, Add> tree;
  ChunkCheck all;
  for (const ChunkCheck &check : checks) {
    tree.push(check.sumOfSquares);
    all.finite &= check.finite;
  }
  all.sumOfSquares = tree.finish(0.0);
  return all;
}

void kernels::accumulateChunk(float *into, const float *from, int64_t n) {
  for (int64_t i = 0; i < n; i += kLanes)
    storeUpTo8(
        into + i,
        _mm256_add_ps(loadUpTo8(into + i, n - i), loadUpTo8(from + i, n - i)),
        n - i);
}
