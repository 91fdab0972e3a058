//===- Windows.h - Attributes of sliding windows ----------------*- C++ -*-===//
//
// What convolutions and poolings share: checks of strides, pads, dilations and
// the size of the result.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_IR_OPS_WINDOWS_H
#define AMP_LIB_DIALECT_AMP_IR_OPS_WINDOWS_H

#include "amp/Dialect/Amp/IR/Amp.h"

namespace amp {

/// The window attributes of an op, and the extent of the window.
struct Windows {
  /// Extent of the window in each spatial dimension.
  llvm::ArrayRef<int64_t> kernel;
  /// Steps between windows.
  llvm::ArrayRef<int64_t> strides;
  /// Begins, then ends.
  llvm::ArrayRef<int64_t> pads;
  /// Distance between the elements of a window.
  llvm::ArrayRef<int64_t> dilations;
};

/// Checks number and range of the attributes for `input` (the spatial part of
/// a shape) and that the windows give exactly `output`.
mlir::LogicalResult verifyWindows(mlir::Operation *op, const Windows &windows,
                                  llvm::ArrayRef<int64_t> input,
                                  llvm::ArrayRef<int64_t> output);

} // namespace amp

#endif // AMP_LIB_DIALECT_AMP_IR_OPS_WINDOWS_H
