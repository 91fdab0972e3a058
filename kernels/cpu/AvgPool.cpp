//===- AvgPool.cpp - Mean over windows, and the gradient ------------------===//
//
// Padding is never added; it counts in the divisor only where asked, and only
// up to the end of the padded input. Sums and quotients are float32.
//
//===----------------------------------------------------------------------===//

#include "kernels/common/PoolRange.h"
#include "kernels/common/Storage.h"

using namespace amp;
using namespace amp::kernels;

namespace {

/// Outputs, or inputs, handled at a time along the last dimension.
constexpr int64_t kStrip = 256;

/// Reciprocals would round twice; an average of nothing is zero.
V8 mean(V8 sum, float count) {
  return count > 0 ? _mm256_div_ps(sum, splat(count)) : splat(0);
}
float mean(float sum, float count) { return count > 0 ? sum / count : 0.0f; }

template <class T>
void rowAlongChannels(const PoolShape &s, const PoolRow &row, const T *x,
                      T *y) {
  Range rd = taps(s, 0, row.depth), rh = taps(s, 1, row.height);
  float rowCount = divisor(s, 0, row.depth) * divisor(s, 1, row.height);
  int64_t id0 = row.depth * s.stride[0] - s.padBegin[0];
  int64_t ih0 = row.height * s.stride[1] - s.padBegin[1];
  for (int64_t w = 0; w < s.out[2]; ++w) {
    Range rw = taps(s, 2, w);
    float count = rowCount * divisor(s, 2, w);
    int64_t iw0 = w * s.stride[2] - s.padBegin[2];
    for (int64_t c = 0; c < s.channels; c += kLanes) {
      int64_t n = s.channels - c;
      V8 sum = splat(0);
      for (int64_t kd = rd.begin; kd < rd.end; ++kd)
        for (int64_t kh = rh.begin; kh < rh.end; ++kh) {
          const T *from = x + (id0 + kd * s.dilation[0]) * s.xStrides[2] +
                          (ih0 + kh * s.dilation[1]) * s.xStrides[3] + c;
          // One row of the window first: a shorter chain of roundings.
          V8 part = splat(0);
          for (int64_t kw = rw.begin; kw < rw.end; ++kw) {
            int64_t iw = iw0 + kw * s.dilation[2];
            part = _mm256_add_ps(part, loadUpTo8(from + iw * s.xStrides[4], n));
          }
          sum = _mm256_add_ps(sum, part);
        }
      storeUpTo8(y + w * s.yStrides[4] + c, mean(sum, count), n);
    }
  }
}

template <class T>
inline void addStrided(const T *x, int64_t step, int64_t n, float *sum) {
  for (int64_t i = 0; i < n; ++i)
    sum[i] += load1(x + i * step);
}

template <class T>
void rowAlongWidth(const PoolShape &s, const PoolRow &row, const T *x, T *y) {
  float sum[kStrip], part[kStrip];
  Range rd = taps(s, 0, row.depth), rh = taps(s, 1, row.height);
  float rowCount = divisor(s, 0, row.depth) * divisor(s, 1, row.height);
  for (int64_t w = 0; w < s.out[2]; w += kStrip) {
    Range strip{w, std::min(w + kStrip, s.out[2])};
    std::fill_n(sum, kStrip, 0.0f);
    for (int64_t kd = rd.begin; kd < rd.end; ++kd)
      for (int64_t kh = rh.begin; kh < rh.end; ++kh) {
        int64_t id =
            row.depth * s.stride[0] - s.padBegin[0] + kd * s.dilation[0];
        int64_t ih =
            row.height * s.stride[1] - s.padBegin[1] + kh * s.dilation[1];
        const T *from = x + id * s.xStrides[2] + ih * s.xStrides[3];
        std::fill_n(part, kStrip, 0.0f);
        for (int64_t kw = 0; kw < s.kernel[2]; ++kw) {
          Range r = outputsOfTap(s, kw, strip, 0, s.in[2]);
          int64_t iw =
              r.begin * s.stride[2] - s.padBegin[2] + kw * s.dilation[2];
          int64_t step = s.stride[2] * s.xStrides[4], n = r.end - r.begin;
          const T *at = from + iw * s.xStrides[4];
          if (step == 1)
            addStrided(at, 1, n, part + (r.begin - w));
          else if (step == 2)
            addStrided(at, 2, n, part + (r.begin - w));
          else
            addStrided(at, step, n, part + (r.begin - w));
        }
        for (int64_t i = 0; i < kStrip; ++i)
          sum[i] += part[i];
      }
    for (int64_t i = strip.begin; i < strip.end; ++i)
      store1(y + i * s.yStrides[4],
             mean(sum[i - w], rowCount * divisor(s, 2, i)));
  }
}

/// sum += dy / count
template <class T>
inline void addShare(const T *dy, float count, int64_t n, float *sum) {
  V8 by = splat(count);
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    store8(sum + i,
           _mm256_add_ps(load8(sum + i), _mm256_div_ps(load8(dy + i), by)));
  for (; i < n; ++i)
    sum[i] += load1(dy + i) / count;
}

template <class T>
void gradAlongChannels(const PoolShape &s, const PoolRow &row, const T *dy,
                       T *dx) {
  constexpr int64_t kChannels = 512;
  alignas(32) float sum[kChannels];
  Range rd = windowsOver(s, 0, row.depth), rh = windowsOver(s, 1, row.height);
  for (int64_t w = 0; w < s.in[2]; ++w) {
    Range rw = windowsOver(s, 2, w);
    for (int64_t c = 0; c < s.channels; c += kChannels) {
      int64_t n = std::min(kChannels, s.channels - c);
      std::fill_n(sum, n, 0.0f);
      for (int64_t od = rd.begin; od < rd.end; ++od)
        for (int64_t oh = rh.begin; oh < rh.end; ++oh) {
          if (tapAt(s, 0, row.depth, od) < 0 || tapAt(s, 1, row.height, oh) < 0)
            continue;
          float rowCount = divisor(s, 0, od) * divisor(s, 1, oh);
          const T *from = dy + od * s.yStrides[2] + oh * s.yStrides[3] + c;
          for (int64_t ow = rw.begin; ow < rw.end; ++ow)
            if (tapAt(s, 2, w, ow) >= 0)
              addShare(from + ow * s.yStrides[4], rowCount * divisor(s, 2, ow),
                       n, sum);
        }
      T *to = dx + w * s.xStrides[4] + c;
      for (int64_t i = 0; i < n; i += kLanes)
        storeUpTo8(to + i, load8(sum + i), n - i);
    }
  }
}

template <class T>
void gradAlongWidth(const PoolShape &s, const PoolRow &row, const T *dy,
                    T *dx) {
  float sum[kStrip], share[kStrip];
  Range rd = windowsOver(s, 0, row.depth), rh = windowsOver(s, 1, row.height);
  int64_t reach = (s.kernel[2] - 1) * s.dilation[2];
  for (int64_t w = 0; w < s.in[2]; w += kStrip) {
    int64_t n = std::min(kStrip, s.in[2] - w);
    std::fill_n(sum, n, 0.0f);
    Range all{
        std::max<int64_t>(0, ceilDiv(w + s.padBegin[2] - reach, s.stride[2])),
        std::min(s.out[2],
                 floorDiv(w + n - 1 + s.padBegin[2], s.stride[2]) + 1)};
    for (int64_t od = rd.begin; od < rd.end; ++od)
      for (int64_t oh = rh.begin; oh < rh.end; ++oh) {
        if (tapAt(s, 0, row.depth, od) < 0 || tapAt(s, 1, row.height, oh) < 0)
          continue;
        float rowCount = divisor(s, 0, od) * divisor(s, 1, oh);
        const T *from = dy + od * s.yStrides[2] + oh * s.yStrides[3];
        for (int64_t o = all.begin; o < all.end; o += kStrip) {
          Range part{o, std::min(o + kStrip, all.end)};
          for (int64_t i = part.begin; i < part.end; ++i)
            share[i - o] = mean(load1(from + i * s.yStrides[4]),
                                rowCount * divisor(s, 2, i));
          for (int64_t kw = 0; kw < s.kernel[2]; ++kw) {
            Range r = outputsOfTap(s, kw, part, w, w + n);
            int64_t to =
                r.begin * s.stride[2] - s.padBegin[2] + kw * s.dilation[2] - w;
            for (int64_t i = r.begin; i < r.end; ++i, to += s.stride[2])
              sum[to] += share[i - o];
          }
        }
      }
    for (int64_t i = 0; i < n; ++i)
      store1(dx + (w + i) * s.xStrides[4], sum[i]);
  }
}

} // namespace

