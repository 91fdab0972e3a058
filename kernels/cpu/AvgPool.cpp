//===- AvgPool.cpp - Mean over windows, and the gradient ------------------===//
//
// Padding is never added; it counts in the divisor only where asked, and only
// up to the end of the padded input. Sums and quotients are float32.
//
//===----------------------------------------------------------------------===//

#include "kernels/common/PoolRange.h"

using namespace amp;
using namespace amp::kernels;

namespace {

/// An average of nothing is zero.
V8 mean(V8 sum, float count) {
  return count > 0 ? _mm256_div_ps(sum, splat(count)) : splat(0);
}
float mean(float sum, float count) { return count > 0 ? sum / count : 0.0f; }
/// What one element of a window gets of the window's gradient.
float shareOf(float count) { return count > 0 ? 1.0f / count : 0.0f; }

/// Some channels of one window; `x` is where it starts.
template <int vectors, class T>
void meanOfChannels(const PoolShape &s, const T *x, Range rd, Range rh,
                    Range rw, float count, int64_t left, T *y) {
  constexpr int groups = vectors ? vectors : 1;
  V8 sum[groups];
  for (V8 &lane : sum)
    lane = splat(0);
  for (int64_t kd = rd.begin; kd < rd.end; ++kd)
    for (int64_t kh = rh.begin; kh < rh.end; ++kh) {
      const T *row = x + kd * s.dilation[0] * s.xStrides[2] +
                     kh * s.dilation[1] * s.xStrides[3];
      // One row of the window first: a shorter chain of roundings.
      V8 part[groups];
      for (V8 &lane : part)
        lane = splat(0);
      for (int64_t kw = rw.begin; kw < rw.end; ++kw) {
        const T *at = row + kw * s.dilation[2] * s.xStrides[4];
        for (int v = 0; v < groups; ++v)
          part[v] = _mm256_add_ps(part[v], loadGroup<vectors>(at, v, left));
      }
      for (int v = 0; v < groups; ++v)
        sum[v] = _mm256_add_ps(sum[v], part[v]);
    }
  for (int v = 0; v < groups; ++v)
    storeGroup<vectors>(y, v, left, mean(sum[v], count));
}

template <class T>
void rowAlongChannels(const PoolShape &s, const PoolTable &table,
                      const PoolRow &row, const T *x, T *y) {
  Range rd = taps(s, 0, row.depth), rh = taps(s, 1, row.height);
  float rowCount = table.counts[0][row.depth] * table.counts[1][row.height];
  int64_t base = (row.depth * s.stride[0] - s.padBegin[0]) * s.xStrides[2] +
                 (row.height * s.stride[1] - s.padBegin[1]) * s.xStrides[3];
  for (int64_t w = 0; w < s.out[2]; ++w) {
    int64_t from = base + (w * s.stride[2] - s.padBegin[2]) * s.xStrides[4];
    overChannels(s.channels, [&](auto vectors, int64_t c) {
      meanOfChannels<vectors.value>(s, x + from + c, rd, rh, table.taps[w],
                                    rowCount * table.counts[2][w],
                                    s.channels - c, y + w * s.yStrides[4] + c);
    });
  }
}

/// sum[i] += x[i * step]. Written for the vectorizer, which needs a constant
/// step (0: any).
template <int constant>
void addStrided(const float *x, int64_t step, int64_t n, float *sum) {
  if (constant)
    step = constant;
  for (int64_t i = 0; i < n; ++i)
    sum[i] += x[i * step];
}

/// Rows of output where lanes run along the last dimension.
template <class T>
class AlongWidth {
public:
  AlongWidth(const PoolShape &s, const PoolTable &table)
      : s(s), table(table), sum(s.out[2]), part(s.out[2]) {}

  void run(const PoolRow &row, const T *x, T *y) {
    Range rd = taps(s, 0, row.depth), rh = taps(s, 1, row.height);
    float rowCount = table.counts[0][row.depth] * table.counts[1][row.height];
    std::fill(sum.begin(), sum.end(), 0.0f);
    for (int64_t kd = rd.begin; kd < rd.end; ++kd)
      for (int64_t kh = rh.begin; kh < rh.end; ++kh) {
        int64_t id =
            row.depth * s.stride[0] - s.padBegin[0] + kd * s.dilation[0];
        int64_t ih =
            row.height * s.stride[1] - s.padBegin[1] + kh * s.dilation[1];
        addRow(denseRow(x + id * s.xStrides[2] + ih * s.xStrides[3],
                        s.xStrides[4], s.in[2], buffer));
      }
    for (int64_t w = 0; w < s.out[2]; ++w)
      sum[w] = mean(sum[w], rowCount * table.counts[2][w]);
    storeRow(sum.data(), s.out[2], y, s.yStrides[4]);
  }

private:
  void addRow(const float *from) {
    int64_t step = s.stride[2];
    std::fill(part.begin(), part.end(), 0.0f);
    for (int64_t kw = 0; kw < s.kernel[2]; ++kw) {
      Range r = table.outputs[kw];
      int64_t n = r.end - r.begin;
      if (n == 0)
        continue;
      const float *at =
          from + r.begin * step - s.padBegin[2] + kw * s.dilation[2];
      float *to = part.data() + r.begin;
      if (step == 1)
        addStrided<1>(at, 1, n, to);
      else if (step == 2)
        addStrided<2>(at, 2, n, to);
      else
        addStrided<0>(at, step, n, to);
    }
    addStrided<1>(part.data(), 1, s.out[2], sum.data());
  }

