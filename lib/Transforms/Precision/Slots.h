//===- Slots.h - Which operands of an op demand which type ------*- C++ -*-===//
//
// Shared by assignment, cast insertion and verification.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_SLOTS_H
#define AMP_LIB_TRANSFORMS_PRECISION_SLOTS_H

#include "amp/Dialect/Amp/IR/Amp.h"

namespace amp {

/// What an operand or result slot demands.
enum class Slot {
  None,  ///< not a float tensor
  Low,   ///< the low type (operand of a contraction)
  Wide,  ///< float32
  Same,  ///< the type of the op's result (transparent ops)
  Any,   ///< any storage type: registers are float32
  Saved, ///< the low type: a float32 value of forward kept for backward
};

/// The demand of an operand.
Slot operandSlot(mlir::OpOperand &operand);

/// True for a float tensor.
bool isFloatTensor(mlir::Type type);

/// A batch norm divides by the spread of its input, so it amplifies what was
/// rounded before it. In a function with batch norms (this attribute, set by
/// amp-assign-precision) convolutions that low precision cannot speed up stay
/// float32, and so do gradients on their way into a norm.
inline constexpr llvm::StringLiteral kNormalisedAttr = "amp.normalised";

/// Below this many channels on either side (per group) a convolution is taken
/// to gain little from low-precision products: libraries pad channels to blocks
/// of 16, and a depthwise one is bound by memory (docs/Rationale.md P5). In a
/// normalised network it computes in float32 and its result stays float32 until
/// forward is done with it; what backward wants of it is kept in the low type.
inline constexpr int64_t kNarrowChannels = 16;

/// True for a convolution, or a gradient of one, with too few channels, in a
/// normalised network.
bool isNarrowConvolution(mlir::Operation *op);

/// True for an op of a function with batch norms.
bool inNormalisedNetwork(mlir::Operation *op);

/// The op's class; Transparent also for ops that the runtime only runs with
/// one type for input and output (average pooling).
PrecisionClass effectiveClass(mlir::Operation *op);

/// True if nothing but float32 slots read the value, seen through transparent
/// ops.
bool onlyWideUses(mlir::Value value);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_SLOTS_H
