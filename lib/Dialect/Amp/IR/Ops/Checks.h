//===- Checks.h - Shape and type checks of the verifiers --------*- C++ -*-===//
//
// Checks that several op families share; each reports its own diagnostic.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_IR_OPS_CHECKS_H
#define AMP_LIB_DIALECT_AMP_IR_OPS_CHECKS_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Dialect/Amp/IR/PrecisionAttrs.h"

namespace amp {

/// Text of a shape for diagnostics: `[2, 3]`.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// Checks that `acc` is a type in which `element` may be summed: a float of at
/// least 32 bits for floats, an integer at least as wide for integers.
mlir::LogicalResult verifyAccumulator(mlir::Operation *op, mlir::Type acc,
                                      mlir::Type element);

/// Checks that `value` (called `what` in the diagnostic) has this shape.
mlir::LogicalResult verifyShape(mlir::Operation *op, llvm::StringRef what,
                                mlir::Value value,
                                llvm::ArrayRef<int64_t> shape);

/// Checks that `value` has float32 elements.
mlir::LogicalResult verifyFloat32(mlir::Operation *op, llvm::StringRef what,
                                  mlir::Value value);

/// Checks that `value` has the element type of `other` (called `otherName`).
mlir::LogicalResult verifySameElement(mlir::Operation *op, llvm::StringRef what,
                                      mlir::Value value,
                                      llvm::StringRef otherName,
                                      mlir::Value other);

/// The same of an op that may round while it moves: both may be floats.
mlir::LogicalResult verifyConvertible(mlir::Operation *op, llvm::StringRef what,
                                      mlir::Value value,
                                      llvm::StringRef otherName,
                                      mlir::Value other);

/// Checks that 0 <= axis < rank.
mlir::LogicalResult verifyAxis(mlir::Operation *op, int64_t axis, int64_t rank);

/// Checks that an attribute has one entry for each of `count` things (`per`).
mlir::LogicalResult verifyCount(mlir::Operation *op, llvm::StringRef attribute,
                                size_t got, size_t count, llvm::StringRef per);

} // namespace amp

#endif // AMP_LIB_DIALECT_AMP_IR_OPS_CHECKS_H
