//===- MaxPool.cpp - Maximum over windows, and the gradient ---------------===//
//
// Lanes run along the channels where these are contiguous, else along the last
// dimension. The first of equal elements wins; a NaN wins over everything. The
// gradient is gathered, row of input by row of input, so that it needs neither
// atomics nor a second buffer and adds in a fixed order.
//
//===----------------------------------------------------------------------===//

#include "kernels/common/PoolRange.h"

#include <cmath>
#include <limits>

using namespace amp;
using namespace amp::kernels;

namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();

void storeIndex8(int32_t *p, __m256i v) {
  _mm256_storeu_si256(reinterpret_cast<__m256i *>(p), v);
}
void storeIndex8(uint8_t *p, __m256i v) {
  // Without the mask the packing would turn -1 into 0.
  v = _mm256_and_si256(v, _mm256_set1_epi32(255));
  __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(v),
                                  _mm256_extracti128_si256(v, 1));
  _mm_storel_epi64(reinterpret_cast<__m128i *>(p),
                   _mm_packus_epi16(words, words));
}
__m256i loadIndex8(const int32_t *p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(p));
}
__m256i loadIndex8(const uint8_t *p) {
  return _mm256_cvtepu8_epi32(
      _mm_loadl_epi64(reinterpret_cast<const __m128i *>(p)));
}
template <int vectors, class I>
__m256i loadIndexGroup(const I *p, int v, int64_t left) {
  if (vectors)
    return loadIndex8(p + v * kLanes);
  I part[kLanes] = {};
  std::copy_n(p, left, part);
  return loadIndex8(part);
}
template <int vectors, class I>
void storeIndexGroup(I *p, int v, int64_t left, __m256i value) {
  if (vectors)
    return storeIndex8(p + v * kLanes, value);
  I part[kLanes];
  storeIndex8(part, value);
  std::copy_n(part, left, p);
}

/// Position of the first element of a window; -1 if it has none.
int64_t firstTap(const PoolShape &s, Range d, Range h, Range w) {
  if (d.begin >= d.end || h.begin >= h.end || w.begin >= w.end)
    return -1;
  return (d.begin * s.kernel[1] + h.begin) * s.kernel[2] + w.begin;
}

/// Some channels of one window. The first element is taken whatever it is, so
/// that a window of -inf has a position, too.
template <int vectors, class T, class I>
void maxOfChannels(const PoolShape &s, const T *x, Range rd, Range rh, Range rw,
                   int64_t left, T *y, I *index) {
  constexpr int count = vectors ? vectors : 1;
  V8 best[count];
  __m256i where[count];
  for (int v = 0; v < count; ++v) {
    best[v] = splat(kLowest);
    where[v] = _mm256_set1_epi32(static_cast<int32_t>(firstTap(s, rd, rh, rw)));
  }
  for (int64_t kd = rd.begin; kd < rd.end; ++kd)
    for (int64_t kh = rh.begin; kh < rh.end; ++kh) {
      const T *row = x + kd * s.dilation[0] * s.xStrides[2] +
                     kh * s.dilation[1] * s.xStrides[3];
      int64_t tap = (kd * s.kernel[1] + kh) * s.kernel[2];
      for (int64_t kw = rw.begin; kw < rw.end; ++kw) {
        const T *at = row + kw * s.dilation[2] * s.xStrides[4];
        __m256i number = _mm256_set1_epi32(static_cast<int32_t>(tap + kw));
        for (int v = 0; v < count; ++v) {
          V8 value = loadGroup<vectors>(at, v, left);
          V8 take = largerOrNaN(value, best[v]);
          best[v] = choose(take, value, best[v]);
          where[v] =
              _mm256_blendv_epi8(where[v], number, _mm256_castps_si256(take));
        }
      }
    }
  for (int v = 0; v < count; ++v) {
    storeGroup<vectors>(y, v, left, best[v]);
    storeIndexGroup<vectors>(index, v, left, where[v]);
  }
}

template <class T, class I>
void rowAlongChannels(const PoolShape &s, const PoolTable &table,
                      const PoolRow &row, const T *x, T *y, I *index) {
  Range rd = taps(s, 0, row.depth), rh = taps(s, 1, row.height);
  int64_t base = row.batch * s.xStrides[0] +
                 (row.depth * s.stride[0] - s.padBegin[0]) * s.xStrides[2] +
                 (row.height * s.stride[1] - s.padBegin[1]) * s.xStrides[3];
  for (int64_t w = 0; w < s.out[2]; ++w) {
    int64_t from = base + (w * s.stride[2] - s.padBegin[2]) * s.xStrides[4];
    overChannels(s.channels, [&](auto vectors, int64_t c) {
      maxOfChannels<vectors.value>(s, x + from + c, rd, rh, table.taps[w],
                                   s.channels - c, y + w * s.yStrides[4] + c,
                                   index + w * s.indexStrides[4] + c);
    });
  }
}