void kernels::runAvgPool(const PoolShape &s, abi::DType type, const void *x,
                         void *y, int64_t begin, int64_t end) {
  withStorage(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    bool channels = s.channelsLast(false);
    for (int64_t unit = begin; unit < end; ++unit) {
      PoolRow row = rowOfUnit(unit, channels ? 1 : s.channels, s.out);
      auto *from = static_cast<const T *>(x) + row.batch * s.xStrides[0] +
                   row.channel * s.xStrides[1];
      auto *to = static_cast<T *>(y) + rowOffset(s.yStrides, row);
      if (channels)
        rowAlongChannels(s, row, from, to);
      else
        rowAlongWidth(s, row, from, to);
    }
  });
}

void kernels::runAvgPoolGrad(const PoolShape &s, abi::DType type,
                             const void *dy, void *dx, int64_t begin,
                             int64_t end) {
  withStorage(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    bool channels = s.channelsLast(false);
    for (int64_t unit = begin; unit < end; ++unit) {
      PoolRow row = rowOfUnit(unit, channels ? 1 : s.channels, s.in);
      auto *from = static_cast<const T *>(dy) + row.batch * s.yStrides[0] +
                   row.channel * s.yStrides[1];
      auto *to = static_cast<T *>(dx) + rowOffset(s.xStrides, row);
      if (channels)
        gradAlongChannels(s, row, from, to);
      else
        gradAlongWidth(s, row, from, to);
    }
  });
}
