//===- NodeRules.h - Nodes beyond the limits of a preset --------*- C++ -*-===//
//
// AutoCast of ModelOpt lowers every node but those that read an initializer,
// read or give values, or add up more elements than a limit allows. A rule
// judges a node of the model as a whole; all its ops, backward too, follow.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_POLICY_NODERULES_H
#define AMP_LIB_TRANSFORMS_PRECISION_POLICY_NODERULES_H

#include "NodeVerdicts.h"
#include "amp/Transforms/Precision/Policy.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace amp {

class NodeRules : public NodeVerdicts {
public:
  /// The ONNX type of the node that an op is part of; empty if unknown.
  using NodeType = llvm::function_ref<llvm::StringRef(mlir::Operation *)>;

  /// Judges the nodes of all functions together, so that entry points agree.
  NodeRules(llvm::ArrayRef<mlir::func::FuncOp> functions,
            const NodeLimits &limits, NodeType nodeType);

  /// Some value has a measured range; without one no node can break data_max.
  bool hasRanges() const { return anyRange; }

private:
  /// Forward ops of one node; several functions may have it.
  using Node = llvm::SmallVector<mlir::Operation *, 2>;

  std::string judge(const Node &node, NodeType nodeType);
  std::string judgeInitializers(const Node &node) const;
  std::string judgeValues(const Node &node);
  std::string judgeDepth(const Node &node, llvm::StringRef type) const;

  NodeLimits limits;
  bool anyRange = false;
};

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_POLICY_NODERULES_H
