//===- NodeVerdicts.h - Rules that keep whole nodes float32 -----*- C++ -*-===//
//
// A rule of a preset judges the forward ops of a node; the gradients of the
// node, found by its names, follow.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_POLICY_NODEVERDICTS_H
#define AMP_LIB_TRANSFORMS_PRECISION_POLICY_NODEVERDICTS_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <string>

namespace amp {

class NodeVerdicts {
public:
  /// Keeps the forward ops of one node float32, and what has its names.
  void keep(llvm::ArrayRef<mlir::Operation *> node, llvm::StringRef rule);

  /// The rule that keeps the node of an op float32, with the number that
  /// decided; empty if none does.
  llvm::StringRef of(mlir::Operation *op) const;

private:
  llvm::DenseMap<mlir::Operation *, std::string> forward;
  llvm::StringMap<std::string> byName;
};

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_POLICY_NODEVERDICTS_H
