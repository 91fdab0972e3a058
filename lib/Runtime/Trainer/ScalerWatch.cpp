//===- ScalerWatch.cpp - When skipped steps end a run ---------------------===//

#include "amp/Runtime/Trainer/ScalerWatch.h"
#include "amp/Runtime/Error.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

using namespace amp::runtime;

namespace {

/// Changes of the scale that a message tells, the first one apart.
constexpr size_t kChangesTold = 7;

/// No gradient that overflows at such a scale will ever be finite.
constexpr float kHopeless = 1e-30f;

} // namespace

ScalerWatch::ScalerWatch(const Session &session, const PackageInfo &info,
                         const Options &options)
    : session(session), badLimit(options.maxBadSteps),
      ownLimit(options.abortAfterSkips) {
  const auto *variables = session.package().get().variables();
  auto find = [&](const std::string &name) {
    return session.package().findVariable(name);
  };
  const std::string stem = "amp.loss_scale";
  for (unsigned i = 0; variables && i < variables->size(); ++i) {
    std::string name = variables->Get(i)->name()->str();
    bool shared = name == stem;
    if (!shared && name.rfind(stem + ".", 0) != 0)
      continue;
    Scaler scaler;
    std::string suffix = name.substr(stem.size());
    scaler.name = shared ? "" : suffix.substr(1);
    scaler.scale = int(i);
    scaler.hysteresis = find("amp.hysteresis" + suffix);
    scaler.overflows = find("amp.bad_steps" + suffix);
    scaler.least = info.number(("scaler.min_scale" + suffix).c_str(), 0);
    scaler.abortAfter =
        int64_t(info.number(("scaler.abort_after" + suffix).c_str(), 0));
    scalers.push_back(scaler);
  }
}

template <typename T>
T ScalerWatch::read(int variable) const {
  std::vector<char> bytes = session.readVariable(variable);
  T value = 0;
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof(value)));
  return value;
}

bool ScalerWatch::isAtFloor(const Scaler &scaler) const {
  return scaler.least > 0 && read<float>(scaler.scale) <= scaler.least;
}

void ScalerWatch::start() {
  inARow = 0;
  for (Scaler &scaler : scalers) {
    if (scaler.overflows >= 0)
      inARow = std::max<int64_t>(inARow, read<int32_t>(scaler.overflows));
    scaler.atFloor = 0;
    scaler.floor = isAtFloor(scaler);
  }
}

void ScalerWatch::note(int64_t step, float scale) {
  if (first.step < 0)
    first = {step, scale};
  bool same =
      changes.empty() ? scale == first.scale : scale == changes.back().scale;
  if (same)
    return;
  if (changes.size() == kChangesTold)
    changes.erase(changes.begin());
  changes.push_back({step, scale});
}

std::string ScalerWatch::history() const {
  if (!scalers.empty() && !scalers.front().name.empty()) {
    std::string text = "loss scale";
    for (const Scaler &scaler : scalers)
      text += fmt::format("{} {:g} for '{}'",
                          &scaler == &scalers.front() ? "" : ",",
                          read<float>(scaler.scale), scaler.name);
    return text;
  }
  std::string text =
      fmt::format("loss scale {:g} at step {}", first.scale, first.step);
  if (changes.size() == kChangesTold)
    text += ", ..";
  for (const Change &change : changes)
    text += fmt::format(", {:g} at {}", change.scale, change.step);
  return text;
}

void ScalerWatch::step(const StepRecord &record,
                       const std::function<void(const std::string &)> &warn,
                       const std::function<std::string()> &diagnose) {
  note(record.step, record.lossScale);
  auto diverged = [&](const std::string &why) {
    std::string text = fmt::format("training diverged: {}; {}", why, history());
    if (std::string found = diagnose(); !found.empty())
      text += "; " + found;
    throw Error(ExitCode::Diverged, text);
  };
  inARow = record.foundInf ? inARow + 1 : 0;
  if (ownLimit && *ownLimit > 0 && inARow >= *ownLimit)
    diverged(fmt::format("{} steps in a row were skipped, up to step {} "
                         "(--abort-after-skips)",
                         inARow, record.step));
  for (Scaler &scaler : scalers)
    look(scaler, record, warn, diverged);
}

void ScalerWatch::look(
    Scaler &scaler, const StepRecord &record,
    const std::function<void(const std::string &)> &warn,
    const std::function<void(const std::string &)> &diverged) {
  std::string of =
      scaler.name.empty() ? "" : fmt::format(" of the loss '{}'", scaler.name);
  bool before = scaler.floor;
  scaler.floor = isAtFloor(scaler);
  // Of several scalers only those whose gradients overflowed took part; a
  // static one does not count, and has the steps that were skipped.
  int64_t overflows =
      scaler.overflows < 0 ? inARow : read<int32_t>(scaler.overflows);
  if (!record.foundInf || overflows == 0) {
    scaler.atFloor = 0;
    return;
  }
  scaler.atFloor += before;
  if (scaler.floor && !scaler.warned) {
    scaler.warned = true;
    warn(fmt::format("the loss scale{} has come down to its minimum {:g} at "
                     "step {}; if steps are skipped at it, gradients overflow "
                     "by themselves: compile with a lower min_scale, or look "
                     "at the model",
                     of, scaler.least, record.step));
  }
  if (!ownLimit && scaler.abortAfter > 0 && overflows >= scaler.abortAfter)
    diverged(fmt::format("{} steps in a row were skipped, up to step {} "
                         "(abort_after of the loss scaler{})",
                         overflows, record.step, of));
  if (scaler.hysteresis >= 0 && read<int32_t>(scaler.hysteresis) == 0)
    diverged(fmt::format("gradients are not finite at step {} and the loss "
                         "scale{} is at its minimum {:g} already "
                         "(error_at_min)",
                         record.step, of, scaler.least));
  if (badLimit != 0 && before && scaler.atFloor >= badLimit)
    diverged(fmt::format("{} steps were skipped at the minimal loss scale {:g}"
                         "{}, up to step {} (--max-bad-steps)",
                         scaler.atFloor, scaler.least, of, record.step));
  float scale = record.lossScale;
  for (const auto &[key, value] : record.named)
    if (key == "loss_scale/" + scaler.name)
      scale = value;
  if (badLimit != 0 && (scale < kHopeless || !std::isfinite(scale)))
    diverged(fmt::format("gradients{} are not finite at loss scale {:g}, step "
                         "{}",
                         of, scale, record.step));
}
