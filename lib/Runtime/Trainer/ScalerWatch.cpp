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
    : session(session), info(info), badLimit(options.maxBadSteps),
      fromCommandLine(options.abortAfterSkips.has_value()),
      scales(find("amp.loss_scale")), hysteresis(find("amp.hysteresis")) {
  abortAfter = options.abortAfterSkips.value_or(
      int64_t(info.number("scaler.abort_after", 0)));
}

std::vector<ScalerWatch::Part>
ScalerWatch::find(const std::string &stem) const {
  std::vector<Part> parts;
  const auto *variables = session.package().get().variables();
  for (unsigned i = 0; variables && i < variables->size(); ++i) {
    std::string name = variables->Get(i)->name()->str();
    if (name == stem)
      parts.push_back({int(i), ""});
    else if (name.rfind(stem + ".", 0) == 0)
      parts.push_back({int(i), name.substr(stem.size() + 1)});
  }
  return parts;
}

template <typename T>
T ScalerWatch::read(const Part &part) const {
  std::vector<char> bytes = session.readVariable(part.index);
  T value = 0;
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof(value)));
  return value;
}

std::optional<float> ScalerWatch::minimumReached() const {
  for (const Part &part : scales) {
    std::string key =
        "scaler.min_scale" + (part.name.empty() ? "" : "." + part.name);
    double least = info.number(key.c_str(), 0);
    if (least > 0 && read<float>(part) <= least)
      return static_cast<float>(least);
  }
  return std::nullopt;
}

void ScalerWatch::start() {
  inARow = atFloor = 0;
  for (const Part &part : find("amp.bad_steps"))
    inARow = std::max<int64_t>(inARow, read<int32_t>(part));
  floor = minimumReached();
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
  if (!scales.empty() && !scales.front().name.empty()) {
    std::string text = "loss scale";
    for (const Part &part : scales)
      text +=
          fmt::format("{} {:g} for '{}'", &part == &scales.front() ? "" : ",",
                      read<float>(part), part.name);
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
  std::optional<float> before = floor;
  floor = minimumReached();
  if (!record.foundInf) {
    inARow = atFloor = 0;
    return;
  }
  ++inARow;
  atFloor += before.has_value();
  if (floor && !warned) {
    warned = true;
    warn(fmt::format("the loss scale has come down to its minimum {:g} at step "
                     "{}; if steps are skipped at it, gradients overflow by "
                     "themselves: compile with a lower min_scale, or look at "
                     "the model",
                     *floor, record.step));
  }

  auto diverged = [&](const std::string &why) {
    std::string text = fmt::format("training diverged: {}; {}", why, history());
    if (std::string found = diagnose(); !found.empty())
      text += "; " + found;
    throw Error(ExitCode::Diverged, text);
  };
  bool gaveUp = false;
  for (const Part &part : hysteresis)
    gaveUp |= read<int32_t>(part) == 0;
  if (abortAfter > 0 && inARow >= abortAfter)
    diverged(fmt::format("{} steps in a row were skipped, up to step {} ({})",
                         inARow, record.step,
                         fromCommandLine ? "--abort-after-skips"
                                         : "abort_after of the loss scaler"));
  if (gaveUp)
    diverged(fmt::format("gradients are not finite at step {} and the loss "
                         "scale is at its minimum {:g} already (error_at_min)",
                         record.step, floor.value_or(0)));
  if (badLimit == 0)
    return;
  if (before && atFloor >= badLimit)
    diverged(fmt::format("{} steps were skipped at the minimal loss scale "
                         "{:g}, up to step {} (--max-bad-steps)",
                         atFloor, *before, record.step));
  if (record.lossScale < kHopeless || !std::isfinite(record.lossScale))
    diverged(fmt::format("gradients are not finite at loss scale {:g}, step {}",
                         record.lossScale, record.step));
}
