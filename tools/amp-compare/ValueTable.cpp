//===- ValueTable.cpp - Which values differ, by class of op ---------------===//

#include "ValueTable.h"
#include <algorithm>
#include <fmt/format.h>

namespace amp {

bool ValueTable::passes() const {
  return std::all_of(classes.begin(), classes.end(),
                     [](const ClassVerdict &one) { return one.beyond == 0; });
}

/// In units of the largest root mean square of the phase: what float32 leaves
/// of sums that are 0, such as the gradient of a bias in front of a batch norm.
static constexpr double kNoise = 1e-6;

ValueTable compareValues(const SummaryObserver &reference,
                         const SummaryObserver &low,
                         const std::string &precision) {
  ValueTable table;
  std::map<OpClass, ClassVerdict> classes;
  // The key ends with the number of the result.
  auto sourceOf = [](const std::string &key) {
    return runtime::SourceName::parse(key.substr(0, key.rfind('|')));
  };
  std::map<std::string, double> largest;
  for (const auto &[key, summary] : reference.values) {
    double &own = largest[sourceOf(key).phase];
    own = std::max(own, rmsOf(summary));
  }
  for (const std::string &key : reference.order) {
    auto found = low.values.find(key);
    if (found == low.values.end())
      continue;
    runtime::SourceName source = sourceOf(key);
    if (source.phase == "update")
      continue;
    ComparedValue value;
    value.key = key;
    value.type = found->second.type;
    value.cls = classOf(source.op, source.phase);
    value.distance = distanceOf(reference.values.at(key), found->second);
    ClassVerdict &verdict = classes[value.cls];
    verdict.cls = value.cls;
    verdict.tolerance = normTolerance(precision, value.cls);
    value.noise =
        !value.distance.relative ||
        rmsOf(reference.values.at(key)) < kNoise * largest[source.phase];
    if (value.distance.known && !value.noise) {
      ++verdict.values;
      value.passes = value.distance.value <= verdict.tolerance;
      verdict.beyond += !value.passes;
      if (value.distance.value >= verdict.needed) {
        verdict.needed = value.distance.value;
        verdict.worst = key;
      }
    }
    table.values.push_back(std::move(value));
  }
  for (auto &[cls, verdict] : classes)
    if (verdict.values)
      table.classes.push_back(verdict);
  return table;
}

std::string valuesText(const ValueTable &table, const std::string &reference,
                       const std::string &precision) {
  std::string text = fmt::format(
      "values of the first step, {} against {}: |x - y| / |x|, an estimate to "
      "about 6 %\n# noise: what rounding left of terms that cancel\n{:<12} "
      "{:>6} {:>7} {:>10} {:>10}  worst\n",
      precision, reference, "class", "values", "beyond", "tolerance", "needed");
  for (const ClassVerdict &one : table.classes)
    text += fmt::format("{:<12} {:>6} {:>7} {:>10.2e} {:>10.2e}  {}\n",
                        nameOf(one.cls), one.values, one.beyond, one.tolerance,
                        one.needed, one.worst);
  std::vector<const ComparedValue *> sorted;
  for (const ComparedValue &value : table.values)
    sorted.push_back(&value);
  auto weight = [](const ComparedValue *value) {
    return value->distance.known && !value->noise ? value->distance.value : -1;
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](auto *a, auto *b) { return weight(a) > weight(b); });
  for (const ComparedValue *value : sorted)
    text += fmt::format("  {:<12} {:<5} {:<7} {}\n", value->distance.text(),
                        value->type,
                        value->noise    ? "noise"
                        : value->passes ? "ok"
                                        : "beyond",
                        value->key);
  return text;
}

} // namespace amp
