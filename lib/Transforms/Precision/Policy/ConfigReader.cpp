//===- ConfigReader.cpp - The file of --precision-config ------------------===//
//
// YAML by LLVM's parser. It recurses with the nesting of the text and trusts
// its encoding, so both are checked before.
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/IR/NamePattern.h"
#include "amp/Transforms/Precision/Policy.h"
#include "amp/Transforms/Precision/PolicyConfig.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"
#include <cmath>

using namespace amp;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;
namespace yaml = llvm::yaml;

namespace {

/// Levels of nesting; the schema needs four.
constexpr unsigned kMaxNesting = 32;
/// Characters of a name or pattern.
constexpr size_t kMaxPattern = 4096;

class Reader {
public:
  Reader(StringRef text, StringRef file, PolicyConfig &config)
      : text(text), file(file), config(config) {}

  bool run();
  std::string error;

private:
  bool fail(const yaml::Node *node, const Twine &what);
  bool failAtLine(size_t line, const Twine &what);
  bool checkText();
  unsigned lineOf(const yaml::Node *node);
  bool scalar(yaml::Node *node, std::string &value, StringRef what);
  bool oneOf(yaml::Node *node, ArrayRef<StringRef> known, std::string &value,
             StringRef what);
  bool strings(yaml::Node *node, std::vector<std::string> &values,
               StringRef what);
  template <typename Entry>
  bool mapping(yaml::Node *node, StringRef what, Entry entry);
  template <typename Item>
  bool sequence(yaml::Node *node, StringRef what, Item item);
  bool unknownKey(yaml::Node *node, StringRef key, StringRef what,
                  ArrayRef<StringRef> known);
  bool top(StringRef key, yaml::Node *keyNode, yaml::Node *value);
  bool classes(yaml::Node *node, StringRef what, std::vector<PolicyRule> &into);
  bool matches(yaml::Node *node, StringRef what, std::vector<PolicyRule> &into);
  bool regions(yaml::Node *node);
  bool limit(yaml::Node *node, StringRef what, std::optional<double> &into);
  bool patterns(yaml::Node *node, StringRef what, StringRef precision);

