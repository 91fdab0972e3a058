//===- PoolRange.h - Which windows meet which elements ----------*- C++ -*-===//
//
// Index arithmetic of pooling along one dimension, and the decoding of units.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_KERNELS_COMMON_POOLRANGE_H
#define AMP_KERNELS_COMMON_POOLRANGE_H

#include "kernels/Kernels.h"

#include <algorithm>

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

/// Outputs of the last dimension inside [from, to) whose kernel position `tap`
/// meets an input element in [low, high).
inline Range outputsOfTap(const PoolShape &s, int64_t tap, Range within,
                          int64_t low, int64_t high) {
  int64_t shift = tap * s.dilation[2] - s.padBegin[2];
  int64_t begin = std::max(within.begin, ceilDiv(low - shift, s.stride[2]));
  int64_t end = std::min(within.end, ceilDiv(high - shift, s.stride[2]));
  return {begin, std::max(begin, end)};
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

} // namespace amp::kernels

#endif // AMP_KERNELS_COMMON_POOLRANGE_H
