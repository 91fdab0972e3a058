//===- Broadcast.h - Shape rules shared by all stages -----------*- C++ -*-===//
//
// NumPy's broadcasting rule, as verifiers, import and gradients use it.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_BROADCAST_H
#define AMP_DIALECT_AMP_IR_BROADCAST_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace amp {

/// Shape that two shapes broadcast to, or nullopt if they do not.
std::optional<llvm::SmallVector<int64_t>>
broadcastShapes(llvm::ArrayRef<int64_t> lhs, llvm::ArrayRef<int64_t> rhs);

/// Broadcast shape of two ranked tensor types with the element type (and
/// encoding) of `lhs`. Both must broadcast.
mlir::RankedTensorType broadcastType(mlir::Type lhs, mlir::Type rhs);

/// Dimensions of `to` along which `from` is repeated: missing leading ones and
/// those where `from` has 1 and `to` has not. A gradient of shape `to` is
/// summed over them to get the gradient of `from`.
llvm::SmallVector<int64_t> repeatedDims(llvm::ArrayRef<int64_t> from,
                                        llvm::ArrayRef<int64_t> to);

/// The ranked tensor type of a value.
inline mlir::RankedTensorType tensorType(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// `type` with another element type, same shape and encoding.
inline mlir::RankedTensorType withElement(mlir::Type type, mlir::Type element) {
  auto tensor = llvm::cast<mlir::RankedTensorType>(type);
  return mlir::RankedTensorType::get(tensor.getShape(), element,
                                     tensor.getEncoding());
}

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_BROADCAST_H
