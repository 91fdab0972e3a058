//===- BufferPlannerTest.cpp - Plans of random and typical lifetimes ------===//

#include "BufferPlanner.h"
#include <algorithm>
#include <ctime>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace amp;

namespace {

constexpr int64_t kAlignment = 64;

using Buffers = std::vector<PlannedBuffer>;

int64_t roundUp(int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// The largest sum of rounded sizes alive at one position, by counting at each
/// position (the planner sweeps over changes).
int64_t countedBound(const Buffers &buffers) {
  std::map<int64_t, int64_t> alive;
  for (const PlannedBuffer &buffer : buffers)
    for (int64_t at = buffer.first; at <= buffer.last; ++at)
      alive[at] += roundUp(buffer.bytes);
  int64_t bound = 0;
  for (auto [at, bytes] : alive)
    bound = std::max(bound, bytes);
  return bound;
}

/// Alignment, arena and disjointness; pairs are compared one by one.
void expectValid(const Buffers &buffers, const MemoryPlan &plan) {
  EXPECT_GE(plan.arena, plan.bound);
  for (const PlannedBuffer &buffer : buffers) {
    EXPECT_GE(buffer.offset, 0);
    EXPECT_EQ(buffer.offset % kAlignment, 0);
    EXPECT_LE(buffer.offset + buffer.bytes, plan.arena);
  }
  int64_t overlaps = 0;
  for (size_t i = 0; i < buffers.size(); ++i)
    for (size_t j = i + 1; j < buffers.size(); ++j) {
      const PlannedBuffer &a = buffers[i], &b = buffers[j];
      bool together = a.first <= b.last && b.first <= a.last;
      bool apart = a.offset + a.bytes <= b.offset ||
                   b.offset + b.bytes <= a.offset || !a.bytes || !b.bytes;
      overlaps += together && !apart;
    }
  EXPECT_EQ(overlaps, 0);
}

Buffers randomBuffers(unsigned seed, int count, int64_t positions,
                      int64_t longest, int64_t largest) {
  std::mt19937_64 random(seed);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  Buffers buffers;
  for (int i = 0; i < count; ++i) {
    PlannedBuffer buffer;
    buffer.bytes = pick(0, 9) ? pick(1, largest) : 0;
    buffer.first = pick(0, positions - 1);
    buffer.last = buffer.first + pick(0, longest);
    buffers.push_back(buffer);
  }
  return buffers;
}

/// A training step: each of `layers` makes an activation that its backward
/// part reads again, and passes a value and a gradient to the next.
Buffers trainingStep(int layers, unsigned seed) {
  std::mt19937 random(seed);
  auto size = [&] { return int64_t(1 + random() % 16) << (8 + random() % 8); };
  Buffers buffers;
  int64_t last = 2 * layers - 1;
  for (int64_t layer = 0; layer < layers; ++layer) {
    int64_t backward = last - layer;
    buffers.push_back({size(), layer, backward, 0});        // saved activation
    buffers.push_back({size(), layer, layer + 1, 0});       // passed on
    buffers.push_back({size(), backward, backward + 1, 0}); // gradient
    buffers.push_back({size(), backward, last + 1, 0});     // of the parameter
  }
  return buffers;
}

TEST(BufferPlanner, RandomLifetimesNeverOverlap) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Buffers buffers =
        randomBuffers(seed, 20 + 20 * (seed % 20), 1 + 10 * (seed % 7),
                      1 + 3 * (seed % 11), 1 + 1000 * (seed % 5));
    MemoryPlan plan = planBuffers(buffers, kAlignment);
    EXPECT_EQ(plan.bound, countedBound(buffers));
    expectValid(buffers, plan);
  }
}

TEST(BufferPlanner, TrainingStepsStayNearTheBound) {
  for (int layers : {1, 2, 10, 50, 100})
    for (unsigned seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE(std::to_string(layers) + " layers, seed " +
                   std::to_string(seed));
      Buffers buffers = trainingStep(layers, seed);
      MemoryPlan plan = planBuffers(buffers, kAlignment);
      expectValid(buffers, plan);
      EXPECT_LE(plan.arena, 1.05 * plan.bound);
    }
}

/// An inference step: a stream that lives on while each block makes a few
/// values of other sizes from it.
Buffers inferenceStep(int blocks, unsigned seed) {
  std::mt19937 random(seed);
  auto size = [&] { return int64_t(1 + random() % 12) << 12; };
  Buffers buffers;
  int64_t at = 0;
  for (int block = 0; block < blocks; ++block) {
    int64_t steps = 3 + random() % 5;
    buffers.push_back({size(), at, at + steps, 0});
    for (int64_t i = 0; i < steps; ++i) {
      int64_t first = at + i;
      buffers.push_back({size(), first, first + 1 + int64_t(random() % 3), 0});
    }
    at += steps;
  }
  return buffers;
}

