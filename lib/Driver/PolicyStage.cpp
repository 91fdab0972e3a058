//===- PolicyStage.cpp - Precision options of a compile -------------------===//

#include "PolicyStage.h"
#include "amp/Dialect/Amp/IR/NamePattern.h"
#include "amp/Transforms/Precision/Passes.h"
#include "amp/Transforms/Precision/Policy.h"
#include "amp/Transforms/Precision/PolicyConfig.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

namespace amp {

std::string presetNameList() { return presetNames(); }
std::string assignmentNameList() { return assignAlgorithmNames(); }

std::optional<std::string> presetText(StringRef name) {
  const Preset *preset = findPreset(name);
  return preset ? std::optional(describePreset(*preset)) : std::nullopt;
}

namespace {

/// What file and options say together; options win.
PolicyConfig combined(const PolicyRequest &request, StringRef fileText) {
  PolicyConfig config, options;
  std::string error;
  if (!fileText.empty())
    (void)parsePolicyConfig(fileText, request.configFile, config, error);
  options.preset = request.preset;
  options.assign = request.assign;
  if (!request.rangeEvidence.empty())
    options.rangeEvidence = request.rangeEvidence == "on";
  for (const std::string &pattern : request.keepFP32)
    options.anything.push_back({pattern, "fp32", "--keep-fp32"});
  for (const std::string &pattern : request.forceLow)
    options.anything.push_back({pattern, "low", "--force-low"});
  config.merge(options);
  return config;
}

/// The text of --precision-config and whether it can be understood; an exit
/// code.
int readConfig(const PolicyRequest &request, std::string &text,
               std::string &message) {
  if (request.configText) {
    text = *request.configText;
  } else if (!request.configFile.empty()) {
    auto file = llvm::MemoryBuffer::getFile(request.configFile);
    if (!file) {
      message = "precision config " + request.configFile + ": " +
                file.getError().message();
      return 3;
    }
    text = (*file)->getBuffer().str();
  } else {
    return 0;
  }
  PolicyConfig config;
  std::string error;
  if (parsePolicyConfig(text, request.configFile, config, error))
    return 0;
  message = "precision config " + error;
  return 3;
}

/// The exit code if an option has an unknown word, else 0.
int checkWords(const PolicyRequest &request, std::string &message) {
  auto refuse = [&](const Twine &text) {
    message = text.str();
    return 2;
  };
  if (!request.preset.empty() && !findPreset(request.preset))
    return refuse("unknown policy " + quotedName(request.preset) +
                  ", expected " + presetNames());
  if (!request.assign.empty() && !parseAssignAlgorithm(request.assign))
    return refuse("unknown assignment " + quotedName(request.assign) +
                  ", expected " + assignAlgorithmNames());
  for (auto *patterns : {&request.keepFP32, &request.forceLow})
    if (llvm::is_contained(*patterns, ""))
      return refuse("--keep-fp32 and --force-low need a name or pattern");
  return 0;
}

/// The pattern that only this name matches.
std::string patternOf(StringRef name) {
  std::string pattern;
  for (char c : name)
    if (c == '*' || c == '?' || c == '[')
      pattern += {'[', c, ']'};
    else
      pattern += c;
  return pattern;
}

} // namespace

int configKeeping(const PolicyRequest &base,
                  const std::vector<std::string> &nodes, bool allLow,
                  std::string &text, std::string &message) {
  std::string fileText;
  if (int code = checkWords(base, message))
    return code;
  if (int code = readConfig(base, fileText, message))
    return code;
  PolicyConfig config = combined(base, fileText);
  if (allLow) {
    config.preset = "O3";
    config.assign = "all-low";
    config.rangeEvidence = false;
    config.initMax = config.dataMax = config.maxDepthOfReduction = std::nullopt;
  }
  for (const std::string &node : nodes)
    config.nodes.push_back({patternOf(node), "fp32", ""});
  text = printPolicyConfig(config);
  return 0;
}

int PolicyStage::prepare(const CompileRequest &whole, std::string &message) {
  request = whole.policy;
  precision = whole.precision;
  if (int code = checkWords(request, message))
    return code;
  return readConfig(request, fileText, message);
}

void PolicyStage::nameNodes(ModuleOp module, const ImportReport &report) const {
  PolicyConfig config = combined(request, fileText);
  // Presets of other systems ask for the types of nodes.
  bool isOwn = config.preset.empty() || config.preset == "default";
  if (isOwn && !config.hasOverrides())
    return;
  Builder builder(module.getContext());
  NamedAttrList nodes;
  llvm::StringSet<> seen;
  for (const ImportedNode &node : report.nodes) {
    if (node.name.empty() || !seen.insert(node.name).second)
      continue;
    SmallVector<Attribute> parts = {builder.getStringAttr(node.opType)};
    for (const std::string &output : node.outputs)
      parts.push_back(builder.getStringAttr(output));
    nodes.append(node.name, builder.getArrayAttr(parts));
  }
  // Initializers have no type; their names are known all the same.
  for (const ImportedTensor &tensor : report.tensors)
    if (seen.insert(tensor.name).second)
      nodes.append(tensor.name, builder.getArrayAttr({}));
  module->setAttr(kModelNodesAttr, nodes.getDictionary(module.getContext()));
  const Preset *preset = findPreset(config.preset);
  if (!preset || !preset->limits)
    return;
  SmallVector<StringRef> inner;
  for (const ImportedNode &node : report.nodes)
    if (!node.original.empty())
      inner.push_back(node.name);
  module->setAttr(kInnerNodesAttr, builder.getStrArrayAttr(inner));
}

void PolicyStage::build(OpPassManager &manager) const {
  PolicyOptions options;
  options.precision = precision;
  options.preset = request.preset;
  options.assign = request.assign;
  options.rangeEvidence = request.rangeEvidence;
  for (const std::string &pattern : request.keepFP32)
    options.keepFP32.push_back(pattern);
  for (const std::string &pattern : request.forceLow)
    options.forceLow.push_back(pattern);
  options.config = request.configFile;
  options.configText = fileText;
  buildPolicyPipeline(manager, options);
}

int PolicyStage::exitCodeOf(StringRef message) const {
  bool file =
      !request.configFile.empty() && message.contains(request.configFile + ":");
  return file ? 3 : 2;
}

std::string PolicyStage::dump() const {
  if (request.dumpTo.empty())
    return "";
  PolicyConfig config = combined(request, fileText);
  if (config.preset.empty())
    config.preset = "default";
  const Preset *preset = findPreset(config.preset);
  if (config.assign.empty())
    config.assign = assignAlgorithmName(preset->algorithm).str();
  if (!config.rangeEvidence)
    config.rangeEvidence = preset->rangeEvidence;
  if (preset->limits) {
    NodeLimits limits = config.limits(*preset->limits);
    config.initMax = limits.initMax;
    config.dataMax = limits.dataMax;
    config.maxDepthOfReduction = limits.maxDepthOfReduction;
  }
  std::error_code error;
  llvm::ToolOutputFile file(request.dumpTo, error, llvm::sys::fs::OF_Text);
  if (error)
    return request.dumpTo + ": " + error.message();
  file.os() << printPolicyConfig(config);
  file.os().flush();
  if (file.os().has_error()) {
    std::string text = request.dumpTo + ": " + file.os().error().message();
    file.os().clear_error();
    return text;
  }
  file.keep();
  return "";
}

std::vector<std::string> PolicyStage::warnings() const {
  PolicyConfig config = combined(request, fileText);
  bool low = precision == "bf16" || precision == "fp16";
  if (low || (config.preset.empty() && !config.hasOverrides()))
    return {};
  return {"with --precision " + precision +
          " everything is float32, whatever the policy says"};
}

} // namespace amp
