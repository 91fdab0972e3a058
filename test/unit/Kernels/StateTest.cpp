//===- StateTest.cpp - Learning rates
//--------------------------------------===//
//
// Within one float32 epsilon.
//
//===----------------------------------------------------------------------===//

#include "kernels/Kernels.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace amp::kernels;

TEST(LearningRate, EveryKindWithWarmUp) {
  auto rate = [](std::vector<float> schedule, int64_t applied) {
    schedule.resize(8, 0.0f);
    return learningRate(schedule.data(), applied);
  };
  EXPECT_FLOAT_EQ(rate({0, 0.1f}, 12345), 0.1f);
  // {kind, base, warm-up, period, gamma, total, minimum}
  std::vector<float> step = {1, 0.5f, 4, 10, 0.1f, 0, 0};
  EXPECT_FLOAT_EQ(rate(step, 0), 0.125f);
  EXPECT_FLOAT_EQ(rate(step, 3), 0.5f);
  EXPECT_FLOAT_EQ(rate(step, 4), 0.5f);
  EXPECT_FLOAT_EQ(rate(step, 13), 0.5f);
  EXPECT_FLOAT_EQ(rate(step, 14), 0.05f);
  EXPECT_FLOAT_EQ(rate(step, 24), 0.005f);
  std::vector<float> cosine = {2, 1, 10, 0, 0, 110, 0.2f};
  EXPECT_FLOAT_EQ(rate(cosine, 10), 1.0f);
  EXPECT_FLOAT_EQ(rate(cosine, 60), 0.6f);
  EXPECT_FLOAT_EQ(rate(cosine, 35),
                  float(0.2 + 0.8 * (1 + std::sqrt(0.5)) / 2));
  EXPECT_FLOAT_EQ(rate(cosine, 110), 0.2f);
  EXPECT_FLOAT_EQ(rate(cosine, 5000), 0.2f);
  std::vector<float> linear = {3, 1, 0, 0, 0, 100, 0};
  EXPECT_FLOAT_EQ(rate(linear, 0), 1.0f);
  EXPECT_FLOAT_EQ(rate(linear, 25), 0.75f);
  EXPECT_FLOAT_EQ(rate(linear, 100), 0.0f);
  // Nothing a damaged schedule says is undefined.
  EXPECT_FLOAT_EQ(rate({NAN, 0.3f, -5, NAN, NAN, NAN, NAN}, 7), 0.3f);
  EXPECT_FLOAT_EQ(rate({1, 0.3f, 0, 0}, 7), 0.3f);
}
