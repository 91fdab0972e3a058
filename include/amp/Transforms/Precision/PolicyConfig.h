//===- PolicyConfig.h - What the user says about precision ------*- C++ -*-===//
//
// The options --policy, --assign, --range-evidence, --keep-fp32 and --force-low
// and the file of --precision-config, in one structure. docs/Precision.md has
// the schema of the file.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TRANSFORMS_PRECISION_POLICYCONFIG_H
#define AMP_TRANSFORMS_PRECISION_POLICYCONFIG_H

#include "amp/Transforms/Precision/Policy.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace amp {

/// What ops whose name matches should be.
struct PolicyRule {
  std::string pattern;   ///< shell pattern
  std::string precision; ///< fp32, low, follow or a class (ops, custom_ops)
  std::string origin;    ///< "--keep-fp32 x" or "file:line", for messages
};

/// What ops of a part of the graph should be: those on a path from a value of
/// `from` to one of `to`, or those of nodes whose name matches.
struct PolicyRegion {
  std::vector<std::string> from, to;
  std::string nodes;
  std::string precision; ///< off, fp32, low or follow
  std::string origin;
};

struct PolicyConfig {
  std::string preset; ///< empty: not said
  std::string assign; ///< empty: that of the preset
  std::optional<bool> rangeEvidence;
  /// Patterns of nodes, ops or values (--keep-fp32, --force-low).
  std::vector<PolicyRule> anything;
  std::vector<PolicyRule> ops, nodes, tensors, customOps;
  std::vector<PolicyRegion> regions;
  /// Limits of the preset `autocast` (NodeLimits); infinite: off.
  std::optional<double> initMax, dataMax, maxDepthOfReduction;

  /// Something is said of particular ops, nodes or values.
  bool hasOverrides() const;
  /// A limit is said.
  bool hasLimits() const;
  /// The limits that hold: those of a preset where none is said.
  NodeLimits limits(const NodeLimits &preset) const;
  /// Takes over what `other` says; its preset, assignment, evidence and limits
  /// win.
  void merge(const PolicyConfig &other);
};

/// Largest file that is read; real ones have a few lines.
inline constexpr size_t kMaxPolicyConfigBytes = 1 << 20;

/// Reads the text of a config file. On failure false, and `error` says where,
/// what, and what would be accepted.
bool parsePolicyConfig(llvm::StringRef text, llvm::StringRef file,
                       PolicyConfig &config, std::string &error);

/// The same as a file; parsing it gives the same config.
std::string printPolicyConfig(const PolicyConfig &config);

} // namespace amp

#endif // AMP_TRANSFORMS_PRECISION_POLICYCONFIG_H
