//===- ConfigWriter.cpp - A precision config as a file --------------------===//

#include "amp/Transforms/Precision/PolicyConfig.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/YAMLParser.h"
#include "llvm/Support/raw_ostream.h"

using namespace amp;
using llvm::StringRef;

namespace {

/// A double-quoted YAML scalar: whatever is in a name stays text.
std::string quoted(StringRef text) {
  return '"' + llvm::yaml::escape(text, /*EscapePrintable=*/false) + '"';
}

std::string list(const std::vector<std::string> &values) {
  std::string text = "[";
  for (const std::string &value : values)
    text += (text.size() > 1 ? ", " : "") + quoted(value);
  return text + "]";
}

} // namespace

bool PolicyConfig::hasOverrides() const {
  return !(anything.empty() && ops.empty() && nodes.empty() &&
           tensors.empty() && customOps.empty() && regions.empty());
}

bool PolicyConfig::hasLimits() const {
  return initMax || dataMax || maxDepthOfReduction;
}

NodeLimits PolicyConfig::limits(const NodeLimits &preset) const {
  return {initMax.value_or(preset.initMax), dataMax.value_or(preset.dataMax),
          maxDepthOfReduction.value_or(preset.maxDepthOfReduction)};
}

void PolicyConfig::merge(const PolicyConfig &other) {
  if (!other.preset.empty())
    preset = other.preset;
  if (!other.assign.empty())
    assign = other.assign;
  if (other.rangeEvidence)
    rangeEvidence = other.rangeEvidence;
  for (auto limit : {&PolicyConfig::initMax, &PolicyConfig::dataMax,
                     &PolicyConfig::maxDepthOfReduction})
    if (other.*limit)
      this->*limit = other.*limit;
  llvm::append_range(anything, other.anything);
  llvm::append_range(ops, other.ops);
  llvm::append_range(nodes, other.nodes);
  llvm::append_range(tensors, other.tensors);
  llvm::append_range(customOps, other.customOps);
  llvm::append_range(regions, other.regions);
}

std::string amp::printPolicyConfig(const PolicyConfig &config) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (!config.preset.empty())
    out << "preset: " << config.preset << "\n";
  if (!config.assign.empty())
    out << "assign: " << config.assign << "\n";
  if (config.rangeEvidence)
    out << "range_evidence: " << (*config.rangeEvidence ? "on" : "off") << "\n";
  for (auto [key, limit] :
       {std::pair("init_max", config.initMax),
        {"data_max", config.dataMax},
        {"max_depth_of_reduction", config.maxDepthOfReduction}})
    if (limit)
      out << key << ": " << limitText(*limit) << "\n";
  for (auto [key, precision] :
       {std::pair("keep_fp32", "fp32"), std::pair("force_low", "low")}) {
    bool first = true;
    for (const PolicyRule &rule : config.anything)
      if (rule.precision == precision) {
        if (first)
          out << key << ":\n";
        first = false;
        out << "  - " << quoted(rule.pattern) << "\n";
      }
  }
  auto classes = [&](StringRef key, const std::vector<PolicyRule> &rules) {
    if (!rules.empty())
      out << key << ":\n";
    for (const PolicyRule &rule : rules)
      out << "  " << quoted(rule.pattern) << ": " << rule.precision << "\n";
  };
  auto matches = [&](StringRef key, const std::vector<PolicyRule> &rules) {
    if (!rules.empty())
      out << key << ":\n";
    for (const PolicyRule &rule : rules)
      out << "  - {match: " << quoted(rule.pattern)
          << ", precision: " << rule.precision << "}\n";
  };
  classes("ops", config.ops);
  matches("nodes", config.nodes);
  if (!config.regions.empty())
    out << "regions:\n";
  for (const PolicyRegion &region : config.regions) {
    out << "  - {";
    if (region.nodes.empty())
      out << "from: " << list(region.from) << ", to: " << list(region.to);
    else
      out << "nodes: " << quoted(region.nodes);
    out << ", precision: " << region.precision << "}\n";
  }
  matches("tensors", config.tensors);
  classes("custom_ops", config.customOps);
  return text;
}
