//===- CastMoves.h - Over which ops a cast may move -------------*- C++ -*-===//
//
// Asked by amp-simplify-casts, which moves casts, and by the assignment, which
// predicts where they will stand.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_CASTMOVES_H
#define AMP_LIB_TRANSFORMS_PRECISION_CASTMOVES_H

#include "amp/Dialect/Amp/IR/Amp.h"

namespace amp {

/// A cast behind the op, of its only result, may move in front of it: a
/// narrowing where there are not more elements, as other uses may share it and
/// the op moves less then; a widening only in front of what repeats elements.
bool mayHoistCast(mlir::Operation *op, bool narrows);

/// A cast of `source` in front of the op, which reads it as its first operand,
/// may move behind it: a narrowing where the op drops elements and nothing
/// makes them in the low type, or where it repeats a single one; a widening
/// wherever there are not more elements. Largest and smallest elements are the
/// same before and after a rounding.
bool maySinkCast(mlir::Operation *op, mlir::Value source, bool narrows);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_CASTMOVES_H
