//===- Optimizer.cpp - Parameter updates ----------------------------------===//
//
// The formulas of PyTorch's optimizers in its order of operations (see
// kernels/README.md). Scalars are computed in float64 once per step, elements
// in float32, with one rounding where a product is added to something.
//
//===----------------------------------------------------------------------===//

#include "kernels/Kernels.h"
#include "kernels/common/Storage.h"

#include <algorithm>
#include <cmath>

using namespace amp;
using namespace amp::kernels;

namespace {

V8 mul(V8 a, V8 b) { return _mm256_mul_ps(a, b); }
V8 div(V8 a, V8 b) { return _mm256_div_ps(a, b); }
V8 root(V8 a) { return _mm256_sqrt_ps(a); }
V8 single(double value) { return splat(static_cast<float>(value)); }

/// Unscaled and clipped gradient.
template <ClipMode mode>
struct Gradient {
  explicit Gradient(const UpdateConstants &c)
      : inverse(splat(c.inverseScale)), factor(splat(c.clipFactor)),
        high(splat(c.clipValue)), low(splat(-c.clipValue)) {}
  V8 operator()(V8 g) const {
    g = mul(g, inverse);
    if (mode == ClipMode::norm)
      g = mul(g, factor);
    // The gradient is the second operand, which is what comes back for a NaN.
    if (mode == ClipMode::value)
      g = _mm256_min_ps(high, _mm256_max_ps(low, g));
    return g;
  }
  V8 inverse, factor, high, low;
};

/// PyTorch's lerp: from whichever end is nearer.
struct Lerp {
  explicit Lerp(double weight)
      : near(weight < 0.5), factor(single(near ? weight : 1.0 - weight)) {}
  V8 operator()(V8 from, V8 to) const {
    V8 way = _mm256_sub_ps(to, from);
    return near ? fma(factor, way, from) : _mm256_sub_ps(to, mul(way, factor));
  }
  bool near;
  V8 factor;
};

struct Sgd {
  explicit Sgd(const UpdateConstants &c)
      : rule(c.rule), first(c.first), decay(splat(c.decay)),
        rate(splat(c.rate)), momentum(single(rule.momentum)),
        share(single(1.0 - rule.dampening)) {}
  V8 operator()(V8 p, V8 g, V8 *state) const {
    if (rule.weightDecay != 0)
      g = fma(decay, p, g);
    if (rule.momentum != 0) {
      V8 buffer = first ? g : fma(share, g, mul(state[0], momentum));
      state[0] = buffer;
      g = rule.nesterov ? fma(momentum, buffer, g) : buffer;
    }
    return fma(rate, g, p);
  }
  const UpdateRule &rule;
  bool first;
  V8 decay, rate, momentum, share;
};

struct Adam {
  explicit Adam(const UpdateConstants &c)
      : rule(c.rule), decoupled(rule.kind == OptimizerKind::adamw),
        decay(splat(c.decay)), rate(splat(c.rate)), root2(splat(c.root)),
        beta2(single(rule.beta2)), rest2(single(1.0 - rule.beta2)),
        eps(single(rule.eps)), mean(1.0 - rule.beta1) {}
  V8 operator()(V8 p, V8 g, V8 *state) const {
    if (rule.weightDecay != 0) {
      if (decoupled)
        p = mul(p, decay);
      else
        g = fma(decay, p, g);
    }
    state[0] = mean(state[0], g);
    state[1] = fma(mul(rest2, g), g, mul(state[1], beta2));
    V8 second = state[1];
    if (rule.amsgrad)
      second = state[2] =
          choose(largerOrNaN(second, state[2]), second, state[2]);
    V8 denominator = _mm256_add_ps(div(root(second), root2), eps);
    return _mm256_add_ps(p, div(mul(rate, state[0]), denominator));
  }
  const UpdateRule &rule;
  bool decoupled;
  V8 decay, rate, root2, beta2, rest2, eps;
  Lerp mean;
};

struct RmsProp {
  explicit RmsProp(const UpdateConstants &c)
      : rule(c.rule), decay(splat(c.decay)), rate(splat(c.rate)),
        alpha(single(rule.alpha)), rest(single(1.0 - rule.alpha)),
        eps(single(rule.eps)), momentum(single(rule.momentum)),
        mean(1.0 - rule.alpha) {}
  V8 operator()(V8 p, V8 g, V8 *state) const {
    if (rule.weightDecay != 0)
      g = fma(decay, p, g);
    state[0] = fma(mul(rest, g), g, mul(state[0], alpha));
    V8 square = state[0];
    if (rule.centered) {
      V8 &average = state[rule.momentum > 0 ? 2 : 1];
      average = mean(average, g);
      square = _mm256_fnmadd_ps(average, average, square);
      // Rounding can make the variance of a constant gradient negative, whose
      // root PyTorch takes; zero is what it stands for. A NaN stays.
      square = _mm256_max_ps(splat(0), square);
    }
    V8 denominator = _mm256_add_ps(root(square), eps);
    if (rule.momentum > 0) {
      state[1] = _mm256_add_ps(mul(state[1], momentum), div(g, denominator));
      return fma(rate, state[1], p);
    }
    return _mm256_add_ps(p, div(mul(rate, g), denominator));
  }
  const UpdateRule &rule;
  V8 decay, rate, alpha, rest, eps, momentum;
  Lerp mean;
};

struct Adagrad {
  explicit Adagrad(const UpdateConstants &c)
      : rule(c.rule), decay(splat(c.decay)), rate(splat(c.rate)),
        eps(single(rule.eps)) {}
  V8 operator()(V8 p, V8 g, V8 *state) const {
    if (rule.weightDecay != 0)
      g = fma(decay, p, g);
    state[0] = fma(g, g, state[0]);
    V8 denominator = _mm256_add_ps(root(state[0]), eps);
    return _mm256_add_ps(p, div(mul(rate, g), denominator));
  }
  const UpdateRule &rule;
  V8 decay, rate, eps;
};

/// Runs one optimizer over a range. States are loaded and stored in registers;
/// how many there are is known to the compiler.
template <int states, class Rule, class Clip>
void updateRange(const Rule &rule, const Clip &clip, float *parameter,
                 const float *gradient, float *const *state, int64_t n) {
  V8 s[kMaxStates] = {splat(0), splat(0), splat(0)};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int j = 0; j < states; ++j)
      s[j] = load8(state[j] + i);
    V8 p = rule(load8(parameter + i), clip(load8(gradient + i)), s);
    for (int j = 0; j < states; ++j)
      store8(state[j] + i, s[j]);
    store8(parameter + i, p);
  }
  if (i == n)
    return;
  int64_t left = n - i;
  for (int j = 0; j < states; ++j)
    s[j] = loadPart(state[j] + i, left);
  V8 p = rule(loadPart(parameter + i, left), clip(loadPart(gradient + i, left)),
              s);
  for (int j = 0; j < states; ++j)
    storePart(state[j] + i, s[j], left);
  storePart(parameter + i, p, left);
}

