//===- MaxPool.cpp - Maximum over windows, and the gradient ---------------===//
//
// Lanes run along the channels where these are contiguous, else along the last
// dimension. The first of equal elements wins; a NaN wins over everything. The
// gradient is gathered, row of input by row of input, so that it needs neither
// atomics nor a second buffer and adds in a fixed order.
//
//===----------------------------------------------------------------------===//

#include "kernels/common/PoolRange.h"
#include "kernels/common/Storage.h"

#include <cmath>
#include <limits>

using namespace amp;
using namespace amp::kernels;

namespace {

/// Outputs handled at a time where lanes run along the last dimension.
constexpr int64_t kStrip = 256;
constexpr float kLowest = -std::numeric_limits<float>::infinity();

void storeIndex8(int32_t *p, __m256i v, int64_t n) {
  alignas(32) int32_t lanes[kLanes];
  _mm256_store_si256(reinterpret_cast<__m256i *>(lanes), v);
  std::copy_n(lanes, std::min(n, kLanes), p);
}
void storeIndex8(uint8_t *p, __m256i v, int64_t n) {
  alignas(32) int32_t lanes[kLanes];
  _mm256_store_si256(reinterpret_cast<__m256i *>(lanes), v);
  for (int64_t i = 0, e = std::min(n, kLanes); i < e; ++i)
    p[i] = static_cast<uint8_t>(lanes[i]);
}
__m256i loadIndex8(const int32_t *p, int64_t n) {
  if (n >= kLanes)
    return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(p));
  alignas(32) int32_t lanes[kLanes] = {-1, -1, -1, -1, -1, -1, -1, -1};
  std::copy_n(p, n, lanes);
  return _mm256_load_si256(reinterpret_cast<const __m256i *>(lanes));
}
__m256i loadIndex8(const uint8_t *p, int64_t n) {
  uint64_t bytes = ~uint64_t(0);
  std::memcpy(&bytes, p, std::min(n, kLanes));
  return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<int64_t>(bytes)));
}

/// Eight channels of one window.
template <class T, class I>
void maxOfChannels(const PoolShape &s, const T *x, Range rd, Range rh, Range rw,
                   int64_t n, T *y, I *index) {
  V8 best = splat(kLowest);
  // -1 is 255 in a byte. The first element of the window is taken whatever it
  // is, so that a window of -inf has a position, too.
  int64_t first =
      rd.begin < rd.end && rh.begin < rh.end && rw.begin < rw.end
          ? (rd.begin * s.kernel[1] + rh.begin) * s.kernel[2] + rw.begin
          : -1;
  __m256i where = _mm256_set1_epi32(static_cast<int32_t>(first));
  for (int64_t kd = rd.begin; kd < rd.end; ++kd)
    for (int64_t kh = rh.begin; kh < rh.end; ++kh) {
      const T *row = x + kd * s.dilation[0] * s.xStrides[2] +
                     kh * s.dilation[1] * s.xStrides[3];
      int64_t tap = (kd * s.kernel[1] + kh) * s.kernel[2];
      for (int64_t kw = rw.begin; kw < rw.end; ++kw) {
        V8 v = loadUpTo8(row + kw * s.dilation[2] * s.xStrides[4], n);
        V8 take = largerOrNaN(v, best);
        best = choose(take, v, best);
        where = _mm256_blendv_epi8(
            where, _mm256_set1_epi32(static_cast<int32_t>(tap + kw)),
            _mm256_castps_si256(take));
      }
    }
  storeUpTo8(y, best, n);
  storeIndex8(index, where, n);
}

template <class T, class I>
void rowAlongChannels(const PoolShape &s, const PoolRow &row, const T *x, T *y,
                      I *index) {
  Range rd = taps(s, 0, row.depth), rh = taps(s, 1, row.height);
  int64_t base = row.batch * s.xStrides[0] +
                 (row.depth * s.stride[0] - s.padBegin[0]) * s.xStrides[2] +
                 (row.height * s.stride[1] - s.padBegin[1]) * s.xStrides[3];
  for (int64_t w = 0; w < s.out[2]; ++w) {
    Range rw = taps(s, 2, w);
    int64_t iw0 = w * s.stride[2] - s.padBegin[2];
    for (int64_t c = 0; c < s.channels; c += kLanes)
      maxOfChannels(s, x + base + iw0 * s.xStrides[4] + c, rd, rh, rw,
                    s.channels - c, y + w * s.yStrides[4] + c,
                    index + w * s.indexStrides[4] + c);
  }
}

