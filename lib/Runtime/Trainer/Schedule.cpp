//===- Schedule.cpp - Learning-rate schedule as the step wants it ---------===//
//
// KIND[,key=value..] with errors that list what is known.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Schedule.h"
#include "amp/Runtime/Error.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <set>
#include <vector>

using namespace amp::runtime;

static std::optional<double> readDouble(const std::string &text) {
  double value = 0;
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || !std::isfinite(value))
    return std::nullopt;
  return value;
}

double amp::runtime::parseNumber(const std::string &text,
                                 const std::string &what) {
  size_t slash = text.find('/');
  std::optional<double> value = readDouble(text.substr(0, slash));
  if (value && slash != std::string::npos) {
    std::optional<double> divisor = readDouble(text.substr(slash + 1));
    if (!divisor || *divisor == 0)
      value.reset();
    else
      *value /= *divisor;
  }
  if (!value)
    throw Error(ExitCode::Usage,
                fmt::format("{} must be a number, not '{}'", what, text));
  return *value;
}

int64_t amp::runtime::parseInteger(const std::string &text,
                                   const std::string &what, int64_t lowest,
                                   int64_t highest) {
  int64_t value = 0;
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && rest == end && value >= lowest &&
      value <= highest)
    return value;
  std::string range = highest == std::numeric_limits<int64_t>::max()
                          ? fmt::format("{} or more", lowest)
                          : fmt::format("{} to {}", lowest, highest);
  throw Error(ExitCode::Usage, fmt::format("{} must be an integer, {}, not "
                                           "'{}'",
                                           what, range, text));
}

Schedule Schedule::parse(const std::string &text) {
  Schedule schedule;
  constexpr int64_t most = int64_t(1) << 40;
  size_t comma = std::min(text.find(','), text.size());
  std::string kind = text.substr(0, comma);
  std::vector<std::string> known = {"warmup"};
  if (kind == "constant") {
    schedule.kind = Kind::Constant;
  } else if (kind == "step") {
    schedule.kind = Kind::Step;
    known.insert(known.end(), {"period", "gamma"});
  } else if (kind == "cosine" || kind == "linear") {
    schedule.kind = kind == "cosine" ? Kind::Cosine : Kind::Linear;
    known.insert(known.end(), {"total", "min"});
  } else {
    throw Error(ExitCode::Usage,
                fmt::format("--lr-schedule '{}' is unknown, expected constant, "
                            "step, cosine or linear",
                            kind));
  }
  std::set<std::string> given;
  while (comma < text.size()) {
    size_t start = comma + 1;
    comma = std::min(text.find(',', start), text.size());
    std::string piece = text.substr(start, comma - start);
    size_t equal = std::min(piece.find('='), piece.size());
    std::string key = piece.substr(0, equal);
    std::string value = equal < piece.size() ? piece.substr(equal + 1) : "";
    std::string what = fmt::format("--lr-schedule {}: {}", kind, key);
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw Error(ExitCode::Usage,
                  fmt::format("--lr-schedule {} has no key '{}', it has {}",
                              kind, key, fmt::join(known, ", ")));
    if (!given.insert(key).second)
      throw Error(ExitCode::Usage, what + " is given twice");
    if (key == "warmup")
      schedule.warmup = parseInteger(value, what, 0, most);
    else if (key == "period")
      schedule.period = parseInteger(value, what, 1, most);
    else if (key == "total")
      schedule.total = parseInteger(value, what, 1, most);
    else if (key == "gamma")
      schedule.gamma = parseNumber(value, what);
    else
      schedule.minimum = parseNumber(value, what);
    if (std::min(schedule.minimum, schedule.gamma) < 0)
      throw Error(ExitCode::Usage,
                  fmt::format("{} must be at least 0, not '{}'", what, value));
  }
  if (schedule.kind == Kind::Step && schedule.period == 0)
    throw Error(ExitCode::Usage, "--lr-schedule step needs period=N");
  return schedule;
}

std::array<float, 8> Schedule::encode(double baseRate,
                                      int64_t plannedSteps) const {
  return {float(kind),    float(baseRate),
          float(warmup),  float(period),
          float(gamma),   float(total ? total : plannedSteps),
          float(minimum), 0.0f};
}
