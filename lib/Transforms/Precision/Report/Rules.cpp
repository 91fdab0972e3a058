//===- Rules.cpp - What the rules of the precision stage say --------------===//

#include "amp/Transforms/Precision/Rules.h"

using llvm::StringRef;

namespace amp {
namespace {

constexpr PrecisionRule kRules[] = {
#define AMP_RULE(ID, SENTENCE) {ID, SENTENCE},
#include "amp/Transforms/Precision/Rules.def"
#undef AMP_RULE
};

} // namespace

llvm::ArrayRef<PrecisionRule> precisionRules() { return kRules; }

StringRef ruleId(StringRef rule) {
  return rule.take_until([](char c) { return c == ' ' || c == ':'; });
}

const PrecisionRule *findRule(StringRef rule) {
  StringRef id = ruleId(rule);
  for (const PrecisionRule &known : kRules) {
    StringRef wanted = known.id;
    if (wanted.consume_back("*") ? id.starts_with(wanted) : id == wanted)
      return &known;
  }
  return nullptr;
}

std::string explainRule(StringRef rule, StringRef evidence) {
  StringRef id = ruleId(rule);
  const PrecisionRule *known = findRule(rule);
  std::string text = id.str();
  if (known)
    text += ": " + known->sentence.str();
  StringRef detail = rule.drop_front(id.size()).ltrim(": ");
  // Evidence of ranges begins with the rule again.
  if (evidence.consume_front(id))
    evidence = evidence.ltrim(": ");
  for (StringRef more : {detail, evidence})
    if (!more.empty())
      text += "; " + more.str();
  return text;
}

} // namespace amp
