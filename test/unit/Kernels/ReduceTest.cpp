//===- ReduceTest.cpp - Reductions over any axes --------------------------===//
//
// Sums: at most 4 float32 epsilons of the sum of magnitudes; maxima exact;
// results in a low type within its rounding.
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include <cmath>
#include <limits>
#include <map>

using namespace amp;
using namespace amp::kernels;
using namespace amp::kernels::reference;
using amp::abi::DType;

namespace {

void reduce(const Tensor &x, const std::vector<bool> &axes, Tensor &y,
            ReduceKind kind, int64_t parts) {
  bool flags[kMaxRank] = {};
  std::copy(axes.begin(), axes.end(), flags);
  ReducePlan plan = planReduce(x.view, flags, y.view, kind);
  std::vector<float> partials(plan.partials);
  inParts(plan.units, parts, [&](int64_t b, int64_t e) {
    runReduce(plan, x.data(), y.data(), partials.data(), b, e);
  });
  if (plan.partials)
    inParts(plan.combineUnits, parts, [&](int64_t b, int64_t e) {
      runReduceCombine(plan, partials.data(), y.data(), b, e);
    });
}

Dims keptDims(const Dims &dims, const std::vector<bool> &axes) {
  Dims kept;
  for (size_t i = 0; i < dims.size(); ++i)
    if (!axes[i])
      kept.push_back(dims[i]);
  return kept;
}

Dims keptIndex(const Dims &index, const std::vector<bool> &axes) {
  return keptDims(index, axes);
}

/// Compares with float64, in one part and in five.
void check(const Tensor &x, const std::vector<bool> &axes, DType to,
           ReduceKind kind) {
  Tensor y(to, keptDims(x.dims(), axes)), again = y;
  reduce(x, axes, y, kind, 1);
  reduce(x, axes, again, kind, 5);
  EXPECT_EQ(y.bytes, again.bytes) << "the split changed the result";
  struct Value {
    double sum = 0, magnitude = 0, product = 1, count = 0;
    double high = -INFINITY, low = INFINITY;
  };
  std::map<Dims, Value> expected;
  forEachIndex(x.dims(), [&](const Dims &i) {
    Value &v = expected[keptIndex(i, axes)];
    double e = x.get(i);
    v.sum += e;
    v.magnitude += std::fabs(e);
    v.product *= e;
    v.count += 1;
    v.high = std::max(v.high, e);
    v.low = std::min(v.low, e);
  });
  double eps = epsilonOf(DType::f32),
         low = to == DType::f32 ? 0 : epsilonOf(to);
  forEachIndex(y.dims(), [&](const Dims &i) {
    const Value &v = expected[i];
    double got = y.get(i), want = 0, bound = 0;
    switch (kind) {
    case ReduceKind::sum:
      want = v.sum;
      bound = 4 * eps * v.magnitude;
      break;
    case ReduceKind::mean:
      want = v.sum / v.count;
      bound = 4 * eps * v.magnitude / v.count + eps * std::fabs(want);
      break;
    case ReduceKind::prod:
      want = v.product;
      bound = v.count * eps * std::fabs(want);
      break;
    case ReduceKind::max:
      want = v.high;
      break;
    case ReduceKind::min:
      want = v.low;
      break;
    }
    ASSERT_NEAR(got, want, bound + low * std::fabs(want) + 1e-30);
  });
}

} // namespace

TEST(Reduce, EverySubsetOfAxesInEveryLayout) {
  Dims dims = {5, 6, 7, 9};
  for (DType type : kStorage)
    for (const std::vector<int> &order :
         {std::vector<int>{0, 1, 2, 3}, {0, 2, 3, 1}, {3, 1, 0, 2}})
      for (int set = 0; set < 16; ++set) {
        std::vector<bool> axes;
        for (int i = 0; i < 4; ++i)
          axes.push_back(set >> i & 1);
        Tensor x(type, dims, order, set % 3);
        x.fill(set + 1);
        for (ReduceKind kind : {ReduceKind::sum, ReduceKind::mean,
                                ReduceKind::max, ReduceKind::min})
          check(x, axes, type, kind);
      }
}

