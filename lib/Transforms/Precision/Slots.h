//===- Slots.h - Which operands of an op demand which type ------*- C++ -*-===//
//
// Shared by assignment, cast insertion and verification.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_SLOTS_H
#define AMP_LIB_TRANSFORMS_PRECISION_SLOTS_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Transforms/Precision/Passes.h"
#include "amp/Transforms/Precision/Policy.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace amp {

/// What an operand or result slot demands.
enum class Slot {
  None,  ///< not a float tensor
  Low,   ///< the type the op computes in (operand of a contraction)
  Wide,  ///< float32
  Same,  ///< the type of the op's result (transparent ops)
  Any,   ///< any storage type: registers are float32
  Saved, ///< the low type: a float32 value of forward kept for backward
};

/// The demand of an operand.
Slot operandSlot(mlir::OpOperand &operand);

/// True for a float tensor of static shape.
bool isFloatTensor(mlir::Type type);

/// A batch norm divides by the spread of its input, so it amplifies what was
/// rounded before it. In a function with batch norms (this attribute, set by
/// amp-assign-precision) convolutions that low precision cannot speed up stay
/// float32, and so do gradients on their way into a norm.
inline constexpr llvm::StringLiteral kNormalisedAttr = "amp.normalised";

/// A convolution with fewer channels than this on either side (per group) adds
/// up few products, so that their rounding averages out least. In a normalised
/// network it computes in float32 and its result stays float32 until forward is
/// done with it; what backward wants of it is kept in the low type. For what
/// that costs see docs/Rationale.md P5.
inline constexpr int64_t kNarrowChannels = 16;

/// True for a convolution, or a gradient of one, with too few channels, in a
/// normalised network.
bool isNarrowConvolution(mlir::Operation *op);

/// True if the function has batch norms, in training or inference.
bool hasBatchNorm(mlir::func::FuncOp function);

/// True for an op of a function with batch norms.
bool inNormalisedNetwork(mlir::Operation *op);

/// The op's class by its definition; Transparent also for ops that the runtime
/// only runs with one type for input and output (average pooling).
PrecisionClass definedClass(mlir::Operation *op);

/// The part of a step that the op belongs to; forward if it does not say.
Phase phaseOf(mlir::Operation *op);

/// The class that amp-apply-policy gave the op, else the one by definition.
PolicyClass policyClass(mlir::Operation *op);

/// The same in four classes: Promote is Follow, Clear is Transparent (Follow
/// where it computes), Block is Keep.
PrecisionClass effectiveClass(mlir::Operation *op);

/// The rule that gave the op its class; empty without policy.
llvm::StringRef policyRule(mlir::Operation *op);

/// The class is that of the ONNX node as a whole, which the op is a part of.
bool isWholeNode(mlir::Operation *op);

/// The user, not the preset, wants the op low or float32.
bool isForced(mlir::Operation *op);

/// The type in which the user wants a result stored, or null.
mlir::Type forcedStorage(mlir::OpResult result);

/// A matrix product, convolution or attention, whatever its policy.
bool isContraction(mlir::Operation *op);

/// Input and output have one type.
bool isUniform(mlir::Operation *op);

/// The policy reads this operand low though it is float32 as a rule.
bool isLowOperand(mlir::OpOperand &operand);

/// The result stays float32 by definition and the policy makes no exception.
bool isWideResult(mlir::OpResult result);

/// "conv" or "conv_input_grad" where an op wants a copy of a weight in a layout
/// of its own, else empty.
llvm::StringRef layoutUse(mlir::Operation *user, mlir::Value weight);

/// True for an op of class promote that reads what an op of class keep made, as
/// it is or moved: it gets float32, though other readers may have it stored
/// low.
bool readsKept(mlir::Operation *op);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_SLOTS_H
