//===- Rules.h - What the rules of the precision stage say ------*- C++ -*-===//
//
// Decisions carry the identifier of a rule, with what it hangs on behind it:
// "AL-contraction", "UO-node --keep-fp32 fc1", "RG-overflow: |x| <= 131072".
// The table of all of them is Rules.def.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TRANSFORMS_PRECISION_RULES_H
#define AMP_TRANSFORMS_PRECISION_RULES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace amp {

/// An identifier and its sentence, which begins in lower case and has no stop.
struct PrecisionRule {
  llvm::StringLiteral id; ///< a trailing * stands for any text
  llvm::StringLiteral sentence;
};

/// All rules, in the order of the table.
llvm::ArrayRef<PrecisionRule> precisionRules();

/// The identifier in front of a rule's text.
llvm::StringRef ruleId(llvm::StringRef rule);

/// The entry of a rule, with or without what it hangs on; null if there is
/// none.
const PrecisionRule *findRule(llvm::StringRef rule);

/// "ID: sentence", with what the rule hangs on and the evidence behind it.
std::string explainRule(llvm::StringRef rule, llvm::StringRef evidence);

} // namespace amp

#endif // AMP_TRANSFORMS_PRECISION_RULES_H
