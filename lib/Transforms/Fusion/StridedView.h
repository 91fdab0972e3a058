//===- StridedView.h - A value as a strided view of another -----*- C++ -*-===//
//
// Plain bookkeeping behind amp-compose-views.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_FUSION_STRIDEDVIEW_H
#define AMP_LIB_TRANSFORMS_FUSION_STRIDEDVIEW_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include <optional>

namespace amp {

/// Element i of the view is element `offset + sum i * strides` of `root`,
/// both counted in the root's row-major order.
struct StridedView {
  mlir::Value root;
  int64_t offset = 0;
  llvm::SmallVector<int64_t> shape, strides;

  /// True if the view is the whole root in its own order.
  bool isDense() const;
};

/// The view of the whole of a row-major value.
StridedView wholeOf(mlir::Value value);

/// The view that `op` (reshape, transpose, slice, broadcast) makes of its
/// operand, seen through the views already known; nullopt if the op is none of
/// these, reads a channels-last tensor, or its reshape needs a copy.
std::optional<StridedView>
composeView(mlir::Operation *op,
            const llvm::DenseMap<mlir::Value, StridedView> &known);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_FUSION_STRIDEDVIEW_H
