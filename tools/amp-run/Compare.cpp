//===- Compare.cpp - Results against a reference --------------------------===//

#include "Compare.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <set>

namespace amp {

Tolerance ToleranceChoice::of(const NamedTensor &result,
                              const Numbers &reference) const {
  double squares = 0;
  size_t finite = 0;
  for (double value : reference.values)
    if (std::isfinite(value)) {
      squares += value * value;
      ++finite;
    }
  double rms = finite ? std::sqrt(squares / double(finite)) : 0;
  Tolerance tolerance = toleranceOf(precision, result.cls, rms);
  tolerance.rtol = rtol.value_or(tolerance.rtol);
  tolerance.atol = atol.value_or(tolerance.atol);
  return tolerance;
}

/// Three digits, never less than the value.
static std::string roundedUp(double value) {
  if (!(value > 0) || !std::isfinite(value))
    return fmt::format("{:g}", value);
  double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
  std::string text = fmt::format("{:.2e}", value);
  for (int i = 1; std::strtod(text.c_str(), nullptr) < value; ++i)
    text = fmt::format("{:.2e}", value + i * unit / 2);
  return text;
}

static const char *kindName(NumberKind kind) {
  switch (kind) {
  case NumberKind::Bool:
    return "bools";
  case NumberKind::Integer:
    return "integers";
  case NumberKind::Float:
    return "floats";
  }
  return "";
}

Difference compare(const Numbers &got, const Numbers &reference,
                   Tolerance tolerance) {
  Difference difference;
  if (got.kind != reference.kind)
    difference.misfit =
        fmt::format("{}, the reference has {}", kindName(got.kind),
                    kindName(reference.kind));
  else if (got.dims != reference.dims)
    difference.misfit = fmt::format("shape {}, the reference has {}",
                                    runtime::shapeText(got.dims),
                                    runtime::shapeText(reference.dims));
  if (!difference.misfit.empty())
    return difference;
  double square = 0, norm = 0;
  for (size_t i = 0; i < got.values.size(); ++i) {
    double a = got.values[i], b = reference.values[i];
    if (a == b || (std::isnan(a) && std::isnan(b))) {
      if (std::isfinite(b))
        norm += b * b;
      continue;
    }
    double distance = std::abs(a - b);
    // NaN or infinity on one side only.
    if (!std::isfinite(distance))
      distance = INFINITY;
    difference.needed = std::max(
        difference.needed,
        std::isfinite(distance) ? distance / (1 + std::abs(b)) : distance);
    square += distance * distance;
    norm += b * b;
    difference.maxAbs = std::max(difference.maxAbs, distance);
    if (b != 0)
      difference.maxRel =
          std::max(difference.maxRel,
                   std::isfinite(distance) ? distance / std::abs(b) : distance);
    if (!(distance <= tolerance.atol + tolerance.rtol * std::abs(b)) ||
        !std::isfinite(distance))
      ++difference.wrong;
  }
  if (square > 0)
    difference.l2Rel = norm > 0 ? std::sqrt(square / norm) : INFINITY;
  if (std::isnan(difference.l2Rel))
    difference.l2Rel = INFINITY;
  return difference;
}

bool compareAll(const std::vector<NamedTensor> &got,
                const runtime::ArrayMap &reference,
                const ToleranceChoice &choice) {
  size_t width = 4;
  std::map<std::string, const NamedTensor *> byName;
  for (const NamedTensor &tensor : got) {
    byName[tensor.name] = &tensor;
    width = std::max(width, tensor.name.size());
  }
  for (const auto &[name, array] : reference)
    width = std::max(width, name.size());
  size_t good = 0, bad = 0, extra = 0;
  double needed = 0;
  bool misfits = false;
  fmt::print("{:<{}}  {:>10}  {:>10}  {:>10}\n", "name", width, "max abs",
             "max rel", "l2 rel");
  for (const NamedTensor &tensor : got) {
    auto found = reference.find(tensor.name);
    if (found == reference.end()) {
      ++extra;
      fmt::print("{:<{}}  {:>34}  not in the reference\n", tensor.name, width,
                 "");
      continue;
    }
    Numbers wanted = numbersOf(found->second);
    Difference d =
        compare(numbersOf(tensor), wanted, choice.of(tensor, wanted));
    needed = std::max(needed, d.needed);
    misfits |= !d.misfit.empty();
    ++(d.ok() ? good : bad);
    std::string verdict = "ok";
    if (tensor.cls != OpClass::Elementwise)
      verdict += fmt::format(" ({})", nameOf(tensor.cls));
    if (!d.misfit.empty())
      verdict = "FAILED: " + d.misfit;
    else if (!d.ok())
      verdict =
          fmt::format("FAILED: {} of {}", d.wrong, found->second.elements());
    fmt::print("{:<{}}  {:>10.3e}  {:>10.3e}  {:>10.3e}  {}\n", tensor.name,
               width, d.maxAbs, d.maxRel, d.l2Rel, verdict);
  }
  for (const auto &[name, array] : reference)
    if (!byName.count(name)) {
      ++bad;
      misfits = true;
      fmt::print("{:<{}}  {:>34}  FAILED: not in the results\n", name, width,
                 "");
    }
  Tolerance base = toleranceOf(choice.precision, OpClass::Elementwise, 0);
  fmt::print("{} ok, {} failed, {} not in the reference (rtol {:g}, atol "
             "{:g})\n",
             good, bad, extra, choice.rtol.value_or(base.rtol),
             choice.atol.value_or(base.atol));
  if (misfits || !std::isfinite(needed))
    fmt::print("no tolerance would pass\n");
  else if (good + bad)
    fmt::print("smallest that would pass: --tolerance {}\n", roundedUp(needed));
  return bad == 0 && good > 0;
}

} // namespace amp
