//===- KernelsState.cpp - Loss scale, learning rate, counters -------------===//
//
// scaler_update, learning_rate and advance_counters: the scalars of a step.
//
//===----------------------------------------------------------------------===//

#include "KernelsSupport.h"
#include "amp/ABI/LossScaler.h"
#include <algorithm>
#include <fmt/format.h>

using namespace amp;
using namespace amp::runtime;

namespace {

/// Reads the parameters of the scaler, one overload a kind.
struct ScalerReader {
  const BuiltinCall &call;

  void operator()(const char *name, double &value) {
    value = call.attrs.number(name, value);
  }
  void operator()(const char *name, int64_t &value) {
    value = call.attrs.integer(name, value);
  }
  void operator()(const char *name, bool &value) {
    value = call.attrs.flag(name, value);
  }
  void operator()(const char *name, abi::FiniteGuard &value) {
    if (call.attrs.has(name))
      value = abi::FiniteGuard(
          position(name, call.attrs.text(name), abi::kFiniteGuardNames));
  }
  void operator()(const char *name, abi::RefillSet &value) {
    std::string text = call.attrs.text(name, "none");
    for (size_t start = 0; text != "none" && start <= text.size();) {
      size_t end = std::min(text.find('+', start), text.size());
      value.events |= 1u << position(name, text.substr(start, end - start),
                                     abi::kRefillNames);
      start = end + 1;
    }
  }
  template <size_t N>
  int64_t position(const char *name, const std::string &text,
                   const char *const (&names)[N]) {
    auto found = std::find(names, names + N, text);
    call.require(found != names + N,
                 fmt::format("{} '{}' is unknown", name, text).c_str());
    return found - names;
  }
};

std::unique_ptr<PreparedLaunch> prepareScaler(BuiltinContext &,
                                              const BuiltinCall &call) {
  call.expect(6, 5);
  abi::ScalerRule rule;
  abi::forEachScalerParameter(rule, ScalerReader{call});
  abi::ScalerProblem problem = abi::checkScalerRule(rule);
  call.require(!problem.key,
               fmt::format("{} must be {}", problem.key ? problem.key : "",
                           problem.wanted ? problem.wanted : "")
                   .c_str());
  using abi::DType;
  const char *const names[] = {"the next scale", "the growth tracker",
                               "the hysteresis", "the overflows in a row"};
  struct Place {
    float *scale[2];
    int32_t *counts[3];
  };
  auto placeOf = [&](auto &&operand) {
    Place place;
    for (int i = 0; i < 2; ++i)
      place.scale[i] = scalar<float>(call, operand(i), DType::f32,
                                     i ? names[0] : "the scale");
    for (int i = 0; i < 3; ++i)
      place.counts[i] =
          scalar<int32_t>(call, operand(2 + i), DType::i32, names[1 + i]);
    return place;
  };
  Place from = placeOf([&](int i) { return call.input(i); });
  Place to = placeOf([&](int i) { return call.output(i); });
  auto *finite =
      scalar<char>(call, call.input(5), DType::i1, "the finite flag");
  return makeLaunch([=] {
    abi::ScalerState state = {*from.scale[0], *from.scale[1], *from.counts[0],
                              *from.counts[1], *from.counts[2]};
    abi::stepScaler(rule, *finite == 0, state);
    *to.scale[0] = state.scale;
    *to.scale[1] = state.next;
    *to.counts[0] = state.tracker;
    *to.counts[1] = state.hysteresis;
    *to.counts[2] = state.bad;
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
