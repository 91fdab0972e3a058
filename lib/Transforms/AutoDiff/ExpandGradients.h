//===- ExpandGradients.h - Gradients that a model asks for ------*- C++ -*-===//
//
// Differentiates the bodies of amp.gradient in place.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_AUTODIFF_EXPANDGRADIENTS_H
#define AMP_LIB_TRANSFORMS_AUTODIFF_EXPANDGRADIENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace amp {

/// True if the function holds an amp.gradient.
bool hasGradientOps(mlir::func::FuncOp function);

/// Replaces every amp.gradient of the function by its body and the gradient of
/// it, which has the phase and the name of the op, and merges equal ops. An op
/// without gradient between an argument and y is an error.
mlir::LogicalResult expandGradients(mlir::func::FuncOp function);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_AUTODIFF_EXPANDGRADIENTS_H
