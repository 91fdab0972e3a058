//===- Uses.h - Who reads a value, seen through what passes it on -*- C++ -*-=//
//
// Walks from a value to its readers. Chains of readers are as long as the
// user's graph, so nothing here recurses.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ANALYSIS_USES_H
#define AMP_ANALYSIS_USES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace amp {

/// What a use means to a walk over all readers of a value.
enum class UseKind {
  Fits,  ///< as wanted
  Fails, ///< ends the walk
  Passes ///< the first result of the reader is the value, to be asked instead
};

/// True if every use of the value fits, also of what passes it on. A value
/// without uses fits.
bool allUses(mlir::Value value,
             llvm::function_ref<UseKind(mlir::OpOperand &)> kind);

/// True if some use, also of what passes the value on, is `wanted`.
bool anyUse(mlir::Value value,
            llvm::function_ref<bool(mlir::OpOperand &)> wanted,
            llvm::function_ref<bool(mlir::OpOperand &)> passes);

} // namespace amp

#endif // AMP_ANALYSIS_USES_H
