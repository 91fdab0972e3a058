//===- GraphIndex.h - Names of nodes, ops and values ------------*- C++ -*-===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_POLICY_GRAPHINDEX_H
#define AMP_LIB_TRANSFORMS_PRECISION_POLICY_GRAPHINDEX_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace amp {

/// What users may name. Built once for a module; functions whose casts are in
/// place already are left out.
class GraphIndex {
public:
  explicit GraphIndex(mlir::ModuleOp module);

  /// Ordered, so that messages and results do not depend on hashing.
  using OpMap = std::map<std::string, llvm::SmallVector<mlir::Operation *>>;
  /// Ops by the name of an ONNX node, all phases. Where the model is known, the
  /// compiler's own names (of the update, of a loss) are none. The name of a
  /// node in the body of a loop stands for all of its iterations.
  OpMap nodes;
  /// Forward ops by mnemonic, by full name (amp.softmax) and by ONNX op type.
  OpMap types;
  /// Values by the name of an input, initializer, output, or ONNX tensor;
  /// several where several functions have it.
  std::map<std::string, llvm::SmallVector<mlir::Value>> values;

  llvm::SmallVector<mlir::func::FuncOp> functions;

  /// Names of ONNX nodes in a location.
  static llvm::SmallVector<llvm::StringRef> namesOf(mlir::Operation *op);
  /// These ops and the backward ops of their nodes.
  llvm::SetVector<mlir::Operation *>
  withBackward(llvm::ArrayRef<mlir::Operation *> ops) const;
  /// Ops other than moves that read the value, seen through moves and casts.
  static llvm::SetVector<mlir::Operation *> readers(mlir::Value value);
  /// Forward ops on a path from one of `from` to one of `to`, those that make
  /// the latter included.
  llvm::SetVector<mlir::Operation *>
  between(llvm::ArrayRef<mlir::Value> from,
          llvm::ArrayRef<mlir::Value> to) const;

private:
  void addFunction(mlir::func::FuncOp function);
  void dropOwnNames();
  void addMergedNames(mlir::ModuleOp module);
  void addModelNames();

  /// Names of the model, if the module has them (amp.model_nodes).
  mlir::DictionaryAttr model;
  void addLoopNames();
};

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_POLICY_GRAPHINDEX_H