TEST(BufferPlanner, InferenceStepsStayNearTheBound) {
  for (int blocks : {1, 2, 4, 12, 48})
    for (unsigned seed = 1; seed <= 10; ++seed) {
      SCOPED_TRACE(std::to_string(blocks) + " blocks, seed " +
                   std::to_string(seed));
      Buffers buffers = inferenceStep(blocks, seed);
      MemoryPlan plan = planBuffers(buffers, kAlignment);
      expectValid(buffers, plan);
      EXPECT_LE(plan.arena, 1.05 * plan.bound);
    }
}

TEST(BufferPlanner, ChainUsesTwoPlaces) {
  Buffers buffers;
  for (int64_t i = 0; i < 100; ++i)
    buffers.push_back({1000, i, i + 1, 0});
  MemoryPlan plan = planBuffers(buffers, kAlignment);
  EXPECT_EQ(plan.bound, 2 * 1024);
  EXPECT_EQ(plan.arena, plan.bound);
}

TEST(BufferPlanner, LifetimesIncludeBothEnds) {
  Buffers meeting = {{64, 0, 1, 0}, {64, 1, 2, 0}};
  EXPECT_EQ(planBuffers(meeting, kAlignment).arena, 128);
  Buffers apart = {{64, 0, 1, 0}, {64, 2, 3, 0}};
  EXPECT_EQ(planBuffers(apart, kAlignment).arena, 64);
}

TEST(BufferPlanner, SizesAreRoundedUp) {
  Buffers buffers = {{1, 0, 0, 0}, {65, 0, 0, 0}};
  MemoryPlan plan = planBuffers(buffers, kAlignment);
  EXPECT_EQ(plan.bound, 64 + 128);
  expectValid(buffers, plan);
  Buffers one = {{3, 0, 0, 0}};
  EXPECT_EQ(planBuffers(one, 4096).arena, 4096);
}

TEST(BufferPlanner, EmptyBuffersTakeNoPlace) {
  Buffers none;
  MemoryPlan plan = planBuffers(none, kAlignment);
  EXPECT_EQ(plan.arena, 0);
  EXPECT_EQ(plan.bound, 0);
  Buffers buffers = {{0, 0, 5, 7}, {64, 0, 5, 7}, {0, 2, 2, 7}};
  plan = planBuffers(buffers, kAlignment);
  EXPECT_EQ(plan.arena, 64);
  for (const PlannedBuffer &buffer : buffers)
    EXPECT_EQ(buffer.offset, 0);
}

TEST(BufferPlanner, SizesBeyondFourGigabytes) {
  int64_t huge = int64_t(3) << 40;
  Buffers buffers = {{huge, 0, 1, 0}, {huge, 1, 2, 0}, {huge, 2, 3, 0}};
  MemoryPlan plan = planBuffers(buffers, kAlignment);
  EXPECT_EQ(plan.bound, 2 * huge);
  EXPECT_EQ(plan.arena, 2 * huge);
  expectValid(buffers, plan);
}

TEST(BufferPlanner, SamePlanEachTime) {
  Buffers first = randomBuffers(7, 500, 100, 40, 10000);
  Buffers second = first;
  planBuffers(first, kAlignment);
  planBuffers(second, kAlignment);
  for (size_t i = 0; i < first.size(); ++i)
    EXPECT_EQ(first[i].offset, second[i].offset);
}

/// Seconds of processor time of one plan.
double secondsFor(Buffers &buffers, MemoryPlan &plan) {
  std::clock_t start = std::clock();
  plan = planBuffers(buffers, kAlignment);
  return double(std::clock() - start) / CLOCKS_PER_SEC;
}

TEST(BufferPlanner, ManyBuffersAreQuick) {
  Buffers buffers = randomBuffers(11, 100000, 100000, 60, 100000);
  MemoryPlan plan;
  EXPECT_LT(secondsFor(buffers, plan), 2.0);
  EXPECT_GE(plan.arena, plan.bound);
  // The most that are planned in several orders.
  buffers = randomBuffers(12, 8000, 8000, 60, 100000);
  EXPECT_LT(secondsFor(buffers, plan), 10.0);
  EXPECT_GE(plan.arena, plan.bound);
}

} // namespace
