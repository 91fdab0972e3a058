//===- ModelNames.h - Names that the model has taken ------------*- C++ -*-===//
//
// Ops that the compiler adds (a loss, the update) have names of their own in
// messages, reports and policies. A model may have a node of such a name.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_AUTODIFF_MODELNAMES_H
#define AMP_LIB_TRANSFORMS_AUTODIFF_MODELNAMES_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

namespace amp {

class ModelNames {
public:
  /// Names of nodes, inputs and outputs of @forward, and of initializers.
  explicit ModelNames(mlir::ModuleOp module);

  /// A location with this name or, where the model has it, with as many `amp.`
  /// in front as it takes.
  mlir::Location locationOf(llvm::StringRef name) const;

private:
  mlir::MLIRContext *context;
  llvm::StringSet<> taken;
};

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_AUTODIFF_MODELNAMES_H