template <class Rule, class Clip>
void updateWith(const Rule &rule, const Clip &clip, int states,
                float *parameter, const float *gradient, float *const *state,
                int64_t n) {
  switch (states) {
  case 0:
    return updateRange<0>(rule, clip, parameter, gradient, state, n);
  case 1:
    return updateRange<1>(rule, clip, parameter, gradient, state, n);
  case 2:
    return updateRange<2>(rule, clip, parameter, gradient, state, n);
  default:
    return updateRange<3>(rule, clip, parameter, gradient, state, n);
  }
}

} // namespace

int UpdateRule::states() const {
  switch (kind) {
  case OptimizerKind::sgd:
    return momentum != 0;
  case OptimizerKind::adam:
  case OptimizerKind::adamw:
    return 2 + amsgrad;
  case OptimizerKind::rmsprop:
    return 1 + (momentum > 0) + centered;
  case OptimizerKind::adagrad:
    return 1;
  }
  return 0;
}

UpdateConstants kernels::prepareUpdate(const UpdateRule &rule,
                                       const UpdateStep &step) {
  UpdateConstants c;
  c.rule = rule;
  c.first = step.applied == 0;
  c.inverseScale = static_cast<float>(1.0 / static_cast<double>(step.scale));
  c.clipFactor = std::min(1.0f, step.clip / (step.norm + 1e-6f));
  c.clipValue = step.clip;
  double lr = step.lr, number = static_cast<double>(step.applied) + 1;
  double rate = lr, root = 1;
  switch (rule.kind) {
  case OptimizerKind::adam:
  case OptimizerKind::adamw:
    rate = lr / (1 - std::pow(rule.beta1, number));
    root = std::sqrt(1 - std::pow(rule.beta2, number));
    break;
  case OptimizerKind::adagrad:
    rate = lr / (1 + (number - 1) * rule.lrDecay);
    break;
  default:
    break;
  }
  c.rate = static_cast<float>(-rate);
  c.root = static_cast<float>(root);
  c.decay = static_cast<float>(rule.kind == OptimizerKind::adamw
                                   ? 1 - lr * rule.weightDecay
                                   : rule.weightDecay);
  return c;
}

void kernels::updateChunk(const UpdateConstants &c, const UpdateTensor &tensor,
                          int64_t offset, int64_t n) {
  float *state[kMaxStates];
  int states = c.rule.states();
  for (int i = 0; i < states; ++i)
    state[i] = tensor.states[i] + offset;
  float *parameter = tensor.parameter + offset;
  const float *gradient = tensor.gradient + offset;
  auto clipped = [&](const auto &rule) {
    switch (c.rule.clip) {
    case ClipMode::none:
      return updateWith(rule, Gradient<ClipMode::none>(c), states, parameter,
                        gradient, state, n);
    case ClipMode::norm:
      return updateWith(rule, Gradient<ClipMode::norm>(c), states, parameter,
                        gradient, state, n);
    case ClipMode::value:
      return updateWith(rule, Gradient<ClipMode::value>(c), states, parameter,
                        gradient, state, n);
    }
  };
  switch (c.rule.kind) {
  case OptimizerKind::sgd:
    return clipped(Sgd(c));
  case OptimizerKind::adam:
  case OptimizerKind::adamw:
    return clipped(Adam(c));
  case OptimizerKind::rmsprop:
    return clipped(RmsProp(c));
  case OptimizerKind::adagrad:
    return clipped(Adagrad(c));
  }
}
