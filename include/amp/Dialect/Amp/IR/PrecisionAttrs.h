//===- PrecisionAttrs.h - How exactly a program must round ------*- C++ -*-===//
//
// Attributes that several stages read: set before the precision stage, kept by
// every pass (docs/Precision.md).
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_PRECISIONATTRS_H
#define AMP_DIALECT_AMP_IR_PRECISIONATTRS_H

#include "llvm/ADT/StringRef.h"

namespace amp {

/// Unit attribute of a module: inside kernels, too, the result of every op is
/// rounded to its element type, as if each op had a kernel of its own.
inline constexpr llvm::StringLiteral kStrictRoundingAttr =
    "amp.strict_rounding";

/// Unit attribute of a module: every op has a kernel of its own.
inline constexpr llvm::StringLiteral kUnfusedAttr = "amp.unfused";

/// Unit attribute of an exponential whose operand is at most 0 by how the op
/// it is a piece of is defined; set where rounding is strict.
inline constexpr llvm::StringLiteral kShiftedAttr = "amp.shifted";

/// String attribute of a module: "low" if ops may sum in their operands' type,
/// else they sum in float32.
inline constexpr llvm::StringLiteral kAccumulationAttr = "amp.accumulation";

/// Unit attribute of an op that is allowed to sum in less than float32.
inline constexpr llvm::StringLiteral kLowAccumulationAttr =
    "amp.low_accumulation";

/// Unit attribute of an op that is float32 by definition, as the update of a
/// parameter is: no policy lowers it, what it reads or what it gives.
inline constexpr llvm::StringLiteral kFloat32OnlyAttr = "amp.float32_only";

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_PRECISIONATTRS_H
