//===- StateTest.cpp - Loss scale traces and learning rates ---------------===//
//
// Scale traces are exact; learning rates within one float32 epsilon.
//
//===----------------------------------------------------------------------===//

#include "kernels/Kernels.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace amp::kernels;

TEST(Scaler, FollowsThePyTorchTrace) {
  // Exponents after each step, from 2^16 with interval 3.
  const int found[] = {0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                       0, 1, 1, 0, 0, 0, 0, 0, 0, 0};
  const int exponents[] = {16, 16, 17, 17, 16, 16, 16, 17, 17, 16,
                           16, 15, 14, 14, 14, 15, 15, 15, 16, 16};
  ScalerRule rule{2.0, 0.5, 3};
  float scale = 65536;
  int32_t tracker = 0;
  for (int i = 0; i < 20; ++i) {
    updateScaler(rule, !found[i], scale, tracker);
    EXPECT_EQ(scale, std::ldexp(1.0f, exponents[i])) << "step " << i;
  }
}

TEST(Scaler, GrowsOnlyWhileFiniteAndHasNoFloor) {
  ScalerRule rule{2.0, 0.5, 1};
  float scale = std::ldexp(1.0f, 126);
  int32_t tracker = 0;
  for (int i = 0; i < 4; ++i) {
    updateScaler(rule, true, scale, tracker);
    EXPECT_EQ(scale, std::ldexp(1.0f, 127));
    EXPECT_EQ(tracker, 0);
  }
  scale = 4;
  for (int i = 0; i < 6; ++i)
    updateScaler(rule, false, scale, tracker);
  EXPECT_EQ(scale, 0.0625f);
}

TEST(Scaler, FactorsAreDoublesRoundedOnce) {
  // 1.1f would give another product.
  ScalerRule rule{1.1, 0.9, 1};
  float scale = 3;
  int32_t tracker = 0;
  updateScaler(rule, true, scale, tracker);
  EXPECT_EQ(scale, static_cast<float>(3.0 * 1.1));
  updateScaler(rule, false, scale, tracker);
  EXPECT_EQ(scale,
            static_cast<float>(double(static_cast<float>(3.0 * 1.1)) * 0.9));
}

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