/// Widens or narrows positions.
template <class From, class To>
void copyIndices(const From *__restrict from, int64_t fromStride,
                 To *__restrict to, int64_t toStride, int64_t n) {
  if (fromStride == 1 && toStride == 1)
    for (int64_t i = 0; i < n; ++i)
      to[i] = static_cast<To>(from[i]);
  else
    for (int64_t i = 0; i < n; ++i)
      to[i * toStride] = static_cast<To>(from[i * fromStride]);
}

/// Takes x[i * step] where larger. Written for the vectorizer, which needs a
/// constant step (0: any).
template <int constant>
void takeLarger(const float *__restrict x, int64_t step, int32_t tap, int64_t n,
                float *__restrict best, int32_t *__restrict where) {
  if (constant)
    step = constant;
  for (int64_t i = 0; i < n; ++i) {
    float v = x[i * step];
    float old = best[i];
    bool take = !(v <= old) & (old == old);
    best[i] = take ? v : old;
    where[i] = take ? tap : where[i];
  }
}

/// Rows of output where lanes run along the last dimension.
template <class T, class I>
class AlongWidth {
public:
  AlongWidth(const PoolShape &s, const PoolTable &table)
      : s(s), table(table), best(s.out[2]), where(s.out[2]), first(s.out[2]) {
    for (int64_t w = 0; w < s.out[2]; ++w)
      first[w] =
          static_cast<int32_t>(firstTap(s, {0, 1}, {0, 1}, table.taps[w]));
  }

  void run(const PoolRow &row, const T *x, T *y, I *index) {
    Range rd = taps(s, 0, row.depth), rh = taps(s, 1, row.height);
    std::fill(best.begin(), best.end(), kLowest);
    int64_t firstRow = firstTap(s, rd, rh, {0, 1});
    for (int64_t w = 0; w < s.out[2]; ++w)
      where[w] = firstRow < 0 || first[w] < 0
                     ? -1
                     : static_cast<int32_t>(firstRow + first[w]);
    for (int64_t kd = rd.begin; kd < rd.end; ++kd)
      for (int64_t kh = rh.begin; kh < rh.end; ++kh) {
        int64_t id =
            row.depth * s.stride[0] - s.padBegin[0] + kd * s.dilation[0];
        int64_t ih =
            row.height * s.stride[1] - s.padBegin[1] + kh * s.dilation[1];
        const float *from = denseRow(
            x + row.batch * s.xStrides[0] + row.channel * s.xStrides[1] +
                id * s.xStrides[2] + ih * s.xStrides[3],
            s.xStrides[4], s.in[2], buffer);
        takeRow(from, (kd * s.kernel[1] + kh) * s.kernel[2]);
      }
    storeRow(best.data(), s.out[2], y, s.yStrides[4]);
    copyIndices(where.data(), 1, index, s.indexStrides[4], s.out[2]);
  }

private:
  void takeRow(const float *from, int64_t tap) {
    int64_t step = s.stride[2];
    for (int64_t kw = 0; kw < s.kernel[2]; ++kw) {
      Range r = table.outputs[kw];
      int64_t n = r.end - r.begin;
      if (n == 0)
        continue;
      const float *at =
          from + r.begin * step - s.padBegin[2] + kw * s.dilation[2];
      float *b = best.data() + r.begin;
      int32_t *p = where.data() + r.begin;
      auto number = static_cast<int32_t>(tap + kw);
      if (step == 1)
        takeLarger<1>(at, 1, number, n, b, p);
      else if (step == 2)
        takeLarger<2>(at, 2, number, n, b, p);
      else
        takeLarger<0>(at, step, number, n, b, p);
    }
  }

  const PoolShape &s;
  const PoolTable &table;
  std::vector<float> best, buffer;
  std::vector<int32_t> where; ///< position of the maximum so far
  std::vector<int32_t> first; ///< first position inside the input, or -1
};

/// Some channels of one input element.
template <int vectors, class T, class I>
void gradOfChannels(const PoolShape &s, int64_t d, int64_t h, int64_t w,
                    Range rd, Range rh, Range rw, const T *dy, const I *index,
                    int64_t left, T *dx) {
  constexpr int count = vectors ? vectors : 1;
  V8 sum[count];
  for (V8 &lane : sum)
    lane = splat(0);
  for (int64_t od = rd.begin; od < rd.end; ++od) {
    int64_t kd = tapAt(s, 0, d, od);
    for (int64_t oh = rh.begin; kd >= 0 && oh < rh.end; ++oh) {
      int64_t kh = tapAt(s, 1, h, oh);
      for (int64_t ow = rw.begin; kh >= 0 && ow < rw.end; ++ow) {
        int64_t kw = tapAt(s, 2, w, ow);
        if (kw < 0)
          continue;
        __m256i tap = _mm256_set1_epi32(
            static_cast<int32_t>((kd * s.kernel[1] + kh) * s.kernel[2] + kw));
        const T *g =
            dy + od * s.yStrides[2] + oh * s.yStrides[3] + ow * s.yStrides[4];
        const I *at = index + od * s.indexStrides[2] + oh * s.indexStrides[3] +
                      ow * s.indexStrides[4];
        for (int v = 0; v < count; ++v) {
          __m256i mine =
              _mm256_cmpeq_epi32(loadIndexGroup<vectors>(at, v, left), tap);
          sum[v] = _mm256_add_ps(sum[v],
                                 _mm256_and_ps(_mm256_castsi256_ps(mine),
                                               loadGroup<vectors>(g, v, left)));
        }
      }
    }
  }
  for (int v = 0; v < count; ++v)
    storeGroup<vectors>(dx, v, left, sum[v]);
}

