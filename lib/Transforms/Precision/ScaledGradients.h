//===- ScaledGradients.h - Who sees a scaled gradient -----------*- C++ -*-===//
//
// "Scaled" is a state of a value: a gradient is scaled from its seed to the one
// op that unscales it, and what is not linear must not see it in between.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_SCALEDGRADIENTS_H
#define AMP_LIB_TRANSFORMS_PRECISION_SCALEDGRADIENTS_H

#include "amp/Dialect/Amp/IR/Amp.h"

namespace amp {

/// Follows gradients from every seed and every sum of micro-batches through the
/// functions of a module. An error names the first op that
/// - reads a scaled gradient and is not linear (a clip, a norm, a check),
/// - multiplies two of them, or adds one to a value that is not scaled by the
///   same value,
/// - unscales one a second time or by another value than scaled it,
/// - writes or returns one,
/// - changes the scale within a window of micro-batches.
mlir::LogicalResult verifyScaledGradients(mlir::ModuleOp module);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_SCALEDGRADIENTS_H
