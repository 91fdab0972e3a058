//===- Activity.h - Which values a gradient passes through ------*- C++ -*-===//
//
// The values on a path from given sources to given sinks.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ANALYSIS_ACTIVITY_H
#define AMP_ANALYSIS_ACTIVITY_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace amp {

/// True if a change of the operand changes the result smoothly, so that a
/// gradient flows from the result to the operand.
using DifferentiableEdge =
    llvm::function_ref<bool(mlir::OpOperand &, mlir::OpResult)>;

/// Values of `block` that depend on a source and that a sink depends on,
/// following only edges that `edge` accepts. Two sweeps over the block; ops
/// outside it are not entered.
llvm::DenseSet<mlir::Value> activeValues(mlir::Block &block,
                                         llvm::ArrayRef<mlir::Value> sources,
                                         llvm::ArrayRef<mlir::Value> sinks,
                                         DifferentiableEdge edge);

} // namespace amp

#endif // AMP_ANALYSIS_ACTIVITY_H
