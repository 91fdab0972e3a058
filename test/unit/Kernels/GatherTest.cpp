//===- GatherTest.cpp - Rows at indices and their gradient ----------------===//
//
// Gathers are exact. Gradients are compared with sums in float64: relative
// tolerance 2e-6 of the sum of magnitudes (float32, 32 in a row, then a tree).
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include <cmath>
#include <cstring>

using namespace amp;
using namespace amp::kernels;
using namespace amp::kernels::reference;
using amp::abi::DType;

TEST(Gather, RowsOfEveryWidthWithNegativeIndices) {
  for (DType type : {DType::u8, DType::f16, DType::f32, DType::i64})
    for (int64_t inner : {1, 2, 4, 33}) {
      GatherShape shape{2, 7, inner, 5};
      Tensor data(type, {2, 7, inner}), y(type, {2, 5, inner});
      data.fill(1, 30);
      const int64_t at[5] = {-7, 6, 0, -1, 3};
      const int32_t narrow[5] = {-7, 6, 0, -1, 3};
      EXPECT_EQ(findBadIndex(shape, DType::i64, at), -1);
      runGather(shape, amp::abi::sizeOf(type), DType::i64, data.data(), at,
                y.data(), 0, shape.units());
      Tensor other(type, {2, 5, inner});
      inParts(shape.units(), 3, [&](int64_t begin, int64_t end) {
        runGather(shape, amp::abi::sizeOf(type), DType::i32, data.data(),
                  narrow, other.data(), begin, end);
      });
      EXPECT_EQ(y.bytes, other.bytes);
      forEachIndex(y.dims(), [&](const Dims &i) {
        int64_t row = at[i[1]] < 0 ? at[i[1]] + 7 : at[i[1]];
        EXPECT_EQ(y.get(i), data.get({i[0], row, i[2]}));
      });
    }
}

TEST(Gather, RoundsRowsWhileItMovesThem) {
  for (DType from : kStorage)
    for (DType to : kStorage)
      for (int64_t inner : {1, 9, 40}) {
        GatherShape shape{2, 7, inner, 5};
        Tensor data(from, {2, 7, inner}), y(to, {2, 5, inner});
        data.fill(3);
        const int64_t at[5] = {-7, 6, 0, -1, 3};
        inParts(shape.units(), 3, [&](int64_t begin, int64_t end) {
          runGatherConvert(shape, from, to, DType::i64, data.data(), at,
                           y.data(), begin, end);
        });
        Tensor one(to, {1});
        forEachIndex(y.dims(), [&](const Dims &i) {
          int64_t row = at[i[1]] < 0 ? at[i[1]] + 7 : at[i[1]];
          one.set({0}, data.get({i[0], row, i[2]}));
          EXPECT_EQ(y.get(i), one.get({0}));
        });
      }
}

TEST(Gather, FindsIndicesOutOfRange) {
  GatherShape shape{1, 3, 1, 4};
  const int64_t high[4] = {0, 2, 3, 9}, low[4] = {0, -3, 1, -4};
  EXPECT_EQ(findBadIndex(shape, DType::i64, high), 2);
  EXPECT_EQ(findBadIndex(shape, DType::i64, low), 3);
}

TEST(GatherGrad, AddsEveryPositionOfARow) {
  std::mt19937 random(5);
  for (DType type : kStorage)
    for (int64_t inner : {1, 20, 300}) {
      GatherShape shape{2, 11, inner, 900};
      std::vector<int64_t> at(900);
      for (auto &index : at) {
        // Row 4 is frequent, rows 9 and 10 never occur.
        index = random() % 3 ? 4 : int64_t(random() % 9);
        if (random() % 2)
          index -= 11;
      }
      Tensor dy(type, {2, 900, inner});
      dy.fill(6);
      std::vector<int64_t> starts(12), positions(900);
      sortByRow(shape, DType::i64, at.data(), starts.data(), positions.data());
      Tensor one(DType::f32, {2, 11, inner}), many = one;
      std::fill(one.bytes.begin(), one.bytes.end(), 0x7f);
      std::fill(many.bytes.begin(), many.bytes.end(), 0x7f);
      auto run = [&](Tensor &to, int64_t parts) {
        inParts(shape.gradientUnits(), parts, [&](int64_t b, int64_t e) {
          runGatherGrad(shape, type, dy.data(), starts.data(), positions.data(),
                        to.as<float>(), b, e);
        });
      };
      run(one, 1);
      run(many, 5);
      EXPECT_EQ(one.bytes, many.bytes);
      std::vector<double> sum(22 * inner), magnitude(22 * inner);
      forEachIndex(dy.dims(), [&](const Dims &i) {
        int64_t row = at[i[1]] < 0 ? at[i[1]] + 11 : at[i[1]];
        int64_t to = (i[0] * 11 + row) * inner + i[2];
        sum[to] += dy.get(i);
        magnitude[to] += std::fabs(dy.get(i));
      });
      for (size_t i = 0; i < sum.size(); ++i)
        EXPECT_NEAR(one.as<float>()[i], sum[i], 2e-6 * magnitude[i]);
    }
}