  const PoolShape &s;
  const PoolTable &table;
  std::vector<float> sum, part, buffer;
};

/// Some channels of one input element.
template <int vectors, class T>
void gradOfChannels(const PoolShape &s, const PoolTable &table, int64_t d,
                    int64_t h, int64_t w, Range rd, Range rh, const T *dy,
                    int64_t left, T *dx) {
  constexpr int groups = vectors ? vectors : 1;
  V8 sum[groups];
  for (V8 &lane : sum)
    lane = splat(0);
  Range rw = table.windows[w];
  for (int64_t od = rd.begin; od < rd.end; ++od)
    for (int64_t oh = rh.begin; oh < rh.end; ++oh) {
      if (tapAt(s, 0, d, od) < 0 || tapAt(s, 1, h, oh) < 0)
        continue;
      float rowCount = table.counts[0][od] * table.counts[1][oh];
      const T *row = dy + od * s.yStrides[2] + oh * s.yStrides[3];
      for (int64_t ow = rw.begin; ow < rw.end; ++ow) {
        if (tapAt(s, 2, w, ow) < 0)
          continue;
        V8 share = splat(shareOf(rowCount * table.counts[2][ow]));
        for (int v = 0; v < groups; ++v)
          sum[v] = fma(loadGroup<vectors>(row + ow * s.yStrides[4], v, left),
                       share, sum[v]);
      }
    }
  for (int v = 0; v < groups; ++v)
    storeGroup<vectors>(dx, v, left, sum[v]);
}

/// A row of input where lanes run along the last dimension.
template <class T>
class GradAlongWidth {
public:
  GradAlongWidth(const PoolShape &s, const PoolTable &table)
      : s(s), table(table), sums(s, table), share(s.out[2]), factors(s.out[2]) {
  }

  void run(const PoolRow &row, const T *dy, T *dx) {
    sums.clear();
    Range rd = windowsOver(s, 0, row.depth), rh = windowsOver(s, 1, row.height);
    for (int64_t od = rd.begin; od < rd.end; ++od)
      for (int64_t oh = rh.begin; oh < rh.end; ++oh) {
        if (tapAt(s, 0, row.depth, od) < 0 || tapAt(s, 1, row.height, oh) < 0)
          continue;
        float rowCount = table.counts[0][od] * table.counts[1][oh];
        const float *g = denseRow(dy + od * s.yStrides[2] + oh * s.yStrides[3],
                                  s.yStrides[4], s.out[2], buffer);
        setFactors(rowCount);
        for (int64_t w = 0; w < s.out[2]; ++w)
          share[w] = g[w] * factors[w];
        for (int64_t kw = 0; kw < s.kernel[2]; ++kw) {
          Range r = table.outputs[kw];
          if (r.begin < r.end)
            addStrided<1>(share.data() + r.begin, 1, r.end - r.begin,
                          sums.at(r.begin, kw * s.dilation[2] - s.padBegin[2]));
        }
      }
    sums.store(dx, s.xStrides[4]);
  }

private:
  /// Most rows of windows have the same divisors.
  void setFactors(float rowCount) {
    if (rowCount == lastCount)
      return;
    lastCount = rowCount;
    for (int64_t w = 0; w < s.out[2]; ++w)
      factors[w] = shareOf(rowCount * table.counts[2][w]);
  }

  const PoolShape &s;
  const PoolTable &table;
  ResidueRow sums;
  float lastCount = -1;
  std::vector<float> share, factors, buffer;
};

} // namespace

void kernels::runAvgPool(const PoolShape &s, abi::DType type, const void *x,
                         void *y, int64_t begin, int64_t end) {
  withStorage(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    bool channels = s.channelsLast(false);
    PoolTable table(s);
    AlongWidth<T> width(s, table);
    for (int64_t unit = begin; unit < end; ++unit) {
      PoolRow row = rowOfUnit(unit, channels ? 1 : s.channels, s.out);
      auto *from = static_cast<const T *>(x) + row.batch * s.xStrides[0] +
                   row.channel * s.xStrides[1];
      auto *to = static_cast<T *>(y) + rowOffset(s.yStrides, row);
      if (channels)
        rowAlongChannels(s, table, row, from, to);
      else
        width.run(row, from, to);
    }
  });
}

void kernels::runAvgPoolGrad(const PoolShape &s, abi::DType type,
                             const void *dy, void *dx, int64_t begin,
                             int64_t end) {
  withStorage(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    bool channels = s.channelsLast(false);
    PoolTable table(s);
    GradAlongWidth<T> width(s, table);
    for (int64_t unit = begin; unit < end; ++unit) {
      PoolRow row = rowOfUnit(unit, channels ? 1 : s.channels, s.in);
      auto *from = static_cast<const T *>(dy) + row.batch * s.yStrides[0] +
                   row.channel * s.yStrides[1];
      auto *to = static_cast<T *>(dx) + rowOffset(s.xStrides, row);
      if (!channels) {
        width.run(row, from, to);
        continue;
      }
      Range rd = windowsOver(s, 0, row.depth),
            rh = windowsOver(s, 1, row.height);
      for (int64_t w = 0; w < s.in[2]; ++w)
        overChannels(s.channels, [&](auto vectors, int64_t c) {
          gradOfChannels<vectors.value>(s, table, row.depth, row.height, w, rd,
                                        rh, from + c, s.channels - c,
                                        to + w * s.xStrides[4] + c);
        });
    }
  });
}
