//===- Compare.cpp - Results against a reference --------------------------===//

#include "Compare.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace amp {

/// bf16 has 8 and f16 has 11 bits of mantissa; a network of some depth loses
/// about three of them, float32 sums in another order about ten of 24.
static constexpr struct {
  const char *precision;
  Tolerance tolerance;
} kTolerances[] = {{"fp32", {1e-4, 1e-6}},
                   {"tf32", {1e-4, 1e-6}},
                   {"bf16", {5e-2, 1e-2}},
                   {"fp16", {1e-2, 2e-3}}};

Tolerance toleranceOf(const std::string &precision) {
  for (const auto &row : kTolerances)
    if (precision == row.precision)
      return row.tolerance;
  return kTolerances[0].tolerance;
}

std::string toleranceHelp() {
  std::string text;
  for (const auto &row : kTolerances)
    text += fmt::format("{}{} {:g}/{:g}", text.empty() ? "" : ", ",
                        row.precision, row.tolerance.rtol, row.tolerance.atol);
  return text + "\n(rtol/atol)";
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
                const runtime::ArrayMap &reference, Tolerance tolerance) {
  size_t width = 4;
  std::map<std::string, const NamedTensor *> byName;
  for (const NamedTensor &tensor : got) {
    byName[tensor.name] = &tensor;
    width = std::max(width, tensor.name.size());
  }
  for (const auto &[name, array] : reference)
    width = std::max(width, name.size());
  size_t good = 0, bad = 0, extra = 0;
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
    Difference d =
        compare(numbersOf(tensor), numbersOf(found->second), tolerance);
    ++(d.ok() ? good : bad);
    std::string verdict = "ok";
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
      fmt::print("{:<{}}  {:>34}  FAILED: not in the results\n", name, width,
                 "");
    }
  fmt::print("{} ok, {} failed, {} not in the reference (rtol {:g}, atol "
             "{:g})\n",
             good, bad, extra, tolerance.rtol, tolerance.atol);
  return bad == 0 && good > 0;
}

} // namespace amp
