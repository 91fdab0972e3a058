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
      fromCommandLine(options.abortAfterSkips.has_value()),
      minScale(info.number("scaler.min_scale", 0)) {
  abortAfter = options.abortAfterSkips.value_or(
      int64_t(info.number("scaler.abort_after", 0)));
}

template <typename T>
void ScalerWatch::forEachValue(const std::string &stem,
                               const std::function<void(T)> &visit) const {
  const auto *variables = session.package().get().variables();
  for (unsigned i = 0; variables && i < variables->size(); ++i) {
    std::string name = variables->Get(i)->name()->str();
    if (name != stem && name.rfind(stem + ".", 0) != 0)
      continue;
    std::vector<char> bytes = session.readVariable(int(i));
    T value = 0;
    std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof(value)));
    visit(value);
  }
}

void ScalerWatch::start() {
  inARow = atFloor = 0;
  forEachValue<int32_t>("amp.bad_steps", [&](int32_t bad) {
    inARow = std::max<int64_t>(inARow, bad);
  });
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
  if (!record.foundInf) {
    inARow = atFloor = 0;
    return;
  }
  ++inARow;
  auto diverged = [&](const std::string &why) {
    std::string text = fmt::format("training diverged: {}; {}", why, history());
    if (std::string found = diagnose(); !found.empty())
      text += "; " + found;
    throw Error(ExitCode::Diverged, text);
  };
  bool gaveUp = false, floor = false;
  forEachValue<int32_t>("amp.hysteresis",
                        [&](int32_t left) { gaveUp |= left == 0; });
  forEachValue<float>("amp.loss_scale", [&](float scale) {
    floor |= minScale > 0 && scale <= minScale;
  });
  if (floor && !warned) {
    warned = true;
    warn(fmt::format("the loss scale has come down to its minimum {:g} at step "
                     "{}; if steps are skipped at it, gradients overflow by "
                     "themselves: compile with a lower min_scale, or look at "
                     "the model",
                     minScale, record.step));
  }
  atFloor += minScale > 0 && record.lossScale <= minScale;

  if (abortAfter > 0 && inARow >= abortAfter)
    diverged(fmt::format("{} steps in a row were skipped, up to step {} ({})",
                         inARow, record.step,
                         fromCommandLine ? "--abort-after-skips"
                                         : "abort_after of the loss scaler"));
  if (gaveUp)
    diverged(fmt::format("gradients are not finite at step {} and the loss "
                         "scale is at its minimum {:g} already (error_at_min)",
                         record.step, minScale));
  if (badLimit == 0)
    return;
  if (atFloor >= badLimit)
    diverged(fmt::format("{} steps were skipped at the minimal loss scale "
                         "{:g}, up to step {} (--max-bad-steps)",
                         atFloor, minScale, record.step));
  if (record.lossScale < kHopeless || !std::isfinite(record.lossScale))
    diverged(fmt::format("gradients are not finite at loss scale {:g}, step {}",
                         record.lossScale, record.step));
}
