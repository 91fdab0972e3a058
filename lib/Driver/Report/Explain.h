//===- Explain.h - The chain of reasons for one node ------------*- C++ -*-===//

#ifndef AMP_LIB_DRIVER_REPORT_EXPLAIN_H
#define AMP_LIB_DRIVER_REPORT_EXPLAIN_H

#include "Facts.h"
#include "llvm/ADT/StringMap.h"
#include <set>

namespace amp {

/// Looks nodes up by pattern. Names are those of ONNX nodes and of their
/// outputs, and those of nodes that the compiler adds (a loss, `update`).
class NodeNames {
public:
  /// Before the precision stage.
  void add(mlir::ModuleOp module, const CompileFacts &facts);
  /// An empty text, or that the pattern matches nothing, and what is near.
  std::string check(llvm::StringRef pattern) const;
  /// The nodes that a pattern means, in the order of the model.
  std::vector<std::string> match(llvm::StringRef pattern) const;

private:
  void add(llvm::StringRef name, llvm::StringRef node);

  /// Names in order, and the nodes they mean.
  std::vector<std::pair<std::string, std::string>> names;
  /// Nodes in bodies of loops, and their iterations.
  std::vector<std::pair<std::string, std::vector<std::string>>> iterations;
  std::set<std::pair<std::string, std::string>> known;
};

/// Writes the reasons of nodes; looks each up in what was indexed once.
class Explainer {
public:
  explicit Explainer(const CompileFacts &facts);

  /// The text for one node: a part for each of its ops, forward and backward;
  /// entry points that treat it alike share one.
  std::string explain(const std::string &node) const;

  /// What became of a cast of an entry point, or of several that cannot be told
  /// apart once regions are formed; empty if it is none any more.
  llvm::ArrayRef<const CastFact *> factsOf(llvm::StringRef entry,
                                           const ReportedCast &cast) const;

  const CompileFacts &facts;

private:
  /// Rows by node, those of the main entry point first.
  llvm::StringMap<std::vector<const DecisionRow *>> rows;
  llvm::StringMap<std::vector<const CastFact *>> casts;
};

} // namespace amp

#endif // AMP_LIB_DRIVER_REPORT_EXPLAIN_H