/// Takes x[i * step] where larger. Written for the vectorizer.
template <class T>
inline void takeLarger(const T *x, int64_t step, int32_t tap, int64_t n,
                       float *best, int32_t *where) {
  for (int64_t i = 0; i < n; ++i) {
    float v = load1(x + i * step);
    bool take = (v > best[i]) | (v != v);
    best[i] = take ? v : best[i];
    where[i] = take ? tap : where[i];
  }
}

template <class T, class I>
void rowAlongWidth(const PoolShape &s, const PoolRow &row, const T *x, T *y,
                   I *index) {
  float best[kStrip];
  int32_t where[kStrip];
  Range rd = taps(s, 0, row.depth), rh = taps(s, 1, row.height);
  bool any = rd.begin < rd.end && rh.begin < rh.end;
  int64_t firstRow = (rd.begin * s.kernel[1] + rh.begin) * s.kernel[2];
  int64_t base = row.batch * s.xStrides[0] + row.channel * s.xStrides[1];
  for (int64_t w = 0; w < s.out[2]; w += kStrip) {
    Range strip{w, std::min(w + kStrip, s.out[2])};
    for (int64_t i = strip.begin; i < strip.end; ++i) {
      Range rw = taps(s, 2, i);
      best[i - w] = kLowest;
      where[i - w] = any && rw.begin < rw.end
                         ? static_cast<int32_t>(firstRow + rw.begin)
                         : -1;
    }
    for (int64_t kd = rd.begin; kd < rd.end; ++kd)
      for (int64_t kh = rh.begin; kh < rh.end; ++kh) {
        int64_t id =
            row.depth * s.stride[0] - s.padBegin[0] + kd * s.dilation[0];
        int64_t ih =
            row.height * s.stride[1] - s.padBegin[1] + kh * s.dilation[1];
        const T *from = x + base + id * s.xStrides[2] + ih * s.xStrides[3];
        int64_t tap = (kd * s.kernel[1] + kh) * s.kernel[2];
        for (int64_t kw = 0; kw < s.kernel[2]; ++kw) {
          Range r = outputsOfTap(s, kw, strip, 0, s.in[2]);
          int64_t iw =
              r.begin * s.stride[2] - s.padBegin[2] + kw * s.dilation[2];
          int64_t step = s.stride[2] * s.xStrides[4], n = r.end - r.begin;
          const T *at = from + iw * s.xStrides[4];
          float *b = best + (r.begin - w);
          int32_t *p = where + (r.begin - w);
          auto number = static_cast<int32_t>(tap + kw);
          if (step == 1)
            takeLarger(at, 1, number, n, b, p);
          else if (step == 2)
            takeLarger(at, 2, number, n, b, p);
          else
            takeLarger(at, step, number, n, b, p);
        }
      }
    for (int64_t i = strip.begin; i < strip.end; ++i) {
      store1(y + i * s.yStrides[4], best[i - w]);
      index[i * s.indexStrides[4]] = static_cast<I>(where[i - w]);
    }
  }
}

/// Eight channels of one input element.
template <class T, class I>
void gradOfChannels(const PoolShape &s, int64_t d, int64_t h, int64_t w,
                    Range rd, Range rh, Range rw, const T *dy, const I *index,
                    int64_t n, T *dx) {
  V8 sum = splat(0);
  for (int64_t od = rd.begin; od < rd.end; ++od) {
    int64_t kd = tapAt(s, 0, d, od);
    for (int64_t oh = rh.begin; kd >= 0 && oh < rh.end; ++oh) {
      int64_t kh = tapAt(s, 1, h, oh);
      for (int64_t ow = rw.begin; kh >= 0 && ow < rw.end; ++ow) {
        int64_t kw = tapAt(s, 2, w, ow);
        if (kw < 0)
          continue;
        int64_t tap = (kd * s.kernel[1] + kh) * s.kernel[2] + kw;
        V8 g = loadUpTo8(dy + od * s.yStrides[2] + oh * s.yStrides[3] +
                             ow * s.yStrides[4],
                         n);
        __m256i at =
            loadIndex8(index + od * s.indexStrides[2] + oh * s.indexStrides[3] +
                           ow * s.indexStrides[4],
                       n);
        __m256i mine = _mm256_cmpeq_epi32(
            at, _mm256_set1_epi32(static_cast<int32_t>(tap)));
        sum = _mm256_add_ps(sum, _mm256_and_ps(_mm256_castsi256_ps(mine), g));
      }
    }
  }
  storeUpTo8(dx, sum, n);
}

