//===- Slots.h - Which operands of an op demand which type -------*- C++ -*-===//
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
  None,    ///< not a float tensor
  Low,     ///< the low type (operand of a contraction)
  Wide,    ///< float32
  Same,    ///< the type of the op's result (transparent ops)
  Any,     ///< any storage type: registers are float32
};

/// The demand of an operand.
Slot operandSlot(mlir::OpOperand &operand);

/// True for a float tensor.
bool isFloatTensor(mlir::Type type);

/// The op's class; Transparent also for ops that the runtime only runs with
/// one type for input and output (average pooling).
PrecisionClass effectiveClass(mlir::Operation *op);

/// True if nothing but float32 slots read the value, seen through transparent
/// ops.
bool onlyWideUses(mlir::Value value);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_SLOTS_H
