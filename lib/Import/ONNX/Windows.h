//===- Windows.h - Windows that slide over a tensor -------------*- C++ -*-===//
//
// The attributes that convolutions and pools share, checked and completed.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_IMPORT_ONNX_WINDOWS_H
#define AMP_LIB_IMPORT_ONNX_WINDOWS_H

#include "NodeBinder.h"

namespace amp::onnximport {

/// A window that slides over the spatial dimensions.
struct Windows {
  llvm::SmallVector<int64_t> kernel, strides, dilations;
  /// Begins, then ends; the ends include what ceil_mode adds.
  llvm::SmallVector<int64_t> pads;
  /// Number of positions in each dimension.
  llvm::SmallVector<int64_t> output;
  /// ceil_mode made an end longer than the file says.
  bool extended = false;
};

/// Reads kernel_shape (or takes `kernel`), strides, pads, auto_pad, dilations
/// and ceil_mode for an input of these spatial sizes.
FailureOr<Windows> readWindows(NodeBinder &b, llvm::ArrayRef<int64_t> spatial,
                               llvm::ArrayRef<int64_t> kernel);

} // namespace amp::onnximport

#endif // AMP_LIB_IMPORT_ONNX_WINDOWS_H
