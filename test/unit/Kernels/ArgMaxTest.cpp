//===- ArgMaxTest.cpp - Positions of maxima and hit counts ----------------===//
//
// Exact.
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include <cmath>

using namespace amp;
using namespace amp::kernels;
using namespace amp::kernels::reference;
using amp::abi::DType;

TEST(ArgMax, FirstAndLastOfEqualOnesOnAnyAxis) {
  std::mt19937 random(1);
  for (DType type : kStorage)
    for (int64_t inner : {1, 3, 300})
      for (bool last : {false, true})
        for (bool withNaN : {false, true}) {
          Tensor x(type, {4, 19, inner});
          // Few distinct values: ties everywhere.
          forEachIndex(x.dims(), [&](const Dims &i) {
            x.set(i,
                  withNaN && random() % 10 == 0 ? NAN : double(random() % 4));
          });
          std::vector<int64_t> index(4 * inner, -1);
          inParts(4, 2, [&](int64_t b, int64_t e) {
            runArgMax(type, x.data(), 19, inner, last, index.data(), b, e);
          });
          forEachIndex({4, inner}, [&](const Dims &i) {
            auto rank = [&](int64_t k) {
              double v = x.get({i[0], k, i[1]});
              return std::isnan(v) ? INFINITY : v;
            };
            int64_t best = 0;
            for (int64_t k = 1; k < 19; ++k)
              if (rank(k) > rank(best) || (last && rank(k) == rank(best)))
                best = k;
            ASSERT_EQ(index[i[0] * inner + i[1]], best);
          });
        }
}

TEST(CountCorrect, IgnoresRowsAndTakesTheFirstOfEqualOnes) {
  Tensor x(DType::bf16, {4, 10});
  x.set({0, 3}, 1);
  x.set({1, 2}, 1);
  x.set({1, 9}, 1);
  x.set({2, 5}, 1);
  x.set({3, 5}, 1);
  const int64_t targets[4] = {3, 2, 5, -100};
  Counts counts = countCorrect(DType::bf16, x.data(), 10, targets, -100, 0, 4);
  EXPECT_EQ(counts.correct, 3);
  EXPECT_EQ(counts.counted, 3);
  const int64_t wrong[4] = {0, 9, 77, 5};
  counts = countCorrect(DType::bf16, x.data(), 10, wrong, -100, 0, 4);
  EXPECT_EQ(counts.correct, 1);
  EXPECT_EQ(counts.counted, 4);
}
