//===- Cone.h - What of a graph lies behind a value -------------*- C++ -*-===//
//
// The nodes that compute a value from given ones, which is the function that a
// Gradient node differentiates.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_IMPORT_ONNX_CONE_H
#define AMP_LIB_IMPORT_ONNX_CONE_H

#include "Model.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace amp::onnximport {

/// What a Gradient node depends on beside its operands.
struct GradientNode {
  /// Initializers that what it differentiates reads and it does not name.
  llvm::StringSet<> initializers;
  /// 1, or more where it differentiates results of others.
  unsigned order = 1;
};

/// The sorted nodes of a graph and which of them defines a name.
struct GraphNodes {
  const std::vector<FlatNode> *nodes = nullptr;
  /// Those of the Gradient nodes so far: a later one may differentiate them.
  std::map<const onnx::NodeProto *, GradientNode> gradients;

  /// The number of the node, or nullopt for what no node of the graph defines.
  std::optional<size_t> definition(llvm::StringRef name) const;
  /// All names that nodes of the graph define.
  llvm::SmallVector<llvm::StringRef> names() const;

private:
  const llvm::StringMap<size_t> &index() const;
  /// Filled by the first question: few graphs are ever asked.
  mutable llvm::StringMap<size_t> definitions;
};

/// What lies between some values and one that depends on them.
struct Cone {
  /// Sorted.
  std::vector<FlatNode> nodes;
  /// Those of the borders that it starts from.
  llvm::StringSet<> reached;
  /// As a Gradient node has them that differentiates it.
  GradientNode gradient;
  /// A name beyond the borders that it depends on as well, and the node that
  /// reads it; none in a cone that is cut off.
  llvm::StringRef leak;
  const onnx::NodeProto *reader = nullptr;
};

/// The cone from `borders` to `y`.
Cone coneOf(const GraphNodes &graph, llvm::StringRef y,
            const llvm::StringSet<> &borders,
            llvm::function_ref<bool(llvm::StringRef)> isInitializer);

} // namespace amp::onnximport

#endif // AMP_LIB_IMPORT_ONNX_CONE_H