TEST(Reduce, LongRunsAndColumnsStayAccurate) {
  Tensor run(DType::f32, {3, 300001});
  run.fill(1);
  check(run, {false, true}, DType::f32, ReduceKind::sum);
  check(run, {true, true}, DType::f32, ReduceKind::mean);
  check(run, {true, true}, DType::bf16, ReduceKind::max);
  Tensor columns(DType::bf16, {5000, 37});
  columns.fill(2);
  check(columns, {true, false}, DType::f32, ReduceKind::sum);
  check(columns, {true, false}, DType::f32, ReduceKind::max);
  Tensor wide(DType::f32, {600, 1500});
  wide.fill(3);
  check(wide, {true, false}, DType::f16, ReduceKind::sum);
  Tensor images(DType::f32, {40, 8, 33, 33});
  images.fill(4);
  check(images, {true, false, true, true}, DType::f32, ReduceKind::mean);
}

TEST(Reduce, ProductsWithAndWithoutZeros) {
  Tensor x(DType::f32, {4, 50});
  forEachIndex(x.dims(), [&](const Dims &i) {
    x.set(i, i[0] == 2 && i[1] == 30 ? 0.0 : 0.9 + 0.004 * double(i[1]));
  });
  check(x, {false, true}, DType::f32, ReduceKind::prod);
  check(x, {true, false}, DType::f32, ReduceKind::prod);
}

TEST(Reduce, NaNPassesAndEmptyGivesTheNeutralElement) {
  for (int64_t place : {0, 5, 99, 132})
    for (ReduceKind kind : {ReduceKind::max, ReduceKind::min, ReduceKind::sum})
      for (bool across : {false, true}) {
        Tensor x(DType::f32, {3, 133},
                 across ? std::vector<int>{1, 0} : std::vector<int>{0, 1});
        x.fill(1);
        x.set({1, place}, NAN);
        Tensor y(DType::f32, {3});
        reduce(x, {false, true}, y, kind, 1);
        EXPECT_FALSE(std::isnan(y.get({0})));
        EXPECT_TRUE(std::isnan(y.get({1})));
      }
  Tensor none(DType::f32, {2, 0}), y(DType::f32, {2});
  reduce(none, {false, true}, y, ReduceKind::sum, 1);
  EXPECT_EQ(y.get({1}), 0);
  reduce(none, {false, true}, y, ReduceKind::prod, 1);
  EXPECT_EQ(y.get({1}), 1);
  reduce(none, {false, true}, y, ReduceKind::max, 1);
  EXPECT_EQ(y.get({1}), -INFINITY);
  reduce(none, {false, true}, y, ReduceKind::mean, 1);
  EXPECT_TRUE(std::isnan(y.get({1})));
}

TEST(Reduce, KeepsDimensionsWhereAsked) {
  Tensor x(DType::f32, {4, 5, 6});
  x.fill(9);
  Tensor y(DType::f32, {4, 1, 6}), z(DType::f32, {4, 6});
  reduce(x, {false, true, false}, y, ReduceKind::sum, 1);
  reduce(x, {false, true, false}, z, ReduceKind::sum, 1);
  EXPECT_EQ(y.bytes, z.bytes);
}

TEST(CombineRows, AddsAsATreeWithinTwoEpsilons) {
  for (int64_t rows : {1, 2, 3, 100, 777})
    for (int64_t columns : {1, 5, 256, 600}) {
      Tensor p(DType::f32, {rows, columns}), y(DType::f32, {columns});
      p.fill(static_cast<unsigned>(rows));
      int64_t units = (columns + kCombineColumns - 1) / kCombineColumns;
      inParts(units, 2, [&](int64_t b, int64_t e) {
        runCombineRows(p.as<float>(), rows, columns, DType::f32, y.data(), b,
                       e);
      });
      for (int64_t c = 0; c < columns; ++c) {
        double sum = 0, magnitude = 0;
        for (int64_t r = 0; r < rows; ++r) {
          sum += p.get({r, c});
          magnitude += std::fabs(p.get({r, c}));
        }
        ASSERT_NEAR(y.get({c}), sum, 2 * epsilonOf(DType::f32) * magnitude);
      }
    }
}
