//===- UpdateRule.cpp - The scalars of an update --------------------------===//
//
// Defaults, state counts, and what is computed in float64 once per step.
//
//===----------------------------------------------------------------------===//

#include "kernels/Update.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace amp;
using namespace amp::kernels;

UpdateRule UpdateRule::of(OptimizerKind kind) {
  UpdateRule rule;
  rule.kind = kind;
  switch (kind) {
  case OptimizerKind::adamw:
    rule.weightDecay = 0.01;
    break;
  case OptimizerKind::adagrad:
    rule.eps = 1e-10;
    break;
  case OptimizerKind::lamb:
    rule.eps = 1e-6;
    rule.weightDecay = 0.01;
    break;
  case OptimizerKind::adafactor:
    rule.eps = std::numeric_limits<float>::epsilon();
    break;
  case OptimizerKind::lion:
    rule.beta2 = 0.99;
    break;
  default:
    break;
  }
  return rule;
}

int UpdateRule::states(int64_t rank) const {
  switch (kind) {
  case OptimizerKind::sgd:
    return momentum != 0;
  case OptimizerKind::adam:
  case OptimizerKind::adamw:
    return 2 + amsgrad;
  case OptimizerKind::rmsprop:
    return 1 + (momentum > 0) + centered;
  case OptimizerKind::adagrad:
  case OptimizerKind::lion:
    return 1;
  case OptimizerKind::lamb:
  case OptimizerKind::radam:
    return 2;
  case OptimizerKind::nadam:
    return 3;
  case OptimizerKind::adafactor:
    return rank > 1 ? 2 : 1;
  }
  return 0;
}

int UpdateRule::elementStates(int64_t rank) const {
  if (kind == OptimizerKind::adafactor)
    return rank > 1 ? 0 : 1;
  return kind == OptimizerKind::nadam ? 2 : states(rank);
}

bool UpdateRule::isSquare(int state) const {
  switch (kind) {
  case OptimizerKind::sgd:
  case OptimizerKind::lion:
    return false;
  case OptimizerKind::adagrad:
  case OptimizerKind::adafactor:
    return true;
  case OptimizerKind::rmsprop:
    return state == 0;
  case OptimizerKind::nadam:
    return state == 1;
  case OptimizerKind::adam:
  case OptimizerKind::adamw:
  case OptimizerKind::lamb:
  case OptimizerKind::radam:
    return state > 0;
  }
  return false;
}

/// nadam's momentum of update number `t`, from 1.
static double momentumOf(const UpdateRule &rule, double t) {
  return rule.beta1 * (1 - 0.5 * std::pow(0.96, t * rule.momentumDecay));
}

float kernels::nextMuProduct(const UpdateRule &rule, int64_t applied,
                             float product) {
  return product *
         static_cast<float>(momentumOf(rule, static_cast<double>(applied) + 1));
}

/// radam's factor for the adaptive step; 0 while there is no variance to
/// speak of.
static double rectificationOf(double beta2, double t) {
  double longest = 2 / (1 - beta2) - 1;
  double power = std::pow(beta2, t);
  double length = longest - 2 * t * power / (1 - power);
  if (!(length > 5))
    return 0;
  return std::sqrt((length - 4) * (length - 2) * longest /
                   ((longest - 4) * (longest - 2) * length));
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
  double rate = lr, correction1 = 1 - std::pow(rule.beta1, number),
         correction2 = 1 - std::pow(rule.beta2, number);
  double root = std::sqrt(correction2);
  bool decoupled = rule.decoupled;
  switch (rule.kind) {
  case OptimizerKind::adamw:
    decoupled = true;
    [[fallthrough]];
  case OptimizerKind::adam:
    rate = lr / correction1;
    break;
  case OptimizerKind::adagrad:
    rate = lr / (1 + (number - 1) * rule.lrDecay);
    break;
  case OptimizerKind::lamb:
    if (!rule.biasCorrection)
      correction1 = root = 1;
    break;
  case OptimizerKind::lion:
    decoupled = true;
    break;
  case OptimizerKind::nadam: {
    double next = momentumOf(rule, number + 1), product = step.muProduct;
    c.rateNow = static_cast<float>(-lr * (1 - momentumOf(rule, number)) /
                                   (1 - product));
    rate = lr * next / (1 - product * next);
    break;
  }
  case OptimizerKind::radam:
    c.rectification = static_cast<float>(rectificationOf(rule.beta2, number));
    break;
  case OptimizerKind::adafactor:
    decoupled = true;
    c.keep = static_cast<float>(std::pow(number, rule.beta2Decay));
    c.relative = std::min(lr, 1 / std::sqrt(number));
    break;
  default:
    break;
  }
  c.rate = static_cast<float>(-rate);
  c.root = static_cast<float>(root);
  c.correction1 = static_cast<float>(correction1);
  c.correction2 = static_cast<float>(correction2);
  c.decay = static_cast<float>(decoupled ? 1 - lr * rule.weightDecay
                                         : rule.weightDecay);
  // An epsilon that float32 would round to zero must still keep 0/0 away.
  c.eps = static_cast<float>(rule.eps);
  if (rule.eps > 0)
    c.eps = std::max(c.eps, std::numeric_limits<float>::denorm_min());
  return c;
}
