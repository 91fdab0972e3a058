//===- Readers.h - What reads and what makes a value -----------*- C++ -*-===//
//
// Seen through ops that only move values. One walk over a function answers for
// all of its values: chains of moves are as long as the user's graph.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_ASSIGN_READERS_H
#define AMP_LIB_TRANSFORMS_PRECISION_ASSIGN_READERS_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace amp {

class Readers {
public:
  explicit Readers(mlir::func::FuncOp function);

  /// Nothing but float32 slots read the value.
  bool onlyWide(mlir::OpResult result) const {
    return !otherwise.contains(result);
  }

  /// A parameter, or a part of one in whatever shape, on its way to ops other
  /// than contractions: rows of a table, scales and biases behind a reshape,
  /// class tokens. It stays float32 (docs/Rationale.md P12).
  bool isUnmultipliedParameter(mlir::OpResult result) const {
    return movedParameters.contains(result) && !multiplied.contains(result);
  }

private:
  void visitMaker(mlir::Operation *op, llvm::DenseSet<mlir::Value> &parameters);

  /// Values that some slot which is not float32 reads, and those that a
  /// contraction does.
  llvm::DenseSet<mlir::Value> otherwise, multiplied;
  /// Views, parts and joins of parameters and of nothing else.
  llvm::DenseSet<mlir::Value> movedParameters;
};

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_ASSIGN_READERS_H
