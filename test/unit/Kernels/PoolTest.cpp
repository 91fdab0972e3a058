//===- PoolTest.cpp - Pooling against plain loops -------------------------===//
//
// Maxima and their positions exact. Means and gradients: 4 float32 epsilons
// times the window, relative to the magnitudes added, plus the rounding of the
// storage type.
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include <cmath>

using namespace amp;
using namespace amp::kernels;
using namespace amp::kernels::reference;
using amp::abi::DType;

namespace {

/// A pooling over `in.size()` dimensions, channels-last or plain.
struct Case {
  Dims in, out, kernel, stride, padBegin, padEnd, dilation;
  int64_t batch = 2, channels = 11;
  bool includePad = false;
};

struct Pooling {
  PoolShape shape;
  Tensor x, y, index;
  Pooling(const Case &c, DType type, DType indexType, bool last)
      : x(type, dims(c, c.in), order(c, last)),
        y(type, dims(c, c.out), order(c, last)),
        index(indexType, dims(c, c.out), order(c, last)) {
    int64_t rank = c.in.size();
    shape.batch = c.batch;
    shape.channels = c.channels;
    shape.countIncludePad = c.includePad;
    for (int64_t i = 0; i < rank; ++i) {
      int64_t d = 3 - rank + i;
      shape.in[d] = c.in[i];
      shape.out[d] = c.out[i];
      shape.kernel[d] = c.kernel[i];
      shape.stride[d] = c.stride[i];
      shape.padBegin[d] = c.padBegin[i];
      shape.padEnd[d] = c.padEnd[i];
      shape.dilation[d] = c.dilation[i];
    }
    strides(x, shape.xStrides);
    strides(y, shape.yStrides);
    strides(index, shape.indexStrides);
  }
  static Dims dims(const Case &c, const Dims &spatial) {
    Dims all = {c.batch, c.channels};
    all.insert(all.end(), spatial.begin(), spatial.end());
    return all;
  }
  static std::vector<int> order(const Case &c, bool last) {
    if (!last)
      return {};
    std::vector<int> result = {0};
    for (size_t i = 0; i < c.in.size(); ++i)
      result.push_back(static_cast<int>(2 + i));
    result.push_back(1);
    return result;
  }
  static void strides(const Tensor &t, int64_t *to) {
    int spatial = t.view.rank - 2;
    to[0] = t.view.strides[0];
    to[1] = t.view.strides[1];
    for (int i = 0; i < spatial; ++i)
      to[5 - spatial + i] = t.view.strides[2 + i];
  }
};

/// Calls fn(tap, input index) for the elements of a window, in window order.
void forEachTap(const Case &c, const Dims &out,
                const std::function<void(int64_t, const Dims &)> &fn) {
  int64_t tap = 0;
  forEachIndex(c.kernel, [&](const Dims &k) {
    Dims at = out;
    bool inside = true;
    for (size_t i = 0; i < c.in.size(); ++i) {
      at[2 + i] =
          out[2 + i] * c.stride[i] - c.padBegin[i] + k[i] * c.dilation[i];
      inside &= at[2 + i] >= 0 && at[2 + i] < c.in[i];
    }
    if (inside)
      fn(tap, at);
    ++tap;
  });
}

double countOf(const Case &c, const Dims &out) {
  double n = 0;
  forEachIndex(c.kernel, [&](const Dims &k) {
    bool inside = true;
    for (size_t i = 0; i < c.in.size(); ++i) {
      int64_t at =
          out[2 + i] * c.stride[i] - c.padBegin[i] + k[i] * c.dilation[i];
      int64_t low = c.includePad ? -c.padBegin[i] : 0;
      int64_t high = c.in[i] + (c.includePad ? c.padEnd[i] : 0);
      inside &= at >= low && at < high;
    }
    n += inside;
  });
  return n;
}

std::vector<Case> cases() {
  return {
      {{13, 17}, {6, 8}, {3, 3}, {2, 2}, {0, 0}, {0, 0}, {1, 1}},
      {{13, 17}, {7, 9}, {3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, 2, 16},
      {{12, 300}, {12, 300}, {3, 5}, {1, 1}, {1, 2}, {1, 2}, {1, 1}, 1, 3},
      {{9, 9}, {3, 3}, {3, 2}, {2, 3}, {0, 1}, {0, 1}, {2, 3}, 1, 40},
      {{7, 7}, {1, 1}, {7, 7}, {1, 1}, {0, 0}, {0, 0}, {1, 1}, 2, 33},
      {{50}, {25}, {4}, {2}, {1}, {1}, {1}, 2, 5},
      {{1300}, {434}, {7}, {3}, {3}, {3}, {2}, 2, 2},
      {{5, 6, 7},
       {3, 3, 4},
       {2, 3, 3},
       {2, 2, 2},
       {0, 0, 1},
       {1, 1, 1},
       {1, 1, 1},
       2,
       9},
      // ceil_mode: the last windows hang over the end; one lies in padding.
      {{7, 7}, {4, 5}, {2, 2}, {2, 2}, {0, 2}, {1, 2}, {1, 1}, 2, 10},
  };
}

} // namespace

TEST(MaxPool, ValuesAndPositionsInBothLayouts) {
  for (const Case &c : cases())
    for (DType type : kStorage)
      for (bool last : {false, true})
        for (DType indexType : {DType::u8, DType::i32}) {
          Pooling s(c, type, indexType, last);
          s.x.fill(7, 3.0);
          // Coarse values, so that windows hold equal ones; some -inf.
          forEachIndex(s.x.dims(), [&](const Dims &i) {
            double v = std::nearbyint(s.x.get(i));
            s.x.set(i, v < -5 ? -INFINITY : v);
          });
          inParts(s.shape.forwardUnits(true), 3, [&](int64_t b, int64_t e) {
            runMaxPool(s.shape, type, indexType, s.x.data(), s.y.data(),
                       s.index.data(), b, e);
          });
          int64_t nothing = indexType == DType::u8 ? 255 : -1;
          forEachIndex(s.y.dims(), [&](const Dims &o) {
            double best = -INFINITY;
            int64_t where = nothing;
            forEachTap(c, o, [&](int64_t tap, const Dims &at) {
              if (where == nothing || s.x.get(at) > best) {
                best = s.x.get(at);
                where = tap;
              }
            });
            ASSERT_EQ(s.y.get(o), best);
            ASSERT_EQ(int64_t(s.index.get(o)), where);
          });
        }
}

TEST(MaxPool, NaNWins) {
  Case c{{6, 6}, {3, 3}, {2, 2}, {2, 2}, {0, 0}, {0, 0}, {1, 1}, 1, 9};
  for (bool last : {false, true}) {
    Pooling s(c, DType::f32, DType::u8, last);
    s.x.fill(1);
    s.x.set({0, 4, 2, 3}, NAN);
    runMaxPool(s.shape, DType::f32, DType::u8, s.x.data(), s.y.data(),
               s.index.data(), 0, s.shape.forwardUnits(true));
    EXPECT_TRUE(std::isnan(s.y.get({0, 4, 1, 1})));
    EXPECT_EQ(s.index.get({0, 4, 1, 1}), 1);
    EXPECT_FALSE(std::isnan(s.y.get({0, 3, 1, 1})));
  }
}

TEST(MaxPoolGrad, SendsEveryGradientToItsMaximum) {
  for (const Case &c : cases())
    for (DType type : kStorage)
      for (bool last : {false, true})
        for (DType indexType : {DType::u8, DType::i32}) {
          Pooling s(c, type, indexType, last);
          s.x.fill(11);
          runMaxPool(s.shape, type, indexType, s.x.data(), s.y.data(),
                     s.index.data(), 0, s.shape.forwardUnits(true));
          s.y.fill(12);
          Tensor dx = s.x, again = s.x;
          auto run = [&](Tensor &to, int64_t parts) {
            inParts(s.shape.gradientUnits(true), parts,
                    [&](int64_t b, int64_t e) {
                      runMaxPoolGrad(s.shape, type, indexType, s.y.data(),
                                     s.index.data(), to.data(), b, e);
                    });
          };
          run(dx, 1);
          run(again, 4);
          ASSERT_EQ(dx.bytes, again.bytes);
          std::vector<double> sum(dx.bytes.size()), magnitude = sum;
          forEachIndex(s.y.dims(), [&](const Dims &o) {
            forEachTap(c, o, [&](int64_t tap, const Dims &at) {
              if (tap != int64_t(s.index.get(o)))
                return;
              sum[dx.offset(at)] += s.y.get(o);
              magnitude[dx.offset(at)] += std::fabs(s.y.get(o));
            });
          });
          double rounding = type == DType::f32 ? 0 : epsilonOf(type);
          forEachIndex(dx.dims(), [&](const Dims &i) {
            int64_t at = dx.offset(i);
            ASSERT_NEAR(dx.get(i), sum[at],
                        4 * epsilonOf(DType::f32) * magnitude[at] +
                            rounding * std::fabs(sum[at]) + 1e-7);
          });
        }
}

TEST(AvgPool, ForwardAndGradientWithAndWithoutPadding) {
  for (Case c : cases())
    for (DType type : kStorage)
      for (bool last : {false, true})
        for (bool includePad : {false, true}) {
          c.includePad = includePad;
          Pooling s(c, type, DType::i32, last);
          s.x.fill(21);
          inParts(s.shape.forwardUnits(false), 3, [&](int64_t b, int64_t e) {
            runAvgPool(s.shape, type, s.x.data(), s.y.data(), b, e);
          });
          double eps = 8 * epsilonOf(DType::f32);
          double rounding = type == DType::f32 ? 0 : epsilonOf(type);
          Tensor dx = s.x, again = s.x;
          std::vector<double> sum(dx.bytes.size()), magnitude = sum;
          Tensor dy = s.y;
          dy.fill(22);
          forEachIndex(s.y.dims(), [&](const Dims &o) {
            double total = 0, size = 0, n = countOf(c, o);
            forEachTap(c, o, [&](int64_t, const Dims &at) {
              total += s.x.get(at);
              size += std::fabs(s.x.get(at));
              sum[dx.offset(at)] += dy.get(o) / n;
              magnitude[dx.offset(at)] += std::fabs(dy.get(o) / n);
            });
            double want = n > 0 ? total / n : 0;
            ASSERT_NEAR(s.y.get(o), want,
                        (n > 0 ? eps * size / n : 0) +
                            rounding * std::fabs(want) + 1e-7);
          });
          auto run = [&](Tensor &to, int64_t parts) {
            inParts(s.shape.gradientUnits(false), parts,
                    [&](int64_t b, int64_t e) {
                      runAvgPoolGrad(s.shape, type, dy.data(), to.data(), b, e);
                    });
          };
          run(dx, 1);
          run(again, 4);
          ASSERT_EQ(dx.bytes, again.bytes);
          forEachIndex(dx.dims(), [&](const Dims &i) {
            int64_t at = dx.offset(i);
            ASSERT_NEAR(dx.get(i), sum[at],
                        eps * magnitude[at] + rounding * std::fabs(sum[at]) +
                            1e-7);
          });
        }
}
