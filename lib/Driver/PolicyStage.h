//===- PolicyStage.h - Precision options of a compile -----------*- C++ -*-===//

#ifndef AMP_LIB_DRIVER_POLICYSTAGE_H
#define AMP_LIB_DRIVER_POLICYSTAGE_H

#include "amp/Driver/Compile.h"
#include "amp/Pipelines/Stages.h"
#include "mlir/IR/BuiltinOps.h"

namespace amp {

/// The policy of a request, read and checked before the model is.
class PolicyStage {
public:
  /// Reads the config file and checks names. Returns the exit code of a
  /// failure, with a message, or 0.
  int prepare(const CompileRequest &request, std::string &message);
  /// Tells the module what its ONNX nodes, op types and tensors are called, if
  /// the user names any.
  void nameNodes(mlir::ModuleOp module, const ImportReport &report) const;
  void build(mlir::OpPassManager &manager) const;
  /// Exit code of a failure with this message: 3 if the file is to blame.
  int exitCodeOf(llvm::StringRef message) const;
  /// Writes what holds in the end, if asked to; a message on failure.
  std::string dump() const;
  /// What may surprise the user.
  std::vector<std::string> warnings() const;

private:
  PolicyRequest request;
  std::string precision, fileText;
};

} // namespace amp

#endif // AMP_LIB_DRIVER_POLICYSTAGE_H
