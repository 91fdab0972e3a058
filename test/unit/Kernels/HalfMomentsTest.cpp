//===- HalfMomentsTest.cpp - Moments in float16 ---------------------------===//
//
// Against the update with float32 moments (seeds 100 and up): the range of the
// gradients is that of float16, and beyond it nothing becomes inf, or 0 below a
// division.
//
//===----------------------------------------------------------------------===//

#include "OptimizerLaunch.h"
#include <cmath>

using namespace amp;
using namespace amp::kernels::reference;
using amp::abi::DType;

namespace {

/// What some updates did to a parameter that begins at 0, element by element;
/// gradients are normal with this deviation, anew in each step.
std::vector<float> moved(const std::string &kind, Storage storage, double size,
                         int steps = 10) {
  OptimizerLaunch launch(kind, {{40, 25}}, storage);
  launch.set("weight_decay", 0);
  for (int i = 0; i < steps; ++i) {
    launch.parameters[0].gradient.fill(100 + i, size);
    launch.run();
  }
  for (Tensor &state : launch.parameters[0].states)
    forEachIndex(state.dims(), [&](const Dims &at) {
      EXPECT_TRUE(std::isfinite(state.get(at)));
    });
  return launch.wide();
}

} // namespace

TEST(HalfMoments, HoldWhatGradientsInHalfMayBe) {
  // Squares of the largest are 1e9, of the smallest 1e-7 with 1 - beta2:
  // float16 has neither. Distances are a few roundings of 2^-11 each.
  for (const std::string &kind : kOptimizerKinds)
    for (double size : {1e-2, 1.0, 1e4}) {
      SCOPED_TRACE(kind + " " + std::to_string(size));
      std::vector<float> wide = moved(kind, {}, size);
      std::vector<float> low = moved(kind, {DType::f32, DType::f16}, size);
      double error = 0, norm = 0;
      for (size_t i = 0; i < wide.size(); ++i) {
        error += std::pow(double(low[i]) - wide[i], 2);
        norm += std::pow(double(wide[i]), 2);
      }
      EXPECT_GT(norm, 0);
      // lion steps by signs, which flip where its sum is about zero.
      EXPECT_LT(std::sqrt(error / norm), kind == "lion" ? 0.2 : 5e-3);
    }
}

TEST(HalfMoments, BeyondThemAllStaysFiniteAndStepsSmall) {
  // Far above what float16 holds, and far below. A second moment that became
  // inf would freeze the parameter, one that became 0 would make steps of
  // m / eps.
  for (const std::string &kind : {"adam", "adamw", "rmsprop", "adagrad", "lamb",
                                  "adafactor", "nadam", "radam"})
    for (bool stochastic : {false, true})
      for (double size : {1e-12, 1e-8, 1e-7, 6e-7, 1e6, 1e12}) {
        SCOPED_TRACE(std::string(kind) + " " + std::to_string(size));
        Storage half{DType::f32, DType::f16, false, stochastic};
        std::vector<float> low = moved(kind, half, size, 3);
        float largest = 0;
        for (float value : low) {
          ASSERT_TRUE(std::isfinite(value));
          largest = std::max(largest, std::fabs(value));
        }
        // Three steps at a rate of 0.01. At most 32 times that: the mean square
        // of an update is at least (1 - beta2) times its gradient's. The first
        // steps of radam have none.
        if (size < 1 || std::string(kind) != "radam")
          EXPECT_LT(largest, 0.96f);
        if (size > 1)
          EXPECT_GT(largest, 0);
      }
}

TEST(HalfMoments, Saturate) {
  OptimizerLaunch launch("adam", {{3}}, {DType::f32, DType::f16});
  OptimizerLaunch::Parameter &p = launch.parameters[0];
  p.gradient.set({0}, 1e7);
  p.gradient.set({1}, -1e7);
  p.gradient.set({2}, 1e-9);
  launch.run();
  EXPECT_EQ(p.states[0].get({0}), 65504);
  EXPECT_EQ(p.states[0].get({1}), -65504);
  EXPECT_EQ(p.states[1].get({0}), 65504);
  EXPECT_EQ(p.states[1].get({1}), 65504);
  EXPECT_EQ(p.states[0].get({2}), 0);
  EXPECT_EQ(p.states[1].get({2}), 0x1p-24);
}
