//===- Splat.h - Constants of one number ------------------------*- C++ -*-===//

#ifndef AMP_LIB_TRANSFORMS_AUTODIFF_SPLAT_H
#define AMP_LIB_TRANSFORMS_AUTODIFF_SPLAT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace amp {

/// `value` for every element of a float tensor, rounded to its type.
inline mlir::DenseElementsAttr splatOf(mlir::RankedTensorType type,
                                       double value) {
  return mlir::DenseElementsAttr::get(
      type, mlir::FloatAttr::get(type.getElementType(), value));
}

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_AUTODIFF_SPLAT_H
