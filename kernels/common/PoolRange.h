//===- PoolRange.h - Which windows meet which elements ----------*- C++ -*-===//
//
// Index arithmetic of pooling along one dimension, and the decoding of units.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_KERNELS_COMMON_POOLRANGE_H
#define AMP_KERNELS_COMMON_POOLRANGE_H

#include "kernels/Kernels.h"
#include "kernels/common/Storage.h"

#include <algorithm>
#include <type_traits>
#include <vector>

namespace amp::kernels {

/// Half-open range.
struct Range {
  int64_t begin = 0, end = 0;
};

/// Smallest integer not below a / b; b > 0.
inline int64_t ceilDiv(int64_t a, int64_t b) {
  return a >= 0 ? (a + b - 1) / b : -(-a / b);
}
/// Largest integer not above a / b; b > 0.
inline int64_t floorDiv(int64_t a, int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// Kernel positions along dimension `d` at which window `out` lies inside
/// [low, high) of the input's coordinates.
inline Range tapsInside(const PoolShape &s, int d, int64_t out, int64_t low,
                        int64_t high) {
  int64_t start = out * s.stride[d] - s.padBegin[d];
  int64_t begin = std::max<int64_t>(0, ceilDiv(low - start, s.dilation[d]));
  int64_t end = std::min(s.kernel[d], ceilDiv(high - start, s.dilation[d]));
  return {begin, std::max(begin, end)};
}

/// Kernel positions that meet an element of the input.
inline Range taps(const PoolShape &s, int d, int64_t out) {
  return tapsInside(s, d, out, 0, s.in[d]);
}

/// Windows along dimension `d` that may hold input element `in`.
inline Range windowsOver(const PoolShape &s, int d, int64_t in) {
  int64_t at = in + s.padBegin[d];
  int64_t span = (s.kernel[d] - 1) * s.dilation[d];
  int64_t begin = std::max<int64_t>(0, ceilDiv(at - span, s.stride[d]));
  int64_t end = std::min(s.out[d], floorDiv(at, s.stride[d]) + 1);
  return {begin, std::max(begin, end)};
}

/// Position in window `out` of input element `in`, or -1 if the dilation steps
/// over it. Only for windows of windowsOver().
inline int64_t tapAt(const PoolShape &s, int d, int64_t in, int64_t out) {
  int64_t distance = in + s.padBegin[d] - out * s.stride[d];
  if (s.dilation[d] == 1)
    return distance;
  int64_t tap = distance / s.dilation[d];
  return tap * s.dilation[d] == distance ? tap : -1;
}

/// What a unit works on: a row of output (forward) or input (gradient).
struct PoolRow {
  int64_t batch, channel, depth, height;
};
inline PoolRow rowOfUnit(int64_t unit, int64_t channels, const int64_t *dims) {
  PoolRow row;
  row.height = unit % dims[1];
  unit /= dims[1];
  row.depth = unit % dims[0];
  unit /= dims[0];
  row.channel = unit % channels;
  row.batch = unit / channels;
  return row;
}

/// Offset of the first element of a row.
inline int64_t rowOffset(const int64_t *strides, const PoolRow &row) {
  return row.batch * strides[0] + row.channel * strides[1] +
         row.depth * strides[2] + row.height * strides[3];
}

/// Number an average divides by; zero where a window meets nothing that counts.
inline float divisor(const PoolShape &s, int d, int64_t out) {
  Range range = s.countIncludePad ? tapsInside(s, d, out, -s.padBegin[d],
                                               s.in[d] + s.padEnd[d])
                                  : taps(s, d, out);
  return static_cast<float>(range.end - range.begin);
}

/// The index arithmetic of the last dimension (and all divisors), done once per
/// call: divisions would cost more than the pooling of a short row.
struct PoolTable {
  explicit PoolTable(const PoolShape &s)
      : taps(s.out[2]), outputs(s.kernel[2]), windows(s.in[2]),
        columns(ceilDiv(s.in[2], s.stride[2])) {
    for (int64_t w = 0; w < s.out[2]; ++w)
      taps[w] = kernels::taps(s, 2, w);
    for (int d = 0; d < 3; ++d) {
      counts[d].resize(s.out[d]);
      for (int64_t i = 0; i < s.out[d]; ++i)
        counts[d][i] = divisor(s, d, i);
    }
    for (int64_t k = 0; k < s.kernel[2]; ++k) {
      int64_t shift = k * s.dilation[2] - s.padBegin[2];
      int64_t begin = std::max<int64_t>(0, ceilDiv(-shift, s.stride[2]));
      int64_t end = std::min(s.out[2], ceilDiv(s.in[2] - shift, s.stride[2]));
      outputs[k] = {begin, std::max(begin, end)};
    }
    for (int64_t w = 0; w < s.in[2]; ++w)
      windows[w] = windowsOver(s, 2, w);
  }

  std::vector<Range> taps;      ///< of an output: kernel positions in the input
  std::vector<float> counts[3]; ///< of an output: its factors of the divisor
  std::vector<Range> outputs;   ///< of a kernel position: outputs it serves
  std::vector<Range> windows;   ///< of an input: windows that may hold it
  int64_t columns;              ///< inputs of one residue modulo the stride
};

/// `n` elements as float32, in place if they are that already.
template <class T>
const float *denseRow(const T *from, int64_t stride, int64_t n,
                      std::vector<float> &buffer) {
  if constexpr (std::is_same_v<T, float>)
    if (stride == 1)
      return from;
  buffer.resize(std::max<int64_t>(buffer.size(), n));
  int64_t i = 0;
  if (stride == 1)
    for (; i + kLanes <= n; i += kLanes)
      store8(buffer.data() + i, load8(from + i));
  for (; i < n; ++i)
    buffer[i] = load1(from + i * stride);
  return buffer.data();
}

/// Stores `n` float32 values.
template <class T>
void storeRow(const float *from, int64_t n, T *to, int64_t stride) {
  int64_t i = 0;
  if (stride == 1)
    for (; i + kLanes <= n; i += kLanes)
      store8(to + i, load8(from + i));
  for (; i < n; ++i)
    store1(to + i * stride, from[i]);
}

/// One input row's sums, kept apart by residue modulo the stride, so that what
/// one kernel position adds lies side by side.
class ResidueRow {
public:
  ResidueRow(const PoolShape &s, const PoolTable &table)
      : stride(s.stride[2]), columns(table.columns), width(s.in[2]),
        sums(std::min(s.stride[2], s.in[2]) * table.columns) {}
  void clear() { std::fill(sums.begin(), sums.end(), 0.0f); }
  /// Where outputs begin, begin + 1, .. of a kernel position `shift` elements
  /// after the start of a window add to.
  float *at(int64_t begin, int64_t shift) {
    int64_t first = begin * stride + shift;
    return sums.data() + first % stride * columns + first / stride;
  }
  template <class T>
  void store(T *to, int64_t toStride) const {
    if (stride == 1)
      return storeRow(sums.data(), width, to, toStride);
    int64_t done = stride == 2 && toStride == 1 ? interleave(to) : 0;
    for (int64_t r = 0; r < stride && r < width; ++r) {
      const float *from = sums.data() + r * columns + done;
      for (int64_t w = r + done * stride; w < width; w += stride)
        store1(to + w * toStride, *from++);
    }
  }

private:
  /// Stores pairs of the two residues, eight at a time; how many were stored.
  template <class T>
  int64_t interleave(T *to) const {
    const float *even = sums.data(), *odd = even + columns;
    int64_t i = 0;
    for (; 2 * (i + kLanes) <= width; i += kLanes) {
      V8 low = _mm256_unpacklo_ps(load8(even + i), load8(odd + i));
      V8 high = _mm256_unpackhi_ps(load8(even + i), load8(odd + i));
      store8(to + 2 * i, _mm256_permute2f128_ps(low, high, 0x20));
      store8(to + 2 * i + kLanes, _mm256_permute2f128_ps(low, high, 0x31));
    }
    return i;
  }

  int64_t stride, columns, width;
  std::vector<float> sums;
};

/// Calls fn(vectors, first channel) over all channels: four vectors at a time,
/// then one, then what is left as part of one (`vectors` 0).
template <class Fn>
inline void overChannels(int64_t channels, Fn fn) {
  int64_t c = 0;
  for (; c + 4 * kLanes <= channels; c += 4 * kLanes)
    fn(std::integral_constant<int, 4>(), c);
  for (; c + kLanes <= channels; c += kLanes)
    fn(std::integral_constant<int, 1>(), c);
  if (c < channels)
    fn(std::integral_constant<int, 0>(), c);
}

/// Vector `v` of a group of `vectors` (0: `left` < 8 elements).
template <int vectors, class T>
inline V8 loadGroup(const T *p, int v, int64_t left) {
  return vectors ? load8(p + v * kLanes) : loadPart(p, left);
}
template <int vectors, class T>
inline void storeGroup(T *p, int v, int64_t left, V8 value) {
  if (vectors)
    store8(p + v * kLanes, value);
  else
    storePart(p, value, left);
}

} // namespace amp::kernels

#endif // AMP_KERNELS_COMMON_POOLRANGE_H
