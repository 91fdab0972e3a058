//===- GradientsTest.cpp - Finite flag, norm, accumulation ----------------===//
//
// The sum of squares is float64: relative tolerance 1e-13. Flags are exact.
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include <cmath>
#include <limits>

using namespace amp;
using namespace amp::kernels;
using namespace amp::kernels::reference;
using amp::abi::DType;

namespace {

ChunkCheck checkAll(const std::vector<std::vector<float>> &tensors,
                    bool backwards = false) {
  std::vector<int64_t> sizes;
  for (const auto &tensor : tensors)
    sizes.push_back(tensor.size());
  std::vector<TensorChunk> chunks = cutTensors(sizes);
  std::vector<ChunkCheck> checks(chunks.size());
  for (size_t i = 0; i < chunks.size(); ++i) {
    size_t j = backwards ? chunks.size() - 1 - i : i;
    checks[j] = checkChunk(tensors[chunks[j].tensor].data() + chunks[j].offset,
                           chunks[j].length);
  }
  return combineChecks(checks);
}

} // namespace

TEST(Check, SumsSquaresOfManySizes) {
  std::mt19937 random(4);
  std::normal_distribution<float> normal;
  std::vector<std::vector<float>> tensors;
  double expected = 0;
  for (int64_t size : {1, 7, 8, 9, 0, 16384, 16385, 100000}) {
    tensors.emplace_back(size);
    for (float &value : tensors.back()) {
      value = normal(random);
      expected += double(value) * value;
    }
  }
  ChunkCheck all = checkAll(tensors);
  EXPECT_TRUE(all.finite);
  EXPECT_NEAR(all.sumOfSquares, expected, 1e-13 * expected);
  EXPECT_EQ(all.sumOfSquares, checkAll(tensors, true).sumOfSquares);
  EXPECT_TRUE(checkAll({}).finite);
  EXPECT_EQ(checkAll({}).sumOfSquares, 0);
}

TEST(Check, FindsOneBadElementAnywhere) {
  for (int64_t size : {1, 9, 16390})
    for (int64_t place : {int64_t(0), size / 2, size - 1})
      for (float bad : {NAN, INFINITY, -INFINITY}) {
        std::vector<float> gradient(size, 1.0f);
        gradient[place] = bad;
        EXPECT_FALSE(checkAll({{2.0f}, gradient}).finite);
      }
}

TEST(Check, LargeFiniteGradientsAreFinite) {
  const float most = std::numeric_limits<float>::max();
  ChunkCheck all = checkAll({std::vector<float>(50000, -most)});
  EXPECT_TRUE(all.finite);
  double expected = 50000.0 * double(most) * most;
  EXPECT_NEAR(all.sumOfSquares, expected, 1e-12 * expected);
}

TEST(Accumulate, AddsEveryLength) {
  for (int64_t n : {1, 7, 8, 9, 100}) {
    std::vector<float> into(n + 1, 1.5f), from(n + 1, 0.25f);
    accumulateChunk(into.data(), from.data(), n);
    for (int64_t i = 0; i < n; ++i)
      EXPECT_EQ(into[i], 1.75f);
    EXPECT_EQ(into[n], 1.5f);
  }
}
