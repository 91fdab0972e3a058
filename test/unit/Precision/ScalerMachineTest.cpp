//===- ScalerMachineTest.cpp - The machine against every system -----------===//
//
// Golden traces, and 10 000 random events against a model of each system. All
// comparisons are of bits.
//
//===----------------------------------------------------------------------===//

#include "ScalerModels.h"
#include "amp/Transforms/Precision/ScalerSpec.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <random>

using namespace amp;
using namespace amp::abi;
using namespace amp::test;

namespace {

struct Machine {
  ScalerRule rule;
  ScalerState state;

  explicit Machine(const std::string &option) {
    std::string error;
    auto spec = ScalerSpec::parse(option, error);
    if (mlir::failed(spec)) {
      ADD_FAILURE() << option << ": " << error;
      return;
    }
    rule = spec->rule;
    state = firstScalerState(rule, float(spec->scale));
  }
  float step(bool found) {
    stepScaler(rule, found, state);
    return state.scale;
  }
  bool gaveUp() const {
    return state.hysteresis == 0 ||
           (rule.abortAfter && state.bad >= rule.abortAfter);
  }
};

/// The exponents of the scale after each step.
std::vector<int> trace(Machine machine, llvm::ArrayRef<int> found) {
  std::vector<int> exponents;
  for (int flag : found) {
    float scale = machine.step(flag);
    int exponent = 0;
    EXPECT_EQ(std::frexp(scale, &exponent), 0.5f) << scale;
    exponents.push_back(exponent - 1);
  }
  return exponents;
}

using Exponents = std::vector<int>;

TEST(ScalerMachine, GoldenTraces) {
  const int found[] = {0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                       0, 1, 1, 0, 0, 0, 0, 0, 0, 0};
  const Exponents usual = {16, 16, 17, 17, 16, 16, 16, 17, 17, 16,
                           16, 15, 14, 14, 14, 15, 15, 15, 16, 16};
  auto of = [&](std::string option) {
    size_t comma = option.find(',');
    std::string common = ",init_scale=2^16,growth_interval=3";
    return trace(
        Machine(comma == std::string::npos
                    ? option + common
                    : option.substr(0, comma) + common + option.substr(comma)),
        found);
  };
  for (const char *name : {"pytorch", "keras", "jmp", "apex", "oneflow",
                           "paddle", "mindspore", "ort"})
    EXPECT_EQ(of(name), usual) << name;
  EXPECT_EQ(of("flax"), (Exponents{16, 16, 16, 17, 16, 16, 16, 16, 17, 16,
                                   16, 15, 14, 14, 14, 14, 15, 15, 15, 15}));
  EXPECT_EQ(of("mxnet"), (Exponents{16, 16, 16, 17, 17, 16, 16, 16, 17, 17,
                                    16, 16, 15, 14, 14, 14, 15, 15, 15, 16}));
  EXPECT_EQ(of("paddle,decr_every_n_nan_or_inf=2"),
            (Exponents{16, 16, 17, 17, 17, 17, 17, 18, 18, 18,
                       18, 18, 17, 17, 17, 18, 18, 18, 19, 19}));
  EXPECT_EQ(of("deepspeed,hysteresis=1"),
            (Exponents{16, 16, 16, 17, 16, 16, 16, 16, 17, 16,
                       16, 15, 14, 14, 14, 14, 15, 15, 15, 16}));
  EXPECT_EQ(of("deepspeed"),
            (Exponents{16, 16, 16, 17, 17, 17, 17, 17, 18, 18,
                       18, 17, 16, 16, 16, 16, 17, 17, 17, 18}));
  EXPECT_EQ(of("deepspeed,hysteresis_mode=consecutive"),
            (Exponents{16, 16, 16, 17, 17, 17, 17, 17, 18, 18,
                       18, 18, 17, 17, 17, 17, 18, 18, 18, 19}));
  EXPECT_EQ(of("megatron"),
            (Exponents{16, 16, 17, 17, 17, 17, 17, 18, 18, 18,
                       18, 17, 16, 16, 16, 17, 17, 17, 18, 18}));
}

TEST(ScalerMachine, Floors) {
  const int six[] = {1, 1, 1, 1, 1, 1};
  auto of = [&](const std::string &name) {
    return trace(Machine(name + ",init_scale=4"), six);
  };
  for (const char *name : {"pytorch", "keras", "flax", "apex"})
    EXPECT_EQ(of(name), (Exponents{1, 0, -1, -2, -3, -4})) << name;
  EXPECT_EQ(of("mxnet"), (Exponents{2, 1, 0, -1, -2, -3}));
  for (const char *name : {"jmp", "oneflow", "paddle", "mindspore", "ort"})
    EXPECT_EQ(of(name), (Exponents{1, 0, 0, 0, 0, 0})) << name;
  EXPECT_EQ(of("megatron"), (Exponents{2, 1, 0, 0, 0, 0}));
  Machine deepspeed("deepspeed,init_scale=4");
  EXPECT_EQ(trace(deepspeed, {1, 1, 1}), (Exponents{2, 1, 0}));
  for (int i = 0; i < 3; ++i) {
    deepspeed.step(true);
    EXPECT_FALSE(deepspeed.gaveUp());
  }
  deepspeed.step(true);
  EXPECT_TRUE(deepspeed.gaveUp());
}

TEST(ScalerMachine, Ceilings) {
  const float most = std::numeric_limits<float>::max(), infinite = INFINITY;
  auto of = [](const std::string &name, const char *first = "2^126") {
    Machine machine(name + ",growth_interval=1,init_scale=" + first);
    std::vector<float> scales;
    for (int i = 0; i < 4; ++i)
      scales.push_back(machine.step(false));
    return scales;
  };
  using Scales = std::vector<float>;
  for (const char *name : {"pytorch", "jmp", "paddle"})
    EXPECT_EQ(of(name), Scales(4, 0x1p127f)) << name;
  EXPECT_EQ(of("oneflow"), (Scales{0x1p127f, most, most, most}));
  EXPECT_EQ(of("flax"), (Scales{0x1p126f, 0x1p127f, 0x1p127f, most}));
  for (const char *name : {"keras", "megatron", "mindspore"})
    EXPECT_EQ(of(name), (Scales{0x1p127f, infinite, infinite, infinite}))
        << name;
  for (const char *name : {"apex", "ort"})
    EXPECT_EQ(of(name, "2^23"), Scales(4, 0x1p24f)) << name;
  EXPECT_EQ(of("mxnet", "2^23"), (Scales{0x1p23f, 0x1p24f, 0x1p24f, 0x1p24f}));
}

/// Runs of clean and of overflowing steps of random lengths: single ones and
/// long ones, so that intervals, hysteresis, floor and ceiling are all met.
std::vector<bool> randomEvents(std::mt19937 &random, size_t count) {
  std::vector<bool> events;
  bool found = false;
  while (events.size() < count) {
    int length = 1 + int(random() % (random() % 8 ? 6 : 60));
    events.insert(events.end(), length, found);
    found = !found;
  }
  events.resize(count);
  return events;
}

TEST(ScalerMachine, TenThousandRandomEventsOfEverySystem) {
  std::mt19937 random(18);
  int backoffs = 0, growths = 0, ended = 0;
  for (const ModelCase &model : modelCases())
    for (int64_t interval : {1, 2, 3, 5, 40})
      for (int64_t hysteresis : {1, 2, 3}) {
        if (hysteresis > 1 && !model.hasHysteresis)
          continue;
        for (bool odd : {false, true}) {
          if (odd && !model.hasFactors)
            continue;
          ModelNumbers numbers;
          numbers.interval = interval;
          numbers.hysteresis = hysteresis;
          std::string option =
              model.options + std::string(",init_scale=2^16,growth_interval=") +
              std::to_string(interval);
          if (model.hasHysteresis)
            option += ",hysteresis=" + std::to_string(hysteresis);
          if (odd) {
            numbers.growth = 1.7;
            numbers.backoff = 0.3;
            option += ",growth_factor=1.7,backoff_factor=0.3";
          }
          Machine machine(option);
          auto expected = model.make(numbers);
          std::vector<bool> events = randomEvents(random, 10000);
          for (size_t i = 0; i < events.size(); ++i) {
            float before = machine.state.scale;
            machine.step(events[i]);
            expected->step(events[i]);
            backoffs += machine.state.scale < before;
            growths += machine.state.scale > before;
            ASSERT_EQ(machine.gaveUp(), expected->gaveUp)
                << option << ", step " << i;
            if (expected->gaveUp && ++ended) {
              // Begin anew, as if the user had restarted.
              machine = Machine(option);
              expected = model.make(numbers);
            }
            ASSERT_EQ(machine.state.scale, expected->scale)
                << option << ", step " << i;
          }
        }
      }
  EXPECT_GT(backoffs, 10000);
  EXPECT_GT(growths, 10000);
  EXPECT_GT(ended, 10);
}

TEST(ScalerMachine, MindSporeEndsAfterAThousandBadSteps) {
  Machine machine("mindspore");
  auto expected = mindsporeModel(ModelNumbers());
  for (int i = 1; i <= 1001; ++i) {
    ASSERT_FALSE(machine.gaveUp()) << i;
    machine.step(true);
    expected->step(true);
    ASSERT_EQ(machine.gaveUp(), expected->gaveUp) << i;
  }
  EXPECT_TRUE(machine.gaveUp());
}

TEST(ScalerMachine, KF40_NeverGrowsToInfinity) {
  Machine machine("pytorch,init_scale=2^127,growth_interval=1");
  for (int i = 0; i < 1000000; ++i)
    ASSERT_EQ(machine.step(false), 0x1p127f);
  EXPECT_EQ(machine.step(true), 0x1p126f);
}

TEST(ScalerMachine, KF41_StaysAtItsFloor) {
  Machine machine("pytorch,min_scale=1");
  for (int i = 1; i <= 200; ++i)
    ASSERT_EQ(machine.step(true), std::ldexp(1.0f, std::max(16 - i, 0)));
  EXPECT_EQ(machine.state.bad, 200);
  Machine low("pytorch,min_scale=2^-14");
  for (int i = 1; i <= 200; ++i)
    ASSERT_EQ(low.step(true), std::ldexp(1.0f, std::max(16 - i, -14)));
}

TEST(ScalerMachine, KF43_HysteresisCumulativeOrConsecutive) {
  const int found[] = {1, 0, 0, 1};
  std::string option = "pytorch,hysteresis=2,hysteresis_mode=";
  EXPECT_EQ(trace(Machine(option + "cumulative"), found),
            (Exponents{16, 16, 16, 15}));
  EXPECT_EQ(trace(Machine(option + "consecutive"), found),
            (Exponents{16, 16, 16, 16}));
  // Without a mode it is the one of the systems that have one.
  EXPECT_EQ(trace(Machine("pytorch,hysteresis=2"), found),
            (Exponents{16, 16, 16, 15}));
}

TEST(ScalerMachine, KF44_IntervalProportionalToTheScale) {
  Machine machine("pytorch,interval_per_scale=2/65536");
  for (int i = 1; i <= 14; ++i)
    ASSERT_EQ(machine.step(false), i < 2    ? 0x1p16f
                                   : i < 6  ? 0x1p17f
                                   : i < 14 ? 0x1p18f
                                            : 0x1p19f)
        << "clean step " << i;
}

TEST(ScalerMachine, FactorsAreDoublesRoundedOnce) {
  // 1.1f would give another product.
  Machine machine("pytorch,init_scale=3,growth_factor=1.1,backoff_factor=0.9,"
                  "growth_interval=1");
  float grown = machine.step(false);
  EXPECT_EQ(grown, static_cast<float>(3.0 * 1.1));
  EXPECT_EQ(machine.step(true), static_cast<float>(double(grown) * 0.9));
}

TEST(ScalerMachine, DamagedStateStaysDefined) {
  for (int32_t count : {INT32_MIN, -1, INT32_MAX})
    for (float scale : {0.0f, -1.0f, INFINITY, float(NAN)})
      for (bool found : {false, true}) {
        ScalerRule rule;
        rule.intervalPerScale = 1e30;
        ScalerState state = {scale, scale, count, count, count};
        stepScaler(rule, found, state);
        EXPECT_EQ(state.bad > 0, found && count > 0);
      }
}

} // namespace
