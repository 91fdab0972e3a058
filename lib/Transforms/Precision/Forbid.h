//===- Forbid.h - What range evidence rules out -----------------*- C++ -*-===//
//
// amp-analyze-ranges writes `amp.forbid = {f16 = "RULE: reason", bf16 = ...}`
// on ops whose results must not be stored in, and which must not compute in, a
// type; every assignment and the insertion of casts ask here.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_FORBID_H
#define AMP_LIB_TRANSFORMS_PRECISION_FORBID_H

#include "amp/Dialect/Amp/IR/Amp.h"

namespace amp {

/// Attribute on ops: {f16 = string, bf16 = string}, either may be absent.
inline constexpr llvm::StringLiteral kForbidAttr = "amp.forbid";
/// Attribute on ops: one dictionary {lo, hi, src, why} for each float result,
/// empty where nothing is known.
inline constexpr llvm::StringLiteral kRangeAttr = "amp.range";
/// Attribute on a select of a mask sentinel: the sentinel may become the lowest
/// finite number of the type in which the scores are stored.
inline constexpr llvm::StringLiteral kClampAttr = "amp.clamp";
/// Attribute on the select afterwards: what became of the sentinel, in words.
inline constexpr llvm::StringLiteral kClampedAttr = "amp.clamped";
/// Attribute on ops and function arguments: what calibration measured, one
/// dictionary for each result, empty where nothing was.
inline constexpr llvm::StringLiteral kCalibratedAttr = "amp.calibrated";
/// What calibration measured of a result or of a function's argument; null if
/// nothing.
mlir::DictionaryAttr calibratedRange(mlir::Value value);
/// The largest finite magnitude in it.
double largestMeasured(mlir::DictionaryAttr measured);
/// Attribute on modules: values that f16 cannot hold may be bf16.
inline constexpr llvm::StringLiteral kAllowBF16Attr = "amp.allow_bf16";

/// "f16" or "bf16", the key of a type in kForbidAttr.
llvm::StringRef forbidKey(mlir::Type low);

/// Why the op must not use the type; empty if it may.
llvm::StringRef forbidReason(mlir::Operation *op, mlir::Type low);

/// The rule of a reason: what is before the colon.
llvm::StringRef ruleOf(llvm::StringRef reason);

/// The type in place of `low` for an op: `low` itself where it is not
/// forbidden, bf16 where the module allows that, else float32.
mlir::FloatType permittedType(mlir::Operation *op, mlir::FloatType low);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_FORBID_H
