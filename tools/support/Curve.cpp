//===- Curve.cpp - A training run as numbers ------------------------------===//

#include "Curve.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace amp {

using runtime::ExitCode;

Curve trainCurve(std::shared_ptr<const runtime::Package> package,
                 runtime::Options options, runtime::RunHooks hooks) {
  Curve curve;
  options.maxBadSteps = 0;
  options.abortAfterSkips = 0;
  runtime::PackageInfo info(package->get());
  runtime::checkRates(options, info);
  auto then = std::move(hooks.onStep);
  hooks.onStep = [&](const runtime::StepRecord &record) {
    curve.steps.push_back(record);
    if (then)
      then(record);
  };
  runtime::Session session(package, options.session);
  try {
    runtime::TrainingRun(session, options, std::move(hooks)).run();
  } catch (const runtime::Error &error) {
    if (error.code() != ExitCode::Diverged || curve.steps.empty())
      throw;
    curve.problem = error.what();
  }
  return curve;
}

double relativeGap(double a, double b) {
  if (a == b)
    return 0;
  double gap = std::abs(a - b) / std::abs(b);
  return std::isfinite(gap) ? gap : HUGE_VAL;
}

double meanGap(const Curve &curve, const Curve &reference, StepNumber number) {
  size_t count = reference.steps.size();
  if (curve.steps.size() < count)
    return HUGE_VAL;
  double sum = 0;
  for (size_t i = count / 2; i < count; ++i)
    sum += relativeGap(curve.steps[i].*number, reference.steps[i].*number);
  return count ? sum / double(count - count / 2) : 0;
}

std::string percent(double gap) {
  return std::isfinite(gap) ? fmt::format("{:.3g} %", 100 * gap)
                            : std::string("inf");
}

double parseTolerance(const std::string &text, const std::string &option) {
  bool isPercent = !text.empty() && text.back() == '%';
  double value = runtime::parseNumber(
      isPercent ? text.substr(0, text.size() - 1) : text, option);
  if (value < 0)
    throw runtime::Error(
        ExitCode::Usage,
        fmt::format("{} must be at least 0, not '{}'", option, text));
  return isPercent ? value / 100 : value;
}

} // namespace amp
