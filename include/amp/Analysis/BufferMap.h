//===- BufferMap.h - Where each value of a function lives -------*- C++ -*-===//
//
// One answer for memory planning and for scheduling: which values share
// memory, which live in a variable, an argument, a result or a constant, and
// which need a place in the arena, and for how long.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ANALYSIS_BUFFERMAP_H
#define AMP_ANALYSIS_BUFFERMAP_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace amp {

/// Home of the memory behind a value.
struct Home {
  BufferSpace space = BufferSpace::Arena;
  /// Argument or result number; -1 elsewhere.
  int64_t index = -1;
  /// Variable read or written, for space Variable.
  mlir::FlatSymbolRefAttr variable;
};

/// Lifetime of an arena buffer in op positions, both ends included.
struct Lifetime {
  mlir::Value root;
  int64_t bytes = 0, first = 0, last = 0;
};

class BufferMap {
public:
  explicit BufferMap(mlir::func::FuncOp function);

  /// The value whose memory `value` shares (itself if it has its own).
  mlir::Value rootOf(mlir::Value value) const;
  /// Where the memory of `value` lives.
  Home homeOf(mlir::Value value) const;
  /// All arena buffers, in order of their first use.
  llvm::ArrayRef<Lifetime> lifetimes() const { return arena; }
  /// Place in the launch order of an op; all optimizer steps (and all
  /// accumulations) of a function are one launch at the place of the last.
  int64_t positionOf(mlir::Operation *op) const;
  /// Results of the function that no launch writes directly: they are copied.
  bool resultIsCopied(unsigned index) const {
    return copiedResults.contains(index);
  }

private:
  void findAliases(mlir::Block &body);
  void findHomes(mlir::func::FuncOp function);
  void findLifetimes(mlir::Block &body);

  llvm::DenseMap<mlir::Value, mlir::Value> aliasOf;
  llvm::DenseMap<mlir::Value, Home> homes;
  llvm::DenseMap<mlir::Operation *, int64_t> positions;
  llvm::DenseSet<unsigned> copiedResults;
  llvm::SmallVector<Lifetime> arena;
};

/// The value that result `result` of its op overwrites in place, or null: a
/// reshape, a free relayout, or the state operand of an update.
mlir::Value inPlaceOperand(mlir::OpResult result);

} // namespace amp

#endif // AMP_ANALYSIS_BUFFERMAP_H
