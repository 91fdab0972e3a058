//===- KernelChecks.h - What a kernel body may contain ----------*- C++ -*-===//
//
// Rejects kernels that code generation cannot compile, with a diagnostic that
// names the kernel and the op.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_KERNELCHECKS_H
#define AMP_CODEGEN_KERNELCHECKS_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include <optional>

namespace amp {

/// Axes of a row reduction, or nullopt for other ops.
std::optional<llvm::ArrayRef<int64_t>> reducedAxes(mlir::Operation *op);

/// True for the ops that code generation emits element by element.
bool isElementwise(mlir::Operation *op);

/// True if registers exist for the element type.
bool isSupportedElement(mlir::Type element);

/// Checks ops, types and terminator of a body.
mlir::LogicalResult checkKernelBody(KernelOp kernel);

} // namespace amp

#endif // AMP_CODEGEN_KERNELCHECKS_H
