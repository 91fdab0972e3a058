//===- RowKernels.h - Kernels that a target has no body for -----*- C++ -*-===//
//
// CUDA has bodies for elementwise kernels only.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DRIVER_ROWKERNELS_H
#define AMP_LIB_DRIVER_ROWKERNELS_H

#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace amp {

/// Erases the kernels that reduce rows or sum columns and names them in a
/// warning; leaves all where there would be nothing left.
void dropRowKernels(mlir::ModuleOp module, std::vector<std::string> &warnings);

} // namespace amp

#endif // AMP_LIB_DRIVER_ROWKERNELS_H