  StringRef text, file;
  PolicyConfig &config;
  llvm::SourceMgr sources;
};

bool Reader::failAtLine(size_t line, const Twine &what) {
  if (error.empty())
    error = (file + ":" + Twine(line) + ": " + what).str();
  return false;
}

unsigned Reader::lineOf(const yaml::Node *node) {
  llvm::SMLoc place = node ? node->getSourceRange().Start : llvm::SMLoc();
  // Nodes for what is missing point behind the text.
  unsigned buffer =
      place.isValid() ? sources.FindBufferContainingLoc(place) : 0;
  return buffer ? sources.FindLineNumber(place, buffer) : 1;
}

bool Reader::fail(const yaml::Node *node, const Twine &what) {
  return failAtLine(lineOf(node), what);
}

bool Reader::checkText() {
  if (text.size() > kMaxPolicyConfigBytes)
    return failAtLine(1, "the file has more than " +
                             Twine(kMaxPolicyConfigBytes) + " bytes");
  auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  if (!llvm::isLegalUTF8String(
          &begin, reinterpret_cast<const llvm::UTF8 *>(text.end())))
    return failAtLine(1, "the file is not UTF-8 text");
  size_t line = 1, flow = 0;
  bool atStart = true;
  size_t indent = 0;
  for (char c : text) {
    if (c == '\n') {
      ++line;
      atStart = true;
      indent = 0;
      continue;
    }
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r')
      return failAtLine(line, "there is a control character");
    flow += c == '[' || c == '{';
    flow -= flow && (c == ']' || c == '}');
    atStart &= c == ' ' || c == '-' || c == '?' || c == ':' || c == '\t';
    indent += atStart && c != '\t';
    if (flow > kMaxNesting || indent > 4 * kMaxNesting)
      return failAtLine(line, "the text is nested too deeply");
  }
  return true;
}

bool Reader::scalar(yaml::Node *node, std::string &value, StringRef what) {
  llvm::SmallString<64> storage;
  auto *plain = llvm::dyn_cast_or_null<yaml::ScalarNode>(node);
  auto *block = llvm::dyn_cast_or_null<yaml::BlockScalarNode>(node);
  if (!plain && !block)
    return fail(node, what + " has to be a text");
  StringRef found = plain ? plain->getValue(storage) : block->getValue();
  if (found.empty() || found.size() > kMaxPattern)
    return fail(node, what + " has to have 1 to " + Twine(kMaxPattern) +
                          " characters");
  value = found.str();
  return true;
}

bool Reader::oneOf(yaml::Node *node, ArrayRef<StringRef> known,
                   std::string &value, StringRef what) {
  if (!scalar(node, value, what))
    return false;
  if (llvm::is_contained(known, value))
    return true;
  return fail(node, what + " cannot be " + quotedName(value) + ", expected " +
                        llvm::join(known, ", "));
}

template <typename Entry>
bool Reader::mapping(yaml::Node *node, StringRef what, Entry entry) {
  auto *map = llvm::dyn_cast_or_null<yaml::MappingNode>(node);
  if (!map)
    return fail(node, what + " has to be a mapping (key: value)");
  llvm::StringSet<> seen;
  for (yaml::KeyValueNode &pair : *map) {
    yaml::Node *keyNode = pair.getKey();
    std::string key;
    if (!scalar(keyNode, key, "a key of " + what.str()))
      return false;
    if (!seen.insert(key).second)
      return fail(keyNode, quotedName(key) + " stands twice in " + what);
    if (!entry(key, keyNode, pair.getValue()))
      return false;
  }
  return error.empty();
}

template <typename Item>
bool Reader::sequence(yaml::Node *node, StringRef what, Item item) {
  auto *list = llvm::dyn_cast_or_null<yaml::SequenceNode>(node);
  if (!list)
    return fail(node, what + " has to be a list (- entry)");
  for (yaml::Node &entry : *list)
    if (!item(&entry))
      return false;
  return error.empty();
}

bool Reader::strings(yaml::Node *node, std::vector<std::string> &values,
                     StringRef what) {
  if (llvm::isa_and_nonnull<yaml::ScalarNode>(node)) {
    values.emplace_back();
    return scalar(node, values.back(), what);
  }
  return sequence(node, what, [&](yaml::Node *entry) {
    values.emplace_back();
    return scalar(entry, values.back(), what);
  });
}

bool Reader::unknownKey(yaml::Node *node, StringRef key, StringRef what,
                        ArrayRef<StringRef> known) {
  return fail(node, what + " has no key " + quotedName(key) + "; near are " +
                        nearNames(key, known));
}

constexpr StringRef kPrecisions[] = {"fp32", "low", "follow"};

bool Reader::classes(yaml::Node *node, StringRef what,
                     std::vector<PolicyRule> &into) {
  llvm::SmallVector<StringRef> known(std::begin(kPrecisions),
                                     std::end(kPrecisions));
  for (StringRef name : {"allow", "transparent", "keep", "clear", "promote"})
    known.push_back(name);
  return mapping(node, what, [&](StringRef key, yaml::Node *, yaml::Node *v) {
    PolicyRule rule{key.str(), "", (file + ":" + Twine(lineOf(v))).str()};
    if (!oneOf(v, known, rule.precision, "the class of " + quotedName(key)))
      return false;
    into.push_back(rule);
    return true;
  });
}

bool Reader::matches(yaml::Node *node, StringRef what,
                     std::vector<PolicyRule> &into) {
  return sequence(node, what, [&](yaml::Node *entry) {
    PolicyRule rule;
    rule.origin = (file + ":" + Twine(lineOf(entry))).str();
    std::string one = "an entry of " + what.str();
    if (!mapping(entry, one, [&](StringRef key, yaml::Node *k, yaml::Node *v) {
          if (key == "match")
            return scalar(v, rule.pattern, "match");
          if (key == "precision")
            return oneOf(v, kPrecisions, rule.precision, "precision");
          return unknownKey(k, key, one, {"match", "precision"});
        }))
      return false;
    if (rule.pattern.empty() || rule.precision.empty())
      return fail(entry, one + " needs match and precision");
    into.push_back(rule);
    return true;
  });
}

bool Reader::regions(yaml::Node *node) {
  return sequence(node, "regions", [&](yaml::Node *entry) {
    PolicyRegion region;
    region.origin = (file + ":" + Twine(lineOf(entry))).str();
    StringRef one = "an entry of regions";
    if (!mapping(entry, one, [&](StringRef key, yaml::Node *k, yaml::Node *v) {
          if (key == "from")
            return strings(v, region.from, "from");
          if (key == "to")
            return strings(v, region.to, "to");
          if (key == "nodes")
            return scalar(v, region.nodes, "nodes");
          if (key == "precision")
            return oneOf(v, {"off", "fp32", "low", "follow"}, region.precision,
                         "precision");
          return unknownKey(k, key, one, {"from", "to", "nodes", "precision"});
        }))
      return false;
    bool between = !region.from.empty() && !region.to.empty();
    bool either = region.from.empty() && region.to.empty();
    if (region.precision.empty() || !(region.nodes.empty() ? between : either))
      return fail(entry, one + " needs precision and either from and to (names "
                               "of values) or nodes (a pattern)");
    config.regions.push_back(region);
    return true;
  });
}

bool Reader::limit(yaml::Node *node, StringRef what,
                   std::optional<double> &into) {
  std::string text;
  if (!scalar(node, text, what))
    return false;
  double number = std::numeric_limits<double>::infinity();
  if (text != "off" && (StringRef(text).getAsDouble(number) ||
                        !std::isfinite(number) || !(number > 0)))
    return fail(node, what + " cannot be " + quotedName(text) +
                          ", expected a number above 0 or off");
  into = number;
  return true;
}

bool Reader::patterns(yaml::Node *node, StringRef what, StringRef precision) {
  std::vector<std::string> values;
  if (!strings(node, values, what))
    return false;
  for (const std::string &value : values)
    config.anything.push_back(
        {value, precision.str(),
         (file + ":" + Twine(lineOf(node)) + " (" + what + " " + value + ")")
             .str()});
  return true;
}

bool Reader::top(StringRef key, yaml::Node *keyNode, yaml::Node *value) {
  if (key == "preset") {
    if (!scalar(value, config.preset, "preset"))
      return false;
    return findPreset(config.preset) ||
           fail(value, "unknown preset " + quotedName(config.preset) +
                           ", expected " + presetNames());
  }
  if (key == "assign") {
    if (!scalar(value, config.assign, "assign"))
      return false;
    return parseAssignAlgorithm(config.assign) ||
           fail(value, "unknown assignment " + quotedName(config.assign) +
                           ", expected " + assignAlgorithmNames());
  }
  if (key == "range_evidence") {
    std::string text;
    if (!oneOf(value, {"on", "off", "true", "false"}, text, "range_evidence"))
      return false;
    config.rangeEvidence = text == "on" || text == "true";
    return true;
  }
  if (key == "init_max")
    return limit(value, key, config.initMax);
  if (key == "data_max")
    return limit(value, key, config.dataMax);
  if (key == "max_depth_of_reduction")
    return limit(value, key, config.maxDepthOfReduction);
  if (key == "keep_fp32")
    return patterns(value, key, "fp32");
  if (key == "force_low")
    return patterns(value, key, "low");
  if (key == "ops")
    return classes(value, key, config.ops);
  if (key == "custom_ops")
    return classes(value, key, config.customOps);
  if (key == "nodes")
    return matches(value, key, config.nodes);
  if (key == "tensors")
    return matches(value, key, config.tensors);
  if (key == "regions")
    return regions(value);
  return unknownKey(keyNode, key, "the file",
                    {"preset", "assign", "range_evidence", "init_max",
                     "data_max", "max_depth_of_reduction", "keep_fp32",
                     "force_low", "ops", "nodes", "regions", "tensors",
                     "custom_ops"});
}

bool Reader::run() {
  if (!checkText())
    return false;
  sources.setDiagHandler(
      [](const llvm::SMDiagnostic &diagnostic, void *reader) {
        static_cast<Reader *>(reader)->failAtLine(
            std::max(diagnostic.getLineNo(), 1), diagnostic.getMessage());
      },
      this);
  yaml::Stream stream(text, sources, /*ShowColors=*/false);
  auto document = stream.begin();
  if (document == stream.end())
    return error.empty();
  yaml::Node *root = document->getRoot();
  if (!root || stream.failed())
    return failAtLine(1, "the text is no YAML");
  // A file of comments says nothing.
  if (!llvm::isa<yaml::NullNode>(root) &&
      !mapping(root, "the file",
               [&](StringRef key, yaml::Node *keyNode, yaml::Node *value) {
                 return top(key, keyNode, value);
               }))
    return error.empty() ? failAtLine(1, "the text is no YAML") : false;
  if (stream.failed())
    return failAtLine(1, "the text is no YAML");
  if (error.empty() && ++document != stream.end())
    return failAtLine(1, "there is more than one document");
  return error.empty();
}

} // namespace

bool amp::parsePolicyConfig(StringRef text, StringRef file,
                            PolicyConfig &config, std::string &error) {
  PolicyConfig read;
  Reader reader(text, file, read);
  if (!reader.run()) {
    error = reader.error;
    return false;
  }
  config = std::move(read);
  return true;
}