/// A row of input where lanes would run along the last dimension: every window
/// row that meets it sends its gradients to where its maxima lie.
template <class T, class I>
void gradAlongWidth(const PoolShape &s, const PoolRow &row, const T *dy,
                    const I *index, T *dx) {
  constexpr int64_t kPart = 1024;
  float sum[kPart];
  int64_t reach = (s.kernel[2] - 1) * s.dilation[2];
  Range rd = windowsOver(s, 0, row.depth), rh = windowsOver(s, 1, row.height);
  for (int64_t w = 0; w < s.in[2]; w += kPart) {
    int64_t n = std::min(kPart, s.in[2] - w);
    std::fill_n(sum, n, 0.0f);
    // Windows that start at or before the part's end and reach its begin.
    int64_t ow0 =
        std::max<int64_t>(0, ceilDiv(w + s.padBegin[2] - reach, s.stride[2]));
    int64_t ow1 = std::min(
        s.out[2], floorDiv(w + n - 1 + s.padBegin[2], s.stride[2]) + 1);
    for (int64_t od = rd.begin; od < rd.end; ++od) {
      int64_t kd = tapAt(s, 0, row.depth, od);
      for (int64_t oh = rh.begin; kd >= 0 && oh < rh.end; ++oh) {
        int64_t kh = tapAt(s, 1, row.height, oh);
        if (kh < 0)
          continue;
        int64_t tap = (kd * s.kernel[1] + kh) * s.kernel[2];
        const T *g = dy + od * s.yStrides[2] + oh * s.yStrides[3];
        const I *at = index + od * s.indexStrides[2] + oh * s.indexStrides[3];
        for (int64_t ow = ow0; ow < ow1; ++ow) {
          int64_t kw = int64_t(at[ow * s.indexStrides[4]]) - tap;
          int64_t to =
              ow * s.stride[2] - s.padBegin[2] + kw * s.dilation[2] - w;
          if (kw >= 0 && kw < s.kernel[2] && to >= 0 && to < n)
            sum[to] += load1(g + ow * s.yStrides[4]);
        }
      }
    }
    for (int64_t i = 0; i < n; ++i)
      store1(dx + (w + i) * s.xStrides[4], sum[i]);
  }
}

template <class T, class I>
void forward(const PoolShape &s, const T *x, T *y, I *index, int64_t begin,
             int64_t end) {
  bool channels = s.channelsLast(true);
  for (int64_t unit = begin; unit < end; ++unit) {
    PoolRow row = rowOfUnit(unit, channels ? 1 : s.channels, s.out);
    T *toY = y + rowOffset(s.yStrides, row);
    I *toIndex = index + rowOffset(s.indexStrides, row);
    if (channels)
      rowAlongChannels(s, row, x, toY, toIndex);
    else
      rowAlongWidth(s, row, x, toY, toIndex);
  }
}

template <class T, class I>
void backward(const PoolShape &s, const T *dy, const I *index, T *dx,
              int64_t begin, int64_t end) {
  bool channels = s.channelsLast(true);
  for (int64_t unit = begin; unit < end; ++unit) {
    PoolRow row = rowOfUnit(unit, channels ? 1 : s.channels, s.in);
    T *to = dx + rowOffset(s.xStrides, row);
    const T *g = dy + row.batch * s.yStrides[0] + row.channel * s.yStrides[1];
    const I *at =
        index + row.batch * s.indexStrides[0] + row.channel * s.indexStrides[1];
    if (!channels) {
      gradAlongWidth(s, row, g, at, to);
      continue;
    }
    Range rd = windowsOver(s, 0, row.depth), rh = windowsOver(s, 1, row.height);
    for (int64_t w = 0; w < s.in[2]; ++w) {
      Range rw = windowsOver(s, 2, w);
      for (int64_t c = 0; c < s.channels; c += kLanes)
        gradOfChannels(s, row.depth, row.height, w, rd, rh, rw, g + c, at + c,
                       s.channels - c, to + w * s.xStrides[4] + c);
    }
  }
}

} // namespace

void kernels::runMaxPool(const PoolShape &shape, abi::DType type,
                         abi::DType indexType, const void *x, void *y,
                         void *index, int64_t begin, int64_t end) {
  withStorage(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    auto *from = static_cast<const T *>(x);
    auto *to = static_cast<T *>(y);
    if (indexType == abi::DType::u8)
      forward(shape, from, to, static_cast<uint8_t *>(index), begin, end);
    else
      forward(shape, from, to, static_cast<int32_t *>(index), begin, end);
  });
}

void kernels::runMaxPoolGrad(const PoolShape &shape, abi::DType type,
                             abi::DType indexType, const void *dy,
                             const void *index, void *dx, int64_t begin,
                             int64_t end) {
  withStorage(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    auto *from = static_cast<const T *>(dy);
    auto *to = static_cast<T *>(dx);
    if (indexType == abi::DType::u8)
      backward(shape, from, static_cast<const uint8_t *>(index), to, begin,
               end);
    else
      backward(shape, from, static_cast<const int32_t *>(index), to, begin,
               end);
  });
}
