//===- ValueSummary.cpp - Every value of a run, summarised ----------------===//

#include "ValueSummary.h"
#include <cmath>
#include <fmt/format.h>

namespace amp {

void SummaryObserver::value(int op, const runtime::BoundTensor &tensor) {
  const std::string &key = current->ops[size_t(op)].key;
  if (key.empty())
    return;
  auto [entry, isNew] = values.try_emplace(key);
  if (isNew)
    order.push_back(key);
  entry->second.stats.add(tensor);
  entry->second.sketch.add(tensor);
  entry->second.type = abi::nameOf(tensor.dtype);
}

double rmsOf(const ValueSummary &summary) {
  auto count = double(summary.sketch.elements());
  return count > 0 ? summary.sketch.norm() / std::sqrt(count) : 0;
}

ValueDistance distanceOf(const ValueSummary &reference,
                         const ValueSummary &other) {
  ValueDistance distance;
  const runtime::ValueSketch &a = reference.sketch, &b = other.sketch;
  if (a.elements() != b.elements() || a.elements() == 0)
    return distance;
  distance.known = true;
  double norm = a.norm();
  distance.relative = norm > 0;
  distance.value = runtime::ValueSketch::distance(a, b) / (norm > 0 ? norm : 1);
  // The sketch takes NaN and inf for 0.
  if (reference.stats.allFinite() && !other.stats.allFinite())
    distance.value = HUGE_VAL;
  return distance;
}

std::string ValueDistance::text() const {
  if (!known)
    return "-";
  return fmt::format("{:.2e}{}", value, relative ? "" : " abs");
}

} // namespace amp
