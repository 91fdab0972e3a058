//===- Report.cpp - The result of a search, for people and programs -------===//

#include "Bisection.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace amp {

std::string BisectReport::text(const BisectOptions &options) const {
  const char *start = options.allLow ? "everything low" : "as the policy says";
  std::string before =
      fmt::format("{} {} ({}), tolerance {}", options.metricName,
                  percent(lowGap), start, options.toleranceText);
  if (!search.passes && search.exhausted)
    return fmt::format("{}: no set was found in {} runs (--max-runs)\n", before,
                       runs);
  if (onlyStrict)
    return fmt::format(
        "{}: {} nodes in float32 pass where every op is rounded, "
        "but the program without that has {} ({} runs); the "
        "runs may be too sensitive for this metric: fewer "
        "--steps, a lower --lr or --start policy\n",
        before, kept.size(), percent(finalGap), runs);
  if (!search.passes)
    return fmt::format("{}: no set of nodes makes it pass; with all {} in "
                       "float32 it is still beyond ({} runs)\n",
                       before, candidates, runs);
  if (kept.empty())
    return fmt::format("{}: it passes, no node has to stay float32 ({} runs)\n",
                       before, runs);
  std::string text =
      fmt::format("{}\n{} of {} nodes have to stay float32{}, "
                  "then {} ({} runs):\n",
                  before, kept.size(), nodes, search.minimal ? "" : " at most",
                  percent(finalGap), runs);
  size_t width = 0;
  for (const KeptNode &node : kept)
    width = std::max(width, node.name.size());
  for (const KeptNode &node : kept)
    text += fmt::format("  {:<{}}  {}\n", node.name, width, node.opType);
  if (!search.minimal)
    text += "the runs of --max-runs were used up: fewer may do\n";
  return text;
}

std::string BisectReport::json(const BisectOptions &options) const {
  // JSON has no infinity.
  auto number = [](double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value)
                                : nlohmann::ordered_json("inf");
  };
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const KeptNode &node : kept)
    list.push_back({{"name", node.name}, {"op", node.opType}});
  nlohmann::ordered_json object = {
      {"metric", options.metricName},
      {"tolerance", options.tolerance},
      {"start", options.allLow ? "all-low" : "policy"},
      {"nodes", nodes},
      {"candidates", candidates},
      {"runs", runs},
      {"passes", search.passes},
      {"minimal", search.minimal},
      {"gap_before", number(lowGap)},
      {"gap", number(finalGap)},
      {"fp32", std::move(list)}};
  return object.dump(1) + "\n";
}

} // namespace amp
