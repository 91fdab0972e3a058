//===- LossScaler.h - The machine behind every loss scaler ------*- C++ -*-===//
//
// One state machine whose parameters reproduce the dynamic loss scalers of
// PyTorch, Keras, flax, jmp, Apex, DeepSpeed, Megatron-LM, ONNX Runtime, MXNet,
// OneFlow, Paddle and MindSpore bit for bit (docs/LossScaling.md has the table
// and where each rule comes from). The compiler checks parameters with it, the
// runtime steps it.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ABI_LOSSSCALER_H
#define AMP_ABI_LOSSSCALER_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace amp::abi {

/// What becomes of a growth whose product is not finite: it is taken, the scale
/// stays as it is, or it becomes the largest float32.
enum class FiniteGuard : int64_t { None, Keep, Cap };
inline constexpr const char *kFiniteGuardNames[] = {"none", "keep", "cap"};

/// Events after which the hysteresis is whole again, as bits of a set.
enum RefillEvent : unsigned {
  kRefillClean = 1,   ///< a step without overflow
  kRefillBackoff = 2, ///< the scale was reduced
  kRefillGrowth = 4   ///< `growth_interval` clean steps
};
struct RefillSet {
  unsigned events = 0;
};
inline constexpr const char *kRefillNames[] = {"clean", "backoff", "growth"};

/// Parameters; the defaults are PyTorch's GradScaler.
struct ScalerRule {
  double growthFactor = 2, backoffFactor = 0.5;
  int64_t growthInterval = 2000;
  /// Above 0 the interval is scale * intervalPerScale instead, rounded, and at
  /// least 1 (a scale twice as high is tried half as often).
  double intervalPerScale = 0;
  /// Values of the tracker of clean steps: at first, after an overflow, and
  /// after a growth. -1 delays the growth by a step.
  int64_t start = 0, afterFound = 0, afterGrowth = 0;
  int64_t hysteresis = 1; ///< overflows before a backoff
  RefillSet refill;
  double minScale = 0, maxScale = std::numeric_limits<double>::infinity();
  FiniteGuard finiteGuard = FiniteGuard::Keep;
  bool delay = false;      ///< a change takes effect one step later
  bool errorAtMin = false; ///< a backoff at `minScale` ends the training
  int64_t abortAfter = 0;  ///< overflows in a row that end it, 0 never
};

/// Calls `visit(name, member)` for every parameter: the one list of names, used
/// for options, attributes of the IR and of a package.
template <class Rule, class Visitor>
void forEachScalerParameter(Rule &rule, Visitor &&visit) {
  visit("growth_factor", rule.growthFactor);
  visit("backoff_factor", rule.backoffFactor);
  visit("growth_interval", rule.growthInterval);
  visit("interval_per_scale", rule.intervalPerScale);
  visit("start", rule.start);
  visit("after_found", rule.afterFound);
  visit("after_growth", rule.afterGrowth);
  visit("hysteresis", rule.hysteresis);
  visit("refill", rule.refill);
  visit("min_scale", rule.minScale);
  visit("max_scale", rule.maxScale);
  visit("finite_guard", rule.finiteGuard);
  visit("delay", rule.delay);
  visit("error_at_min", rule.errorAtMin);
  visit("abort_after", rule.abortAfter);
}

