//===- Optimizer.cpp - Updates of elements one by one ---------------------===//
//
// The formulas of PyTorch's optimizers in its order of operations (see
// kernels/README.md). Scalars are computed in float64 once per step, elements
// in float32, with one rounding where a product is added to something.
//
//===----------------------------------------------------------------------===//

#include "kernels/cpu/UpdateMath.h"

#include <algorithm>

using namespace amp;
using namespace amp::kernels;

namespace {

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
        eps(splat(c.eps)), mean(1.0 - rule.beta1) {}
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
    V8 denominator = add(div(root(second), root2), eps);
    return add(p, div(mul(rate, state[0]), denominator));
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
        eps(splat(c.eps)), momentum(single(rule.momentum)),
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
    V8 denominator = add(root(square), eps);
    if (rule.momentum > 0) {
      state[1] = add(mul(state[1], momentum), div(g, denominator));
      return fma(rate, state[1], p);
    }
    return add(p, div(mul(rate, g), denominator));
  }
  const UpdateRule &rule;
  V8 decay, rate, alpha, rest, eps, momentum;
  Lerp mean;
};

struct Adagrad {
  explicit Adagrad(const UpdateConstants &c)
      : rule(c.rule), decay(splat(c.decay)), rate(splat(c.rate)),
        eps(splat(c.eps)) {}
  V8 operator()(V8 p, V8 g, V8 *state) const {
    if (rule.weightDecay != 0)
      g = fma(decay, p, g);
    state[0] = fma(g, g, state[0]);
    V8 denominator = add(root(state[0]), eps);
    return add(p, div(mul(rate, g), denominator));
  }
  const UpdateRule &rule;
  V8 decay, rate, eps;
};

/// p and g after weight decay: of the parameter if decoupled, else of the
/// gradient.
struct Decay {
  Decay(const UpdateConstants &c, bool decoupled)
      : used(c.rule.weightDecay != 0), decoupled(decoupled),
        factor(splat(c.decay)) {}
  void operator()(V8 &p, V8 &g) const {
    if (!used)
      return;
    if (decoupled)
      p = mul(p, factor);
    else
      g = fma(factor, p, g);
  }
  bool used, decoupled;
  V8 factor;
};

struct Lion {
  explicit Lion(const UpdateConstants &c)
      : decay(c, true), rate(splat(c.rate)), beta1(single(c.rule.beta1)),
        rest1(single(1.0 - c.rule.beta1)), beta2(single(c.rule.beta2)),
        rest2(single(1.0 - c.rule.beta2)) {}
  V8 operator()(V8 p, V8 g, V8 *state) const {
    decay(p, g);
    V8 mix = fma(rest1, g, mul(state[0], beta1));
    // The rate with the sign of the mix; nothing where the mix is 0.
    V8 sign = _mm256_and_ps(mix, splat(-0.0f));
    V8 zero = _mm256_cmp_ps(mix, splat(0), _CMP_EQ_OQ);
    V8 change = _mm256_andnot_ps(zero, _mm256_xor_ps(rate, sign));
    state[0] = fma(rest2, g, mul(state[0], beta2));
    return add(p, change);
  }
  Decay decay;
  V8 rate, beta1, rest1, beta2, rest2;
};

/// First and second moment, as adam has them.
struct Moments {
  explicit Moments(const UpdateConstants &c)
      : mean(1.0 - c.rule.beta1), beta2(single(c.rule.beta2)),
        rest2(single(1.0 - c.rule.beta2)) {}
  void operator()(V8 g, V8 *state) const {
    state[0] = mean(state[0], g);
    state[1] = fma(mul(rest2, g), g, mul(state[1], beta2));
  }
  Lerp mean;
  V8 beta2, rest2;
};

struct NAdam {
  explicit NAdam(const UpdateConstants &c)
      : decay(c, c.rule.decoupled), moments(c), rate(splat(c.rate)),
        now(splat(c.rateNow)), correction(splat(c.correction2)),
        eps(splat(c.eps)) {}
  V8 operator()(V8 p, V8 g, V8 *state) const {
    decay(p, g);
    moments(g, state);
    V8 denominator = add(root(div(state[1], correction)), eps);
    p = add(p, div(mul(now, g), denominator));
    return add(p, div(mul(rate, state[0]), denominator));
  }
  Decay decay;
  Moments moments;
  V8 rate, now, correction, eps;
};

struct RAdam {
  explicit RAdam(const UpdateConstants &c)
      : decay(c, c.rule.decoupled), moments(c), adaptive(c.rectification > 0),
        rate(splat(c.rate)), correction(splat(c.correction1)),
        root2(splat(c.root)), rectification(splat(c.rectification)),
        eps(splat(c.eps)) {}
  V8 operator()(V8 p, V8 g, V8 *state) const {
    decay(p, g);
    moments(g, state);
    V8 change = mul(div(state[0], correction), rate);
    if (adaptive)
      change =
          mul(mul(change, div(root2, add(root(state[1]), eps))), rectification);
    return add(p, change);
  }
  Decay decay;
  Moments moments;
  bool adaptive;
  V8 rate, correction, root2, rectification, eps;
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

void kernels::updateChunk(const UpdateConstants &c, const UpdateTensor &tensor,
                          int64_t offset, int64_t n) {
  int states = c.rule.elementStates();
  auto over = [&](float *parameter, const float *gradient, float *const *state,
                  int64_t length) {
    auto clipped = [&](const auto &rule) {
      withClipping(c, [&](const auto &clip) {
        updateWith(rule, clip, states, parameter, gradient, state, length);
      });
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
    case OptimizerKind::lion:
      return clipped(Lion(c));
    case OptimizerKind::nadam:
      return clipped(NAdam(c));
    case OptimizerKind::radam:
      return clipped(RAdam(c));
    case OptimizerKind::lamb:
    case OptimizerKind::adafactor:
      return; // these come in passes of their own
    }
  };
  float *state[kMaxStates] = {};
  if (tensor.isFloat32(states)) {
    for (int i = 0; i < states; ++i)
      state[i] = static_cast<float *>(tensor.states[i]) + offset;
    return over(static_cast<float *>(tensor.parameter) + offset,
                tensor.gradient + offset, state, n);
  }
  float parameter[kUpdateBlock], wide[kMaxStates][kUpdateBlock];
  for (int i = 0; i < states; ++i)
    state[i] = wide[i];
  for (int64_t end = offset + n; offset < end; offset += kUpdateBlock) {
    int64_t length = std::min(kUpdateBlock, end - offset);
    loadParameter(tensor, offset, parameter, length);
    for (int i = 0; i < states; ++i)
      loadState(tensor, i, offset, wide[i], length);
    over(parameter, tensor.gradient + offset, state, length);
    for (int i = 0; i < states; ++i)
      storeState(c, tensor, i, offset, wide[i], length);
    storeParameter(c, tensor, offset, parameter, length);
  }
}
