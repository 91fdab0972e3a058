//===- BatchPlanTest.cpp - Orders, epochs and the last batch --------------===//
//
// The permutation is pinned by value, so that no machine or later version can
// change what a seed means.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/BatchPlan.h"
#include "Damage.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace amp::runtime;
using namespace amp::test;
using Rows = std::vector<int64_t>;

TEST(Permutation, IsAPermutationAndDependsOnSeedAndEpoch) {
  for (int64_t rows : {1, 2, 3, 10, 1000}) {
    Rows order = permutation(rows, 5, 2), sorted = order;
    std::sort(sorted.begin(), sorted.end());
    Rows identity(static_cast<size_t>(rows));
    std::iota(identity.begin(), identity.end(), 0);
    EXPECT_EQ(sorted, identity);
    EXPECT_EQ(order, permutation(rows, 5, 2));
  }
  EXPECT_NE(permutation(1000, 5, 2), permutation(1000, 5, 3));
  EXPECT_NE(permutation(1000, 5, 2), permutation(1000, 6, 2));
}

TEST(Permutation, IsPinned) {
  // An independent computation of the documented rule.
  EXPECT_EQ(permutation(10, 1, 0), (Rows{4, 1, 9, 0, 5, 7, 2, 6, 8, 3}));
  EXPECT_EQ(permutation(10, 12345, 7), (Rows{7, 4, 2, 3, 0, 5, 9, 8, 6, 1}));
}

TEST(Permutation, IsUniform) {
  // Chi-square over all 24 orders of four rows; 23 degrees of freedom, the
  // bound is passed by chance once in 10^5 seeds.
  constexpr int samples = 24000;
  std::map<Rows, int> counts;
  for (int i = 0; i < samples; ++i)
    ++counts[permutation(4, 99, uint64_t(i))];
  ASSERT_EQ(counts.size(), 24u);
  double chi = 0;
  for (const auto &entry : counts)
    chi += std::pow(entry.second - samples / 24.0, 2) / (samples / 24.0);
  EXPECT_LT(chi, 64.0);
}

TEST(BatchPlan, WrapWithoutShuffleIsRowsModuloRows) {
  BatchPlan plan(5, 2, LastBatch::Wrap, false, 0);
  EXPECT_EQ(plan.rowsOf(0), (Rows{0, 1}));
  EXPECT_EQ(plan.rowsOf(2), (Rows{4, 0}));
  EXPECT_EQ(plan.rowsOf(3), (Rows{1, 2}));
  EXPECT_EQ(plan.stepsFor(1), 3);
  EXPECT_EQ(plan.stepsFor(2), 5);
  EXPECT_EQ(plan.epochOf(2), 0);
  EXPECT_EQ(plan.epochOf(3), 1);
  BatchPlan larger(3, 8, LastBatch::Wrap, false, 0);
  EXPECT_EQ(larger.rowsOf(1), (Rows{2, 0, 1, 2, 0, 1, 2, 0}));
}

TEST(BatchPlan, DropAndPad) {
  BatchPlan drop(5, 2, LastBatch::Drop, false, 0);
  EXPECT_EQ(drop.stepsFor(3), 6);
  EXPECT_EQ(drop.rowsOf(1), (Rows{2, 3}));
  EXPECT_EQ(drop.rowsOf(2), (Rows{0, 1}));
  BatchPlan pad(5, 2, LastBatch::Pad, false, 0);
  EXPECT_EQ(pad.stepsFor(3), 9);
  EXPECT_EQ(pad.rowsOf(2), (Rows{4, -1}));
  EXPECT_EQ(pad.rowsOf(3), (Rows{0, 1}));
  std::string message = messageOf(
      [] { BatchPlan(5, 8, LastBatch::Drop, false, 0); }, ExitCode::Usage);
  EXPECT_NE(message.find("5 rows"), std::string::npos) << message;
}

TEST(BatchPlan, EachRowOncePerEpochUnderShuffle) {
  constexpr int64_t rows = 101, batch = 8, epochs = 4;
  BatchPlan plan(rows, batch, LastBatch::Wrap, true, 3);
  Rows stream;
  for (int64_t step = 0; step < plan.stepsFor(epochs); ++step)
    for (int64_t row : plan.rowsOf(step))
      stream.push_back(row);
  for (int64_t epoch = 0; epoch < epochs; ++epoch) {
    Rows part(stream.begin() + epoch * rows,
              stream.begin() + (epoch + 1) * rows);
    EXPECT_EQ(part, permutation(rows, 3, uint64_t(epoch)));
  }
}

TEST(BatchPlan, AResumedPlanGivesTheSameRows) {
  for (LastBatch mode : {LastBatch::Drop, LastBatch::Wrap, LastBatch::Pad}) {
    BatchPlan whole(37, 5, mode, true, 11);
    std::vector<Rows> steps;
    for (int64_t step = 0; step < 40; ++step)
      steps.push_back(whole.rowsOf(step));
    for (int64_t start : {1, 7, 8, 23}) {
      BatchPlan resumed(37, 5, mode, true, 11);
      for (int64_t step = start; step < 40; ++step)
        EXPECT_EQ(resumed.rowsOf(step), steps[size_t(step)]);
    }
  }
}