/// A parameter out of range, and what it may be; no key if all is well.
struct ScalerProblem {
  const char *key = nullptr, *wanted = nullptr;
};
inline ScalerProblem checkScalerRule(const ScalerRule &rule) {
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  auto positive = [](int64_t value) { return value >= 1 && value <= most; };
  auto offset = [](int64_t value) { return value >= -most && value <= most; };
  if (!(rule.growthFactor >= 1 && std::isfinite(rule.growthFactor)))
    return {"growth_factor", "a finite number of at least 1"};
  if (!(rule.backoffFactor > 0 && rule.backoffFactor <= 1))
    return {"backoff_factor", "above 0 and at most 1"};
  if (!positive(rule.growthInterval))
    return {"growth_interval", "a whole number from 1 to 2147483647"};
  if (!(rule.intervalPerScale >= 0 && std::isfinite(rule.intervalPerScale)))
    return {"interval_per_scale", "a finite number of at least 0"};
  for (auto [key, value] :
       {std::pair<const char *, int64_t>{"start", rule.start},
        {"after_found", rule.afterFound},
        {"after_growth", rule.afterGrowth}})
    if (!offset(value))
      return {key, "a whole number from -2147483647 to 2147483647"};
  if (!positive(rule.hysteresis))
    return {"hysteresis", "a whole number from 1 to 2147483647"};
  if (rule.refill.events >= 8)
    return {"refill", "a set of clean, backoff and growth"};
  if (!(rule.minScale >= 0 && rule.minScale <= 0x1p127))
    return {"min_scale", "from 0 to 2^127"};
  if (!(rule.maxScale > 0 && rule.maxScale >= rule.minScale))
    return {"max_scale", "above 0 and at least min_scale"};
  if (static_cast<uint64_t>(rule.finiteGuard) >= 3)
    return {"finite_guard", "keep, cap or none"};
  if (rule.abortAfter < 0 || rule.abortAfter > most)
    return {"abort_after", "a whole number from 0 to 2147483647"};
  return {};
}

/// What a step of the scaler depends on; all of it is saved with a checkpoint.
struct ScalerState {
  float scale = 65536;    ///< multiplies the loss of the next step
  float next = 65536;     ///< with `delay` the scale of the step after
  int32_t tracker = 0;    ///< clean steps, from an offset
  int32_t hysteresis = 1; ///< overflows until a backoff; 0: the scaler gave up
  int32_t bad = 0;        ///< overflows in a row
};

inline ScalerState firstScalerState(const ScalerRule &rule, float scale) {
  return {scale, scale, static_cast<int32_t>(rule.start),
          static_cast<int32_t>(rule.hysteresis), 0};
}

/// Clean steps after which `scale` grows.
inline int64_t scalerInterval(const ScalerRule &rule, float scale) {
  if (rule.intervalPerScale == 0)
    return rule.growthInterval;
  double steps = std::nearbyint(double(scale) * rule.intervalPerScale);
  constexpr double most = std::numeric_limits<int32_t>::max();
  // Written so that a scale of NaN counts as the smallest.
  return static_cast<int64_t>(steps > 1 ? std::min(steps, most) : 1.0);
}

/// One step. `found`: a gradient was not finite. Products are float64, rounded
/// once. With `errorAtMin` a hysteresis of 0 says that the scaler gave up.
inline void stepScaler(const ScalerRule &rule, bool found, ScalerState &state) {
  constexpr int32_t most = std::numeric_limits<int32_t>::max();
  const int32_t whole = static_cast<int32_t>(rule.hysteresis);
  float scale = rule.delay ? state.next : state.scale, value = scale;
  if (found) {
    state.tracker = static_cast<int32_t>(rule.afterFound);
    state.bad += state.bad < most;
    state.hysteresis -= state.hysteresis > 0;
    if (state.hysteresis <= 0) {
      bool givesUp = rule.errorAtMin && scale <= rule.minScale;
      value = static_cast<float>(
          std::max(double(scale) * rule.backoffFactor, rule.minScale));
      state.hysteresis = givesUp                               ? 0
                         : rule.refill.events & kRefillBackoff ? whole
                                                               : 1;
    }
  } else {
    state.bad = 0;
    if (rule.refill.events & kRefillClean)
      state.hysteresis = whole;
    state.tracker += state.tracker < most;
    if (state.tracker >= scalerInterval(rule, scale)) {
      state.tracker = static_cast<int32_t>(rule.afterGrowth);
      if (rule.refill.events & kRefillGrowth)
        state.hysteresis = whole;
      auto grown = static_cast<float>(
          std::min(double(scale) * rule.growthFactor, rule.maxScale));
      if (std::isfinite(grown) || rule.finiteGuard == FiniteGuard::None)
        value = grown;
      else if (rule.finiteGuard == FiniteGuard::Cap)
        value = std::numeric_limits<float>::max();
    }
  }
  state.scale = rule.delay ? scale : value;
  state.next = value;
}

} // namespace amp::abi

#endif // AMP_ABI_LOSSSCALER_H
