//===- ScalarMath.h - Elementwise ops on single numbers ---------*- C++ -*-===//
//
// What an elementwise op does to one element of each operand.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_IR_FOLDS_SCALARMATH_H
#define AMP_LIB_DIALECT_AMP_IR_FOLDS_SCALARMATH_H

#include "Numbers.h"
#include <functional>

namespace amp {

/// Function of one element of each operand; nullopt where the result is
/// undefined (integer division by zero).
using ScalarFunction =
    std::function<std::optional<Number>(llvm::ArrayRef<Number>)>;

/// The function of an op that computes on floats (`isFloat`) or on integers,
/// or null if the op is not one of these. Casts and selects are moves, not
/// functions of numbers.
ScalarFunction scalarFunction(mlir::Operation *op, bool isFloat,
                              bool isUnsigned);

} // namespace amp

#endif // AMP_LIB_DIALECT_AMP_IR_FOLDS_SCALARMATH_H
