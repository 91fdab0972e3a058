//===- KernelsState.cpp - Loss scale, learning rate, counters -------------===//
//
// scaler_update, learning_rate and advance_counters: the scalars of a step.
//
//===----------------------------------------------------------------------===//

#include "KernelsSupport.h"
#include <cmath>
#include <limits>

using namespace amp;
using namespace amp::runtime;

namespace {

std::unique_ptr<PreparedLaunch> prepareScaler(BuiltinContext &,
                                              const BuiltinCall &call) {
  call.expect(3, 2);
  kernels::ScalerRule rule;
  rule.growthFactor = call.attrs.number("growth_factor", rule.growthFactor);
  rule.backoffFactor = call.attrs.number("backoff_factor", rule.backoffFactor);
  rule.growthInterval =
      call.attrs.integer("growth_interval", rule.growthInterval);
  call.require(std::isfinite(rule.growthFactor) && rule.growthFactor > 0 &&
                   std::isfinite(rule.backoffFactor) && rule.backoffFactor > 0,
               "growth_factor and backoff_factor must be positive");
  call.require(rule.growthInterval >= 1 &&
                   rule.growthInterval <= std::numeric_limits<int32_t>::max(),
               "growth_interval must be at least 1 and fit into 32 bits");
  using abi::DType;
  auto *scale = scalar<float>(call, call.input(0), DType::f32, "the scale");
  auto *tracker =
      scalar<int32_t>(call, call.input(1), DType::i32, "the growth tracker");
  auto *finite =
      scalar<char>(call, call.input(2), DType::i1, "the finite flag");
  auto *newScale =
      scalar<float>(call, call.output(0), DType::f32, "the new scale");
  auto *newTracker = scalar<int32_t>(call, call.output(1), DType::i32,
                                     "the new growth tracker");
  return makeLaunch([=] {
    float value = *scale;
    int32_t count = *tracker;
    kernels::updateScaler(rule, *finite != 0, value, count);
    *newScale = value;
    *newTracker = count;
  });
}

std::unique_ptr<PreparedLaunch> prepareLearningRate(BuiltinContext &,
                                                    const BuiltinCall &call) {
  call.expect(2, 1);
  auto *applied = scalar<int64_t>(call, call.input(0), abi::DType::i64,
                                  "the number of updates");
  requireType(call, call.input(1), abi::DType::f32, "the schedule");
  requireDims(call, call.input(1), {8}, "the schedule");
  requireContiguous(call, call.input(1), "the schedule");
  auto *schedule = call.input(1).as<float>();
  auto *rate =
      scalar<float>(call, call.output(0), abi::DType::f32, "the learning rate");
  return makeLaunch([=] { *rate = kernels::learningRate(schedule, *applied); });
}

std::unique_ptr<PreparedLaunch> prepareCounters(BuiltinContext &,
                                                const BuiltinCall &call) {
  call.expect(4, 3);
  int64_t *from[3], *to[3];
  for (int i = 0; i < 3; ++i) {
    from[i] =
        scalar<int64_t>(call, call.input(i), abi::DType::i64, "a counter");
    to[i] = scalar<int64_t>(call, call.output(i), abi::DType::i64, "a counter");
  }
  auto *finite =
      scalar<char>(call, call.input(3), abi::DType::i1, "the finite flag");
  auto advance = [](const int64_t *value, int64_t by) {
    // Unsigned: a damaged counter wraps and is not undefined.
    return static_cast<int64_t>(static_cast<uint64_t>(*value) + by);
  };
  return makeLaunch([=] {
    bool made = *finite != 0;
    int64_t iteration = advance(from[0], 1), applied = advance(from[1], made),
            skipped = advance(from[2], !made);
    *to[0] = iteration;
    *to[1] = applied;
    *to[2] = skipped;
  });
}

} // namespace

void amp::runtime::registerStateKernels(BuiltinTable &table) {
  table.add("scaler_update", prepareScaler);
  table.add("learning_rate", prepareLearningRate);
  table.add("advance_counters", prepareCounters);
}
