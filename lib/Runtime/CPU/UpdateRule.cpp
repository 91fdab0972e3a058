//===- UpdateRule.cpp - The optimizer of an update launch -----------------===//
//
// Reads and checks the attributes of `update`.
//
//===----------------------------------------------------------------------===//

#include "UpdatePasses.h"
#include <array>
#include <cmath>
#include <fmt/format.h>

using namespace amp;
using namespace amp::runtime;
using kernels::OptimizerKind;
using kernels::UpdateRule;

static OptimizerKind kindOf(const BuiltinCall &call) {
  constexpr std::array<std::pair<const char *, OptimizerKind>, 10> kinds{
      {{"sgd", OptimizerKind::sgd},
       {"adam", OptimizerKind::adam},
       {"adamw", OptimizerKind::adamw},
       {"rmsprop", OptimizerKind::rmsprop},
       {"adagrad", OptimizerKind::adagrad},
       {"lamb", OptimizerKind::lamb},
       {"adafactor", OptimizerKind::adafactor},
       {"lion", OptimizerKind::lion},
       {"nadam", OptimizerKind::nadam},
       {"radam", OptimizerKind::radam}}};
  std::string name = call.attrs.text("kind"), known;
  for (auto [text, kind] : kinds) {
    if (name == text)
      return kind;
    known += (known.empty() ? "" : ", ") + std::string(text);
  }
  call.fail(fmt::format("kind is '{}', expected one of {}", name, known));
}

UpdateRule amp::runtime::readUpdateRule(const BuiltinCall &call) {
  UpdateRule rule = UpdateRule::of(kindOf(call));
  auto number = [&](const char *name, double &value, bool upToOne) {
    value = call.attrs.number(name, value);
    if (!(value >= 0) || std::isinf(value) || (upToOne && value >= 1))
      call.fail(fmt::format("{} is {}, expected {}", name, value,
                            upToOne ? "a number from 0 to below 1"
                                    : "a finite number of at least 0"));
  };
  auto flag = [&](const char *name, bool &value) {
    double given = call.attrs.number(name, value ? 1.0 : 0.0);
    if (given != 0 && given != 1)
      call.fail(fmt::format("{} is {}, expected 0 or 1", name, given));
    value = given != 0;
  };
  number("momentum", rule.momentum, false);
  number("weight_decay", rule.weightDecay, false);
  number("beta1", rule.beta1, true);
  number("beta2", rule.beta2, true);
  number("eps", rule.eps, false);
  number("eps2", rule.eps2, false);
  number("alpha", rule.alpha, false);
  number("lr_decay", rule.lrDecay, false);
  number("momentum_decay", rule.momentumDecay, false);
  rule.beta2Decay = call.attrs.number("beta2_decay", rule.beta2Decay);
  call.require(std::isfinite(rule.beta2Decay) && rule.beta2Decay <= 0,
               "beta2_decay must be finite and not above 0");
  rule.updateBound = call.attrs.number("d", rule.updateBound);
  call.require(std::isfinite(rule.updateBound) && rule.updateBound >= 1,
               "d must be finite and at least 1");
  rule.dampening = call.attrs.number("dampening", 0.0);
  call.require(std::isfinite(rule.dampening), "dampening is not finite");
  flag("nesterov", rule.nesterov);
  flag("amsgrad", rule.amsgrad);
  flag("centered", rule.centered);
  flag("decoupled_weight_decay", rule.decoupled);
  flag("bias_correction", rule.biasCorrection);
  call.require(!rule.nesterov || (rule.momentum > 0 && rule.dampening == 0),
               "nesterov needs a momentum and no dampening");
  int64_t clip = call.attrs.integer("clip_mode", 0);
  call.require(clip >= 0 && clip <= 2, "clip_mode must be 0, 1 or 2");
  rule.clip = static_cast<kernels::ClipMode>(clip);
  return rule;
}

std::vector<int64_t> amp::runtime::stateDims(const UpdateRule &rule, int state,
                                             const std::vector<int64_t> &dims) {
  if (rule.kind == OptimizerKind::nadam && state == 2)
    return {};
  std::vector<int64_t> result = dims;
  if (rule.kind == OptimizerKind::adafactor && dims.size() > 1)
    result[dims.size() - 1 - state] = 1;
  return result;
}
