//===- Layout.h - Physical shapes of encoded tensors ------------*- C++ -*-===//
//
// A tensor's type says its logical shape; its encoding says in which order the
// elements lie in memory. Kernels only see physical, row-major shapes.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_LAYOUT_H
#define AMP_DIALECT_AMP_IR_LAYOUT_H

#include "amp/Dialect/Amp/IR/Amp.h"

namespace amp {

/// True if the type carries `#amp.channels_last`.
bool isChannelsLast(mlir::Type type);

/// `type` with or without `#amp.channels_last`.
mlir::RankedTensorType withChannelsLast(mlir::Type type, bool on);

/// Logical dimension behind each physical one: {0, 2, ..., r-1, 1} for a
/// channels-last tensor of rank r, else the identity.
llvm::SmallVector<int64_t> physicalOrder(unsigned rank, bool channelsLast);

/// The row-major type of the memory of `type`, without encoding.
mlir::RankedTensorType physicalType(mlir::Type type);

/// The physical type of an operand that broadcasts to a value of rank `rank`
/// and the given layout: padded with leading 1s where that is channels-last.
mlir::RankedTensorType physicalOperandType(mlir::Type type, unsigned rank,
                                           bool channelsLast);

/// True if the row-major memory of `type` is also its channels-last memory
/// once padded to `rank` (at most one of channels and space is larger than 1).
bool sameMemoryBothWays(mlir::Type type, unsigned rank);

/// Element strides of the memory of `type`, in logical dimension order.
llvm::SmallVector<int64_t> elementStrides(mlir::Type type);

/// Bytes of one element in memory (i1 is one byte) and of a tensor.
int64_t elementBytes(mlir::Type element);
int64_t tensorBytes(mlir::Type type);

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_LAYOUT_H
