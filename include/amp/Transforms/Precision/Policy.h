//===- Policy.h - Precision policies as data --------------------*- C++ -*-===//
//
// A preset is lists of ops with classes, an assignment algorithm, range
// evidence on or off, and a rule for batch norms. Presets of existing systems
// name ops as these systems do; a mapping leads from there to ours
// (docs/Precision.md).
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TRANSFORMS_PRECISION_POLICY_H
#define AMP_TRANSFORMS_PRECISION_POLICY_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace amp {

/// What a policy says about an op.
enum class PolicyClass {
  Allow,       ///< low
  Follow,      ///< the type of what it reads
  Transparent, ///< the same; moves values without arithmetic
  Keep,        ///< float32
  Clear,       ///< numerically neutral: takes the colour of its neighbours
  Promote,     ///< the widest of the types it reads
  Block        ///< float32, and no colour passes through it
};

/// "allow", "follow", ...; nullopt for others.
std::optional<PolicyClass> parsePolicyClass(llvm::StringRef name);
llvm::StringRef policyClassName(PolicyClass cls);
/// The names, for messages.
std::string policyClassNames();

/// How ops that may be either are decided.
enum class AssignAlgorithm {
  Greedy,  ///< one walk in order; local rules
  MinCut,  ///< least bytes moved, by a minimum cut
  Paint,   ///< TensorFlow's grappler: allow and deny spread over the graph
  Promote, ///< PyTorch's eager mode: results have the widest type read
  AllLow   ///< everything low but a list of exceptions
};

/// "greedy", "mincut", "paint", "promote" or "all-low"; nullopt for others.
std::optional<AssignAlgorithm> parseAssignAlgorithm(llvm::StringRef name);
llvm::StringRef assignAlgorithmName(AssignAlgorithm algorithm);
/// The names, for messages.
std::string assignAlgorithmNames();

/// The low types that a list is meant for.
enum LowTypeMask : unsigned {
  kNoType = 0,
  kFloat16Only = 1,
  kBFloat16Only = 2,
  kBothTypes = 3
};

/// A list of one system, ops spelled as it spells them, separated by blanks.
struct SystemList {
  llvm::StringLiteral name;
  PolicyClass cls;
  LowTypeMask types;
  llvm::StringLiteral ops;
  llvm::StringLiteral note = "";
  /// The ops are taken out of the lists before it.
  bool removes = false;
  /// The system cannot compute the ops low: no wish of the user makes them so.
  bool unsupported = false;
};

/// Ops of a system (first) and what they are among ours (second; both
/// separated by blanks). Our ops are mnemonics, more specific with a suffix:
/// conv.2d, conv.depthwise, matmul.batched, gelu.tanh, loss.mse (opKeys). What
/// is one op there and several here goes by the type of its ONNX node: PRelu.
struct OpMap {
  llvm::StringLiteral systemOps;
  llvm::StringLiteral ampOps;
};

/// One of our ops that is several in the system; the strictest decides.
struct Composite {
  llvm::StringLiteral ampOp;
  llvm::StringLiteral systemOps;
};

/// The lists of a system and what they mean here.
struct SystemTable {
  llvm::ArrayRef<SystemList> lists;
  llvm::ArrayRef<OpMap> mappings;
  llvm::ArrayRef<Composite> composites;
  /// Types of ONNX nodes that are one op there though no list has it, and are
  /// made of ops here that lists have (Elu of an exponential).
  llvm::StringLiteral wholes = "";
};

/// Beyond these a node of the model stays float32, whatever list has it
/// (AutoCast of ModelOpt); infinite: no limit.
struct NodeLimits {
  /// Magnitude of an initializer that the node reads.
  double initMax = std::numeric_limits<double>::infinity();
  /// Magnitude of what it reads and gives, as calibration measured it.
  double dataMax = std::numeric_limits<double>::infinity();
  /// Elements that one of its sums adds up along one axis.
  double maxDepthOfReduction = std::numeric_limits<double>::infinity();
};

/// A limit as a config says it: a number, or off.
std::string limitText(double limit);

struct Preset {
  llvm::StringLiteral name;
  llvm::StringLiteral summary;
  /// Null for `default` (classes of the op definitions) and O0.
  const SystemTable *system;
  /// Class of ops in no list.
  PolicyClass unlisted;
  AssignAlgorithm algorithm;
  bool rangeEvidence;
  /// Batch norms read parameters and write statistics in the low type.
  bool lowBatchNorm;
  /// Gradient ops are judged by lists of their own, not as their forward op.
  bool backwardListed;
  /// "fp16" or "bf16" where the preset means one type, else empty.
  llvm::StringLiteral precision;
  /// All is float32.
  bool allFloat32;
  /// Its limits on nodes, where it has such rules; it then also keeps the nodes
  /// inside of loops and branches float32.
  std::optional<NodeLimits> limits = std::nullopt;
  /// Contractions behind which there is no other stay float32 if they take no
  /// more than this share of the arithmetic (docs/Rationale.md P16).
  double lastShare = 0;
};

/// All presets, in the order of the documentation.
llvm::ArrayRef<Preset> presets();
/// Null if there is none of that name.
const Preset *findPreset(llvm::StringRef name);
/// The names, for messages.
std::string presetNames();

/// What a preset says about one op, and the list that says so.
struct OpPolicy {
  PolicyClass cls;
  std::string rule;
  /// It goes for all ops of a node: they follow what the node reads.
  bool wholeNode = false;
  /// Nobody can make it low (SystemList::unsupported).
  bool unsupported = false;
};

/// A preset for one low type, ready to be asked.
class PolicyTable {
public:
  PolicyTable(const Preset &preset, bool isFloat16);

  /// The class of an op of the amp dialect, or of one with the interface, which
  /// is a part of an ONNX node of this type (empty: unknown).
  OpPolicy classify(mlir::Operation *op, llvm::StringRef nodeType = "") const;
  /// The active list and class of a system's op, or nullopt.
  std::optional<OpPolicy> system(llvm::StringRef op) const;
  /// The entry of one of our keys (conv.2d), or nullopt.
  std::optional<OpPolicy> entry(llvm::StringRef key) const;
  /// Ops of active lists without counterpart among ours.
  std::vector<std::string> withoutCounterpart() const;

  const Preset &preset;

private:
  std::optional<OpPolicy> first(llvm::ArrayRef<std::string> keys) const;
  std::optional<OpPolicy> wholeNode(llvm::StringRef nodeType) const;

  bool isFloat16;
  llvm::StringMap<OpPolicy> systemOps, ampOps;
};

/// Keys under which tables know an op, the most specific first.
struct OpKeys {
  llvm::SmallVector<std::string, 3> own;
  /// Those of the forward op, for a gradient op.
  llvm::SmallVector<std::string, 3> forward;
};
OpKeys opKeys(mlir::Operation *op);

/// Text of `amp-compile --list-preset`: lists, counterparts, what has none.
std::string describePreset(const Preset &preset);

} // namespace amp

#endif // AMP_TRANSFORMS_PRECISION_POLICY_H