/// to[i] += g[i] where the maximum lies at this position.
void addWhere(float *__restrict to, const float *__restrict g,
              const int32_t *__restrict places, int32_t number, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    to[i] += places[i] == number ? g[i] : 0.0f;
}

/// A row of input where lanes run along the last dimension.
template <class T, class I>
class GradAlongWidth {
public:
  GradAlongWidth(const PoolShape &s, const PoolTable &table)
      : s(s), table(table), sums(s, table), places(s.out[2]) {}

  void run(const PoolRow &row, const T *dy, const I *index, T *dx) {
    sums.clear();
    Range rd = windowsOver(s, 0, row.depth), rh = windowsOver(s, 1, row.height);
    for (int64_t od = rd.begin; od < rd.end; ++od) {
      int64_t kd = tapAt(s, 0, row.depth, od);
      for (int64_t oh = rh.begin; kd >= 0 && oh < rh.end; ++oh) {
        int64_t kh = tapAt(s, 1, row.height, oh);
        if (kh < 0)
          continue;
        const float *g = denseRow(dy + od * s.yStrides[2] + oh * s.yStrides[3],
                                  s.yStrides[4], s.out[2], buffer);
        const I *at = index + od * s.indexStrides[2] + oh * s.indexStrides[3];
        copyIndices(at, s.indexStrides[4], places.data(), 1, s.out[2]);
        addRow(g, (kd * s.kernel[1] + kh) * s.kernel[2]);
      }
    }
    sums.store(dx, s.xStrides[4]);
  }

private:
  void addRow(const float *g, int64_t tap) {
    for (int64_t kw = 0; kw < s.kernel[2]; ++kw) {
      Range r = table.outputs[kw];
      if (r.begin == r.end)
        continue;
      addWhere(sums.at(r.begin, kw * s.dilation[2] - s.padBegin[2]),
               g + r.begin, places.data() + r.begin,
               static_cast<int32_t>(tap + kw), r.end - r.begin);
    }
  }

  const PoolShape &s;
  const PoolTable &table;
  ResidueRow sums;
  std::vector<float> buffer;
  std::vector<int32_t> places;
};

template <class T, class I>
void forward(const PoolShape &s, const T *x, T *y, I *index, int64_t begin,
             int64_t end) {
  bool channels = s.channelsLast(true);
  PoolTable table(s);
  AlongWidth<T, I> width(s, table);
  for (int64_t unit = begin; unit < end; ++unit) {
    PoolRow row = rowOfUnit(unit, channels ? 1 : s.channels, s.out);
    T *toY = y + rowOffset(s.yStrides, row);
    I *toIndex = index + rowOffset(s.indexStrides, row);
    if (channels)
      rowAlongChannels(s, table, row, x, toY, toIndex);
    else
      width.run(row, x, toY, toIndex);
  }
}

template <class T, class I>
void backward(const PoolShape &s, const T *dy, const I *index, T *dx,
              int64_t begin, int64_t end) {
  bool channels = s.channelsLast(true);
  PoolTable table(s);
  GradAlongWidth<T, I> width(s, table);
  for (int64_t unit = begin; unit < end; ++unit) {
    PoolRow row = rowOfUnit(unit, channels ? 1 : s.channels, s.in);
    T *to = dx + rowOffset(s.xStrides, row);
    const T *g = dy + row.batch * s.yStrides[0] + row.channel * s.yStrides[1];
    const I *at =
        index + row.batch * s.indexStrides[0] + row.channel * s.indexStrides[1];
    if (!channels) {
      width.run(row, g, at, to);
      continue;
    }
    Range rd = windowsOver(s, 0, row.depth), rh = windowsOver(s, 1, row.height);
    for (int64_t w = 0; w < s.in[2]; ++w)
      overChannels(s.channels, [&](auto vectors, int64_t c) {
        gradOfChannels<vectors.value>(
            s, row.depth, row.height, w, rd, rh, table.windows[w], g + c,
            at + c, s.channels - c, to + w * s.xStrides[4] + c);
      });
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
