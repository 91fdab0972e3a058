//===- SweepPlan.h - What each pass over a row computes ---------*- C++ -*-===//
//
// A row is swept once per level of reductions: softmax takes a sweep for the
// maximum, one for the sum and one for the result. The plan says what every
// sweep computes again, keeps in a row buffer, stores and reduces.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_SWEEPPLAN_H
#define AMP_CODEGEN_SWEEPPLAN_H

#include "amp/Codegen/RowSpace.h"
#include "llvm/ADT/MapVector.h"

namespace amp {

/// One sweep and the row values made before it.
struct Sweep {
  /// Ops with one result per row, in order, then outputs of one per row.
  llvm::SmallVector<mlir::Operation *> rowOps;
  llvm::SmallVector<unsigned> rowStores;
  /// Ops with a result per column, in order.
  llvm::SmallVector<mlir::Operation *> ops;
  /// Values read from row buffers, and those written to them.
  llvm::MapVector<mlir::Value, unsigned> loads;
  llvm::MapVector<mlir::Value, unsigned> saves;
  /// Reductions whose value is ready after the sweep.
  llvm::SmallVector<mlir::Operation *> reductions;
  /// Outputs: full ones, and partial sums over rows.
  llvm::SmallVector<unsigned> stores;
  llvm::SmallVector<unsigned> partials;
  /// Dropouts among `ops`.
  llvm::SmallVector<mlir::Operation *> dropouts;

  bool touchesColumns() const {
    return !reductions.empty() || !stores.empty() || !partials.empty();
  }
};

/// The sweeps of a kernel and the memory they keep.
class SweepPlan {
public:
  SweepPlan(KernelOp kernel, const RowSpace &space);

  std::vector<Sweep> sweeps;
  /// Number of row buffers, of float32 or, for its values, float64.
  unsigned buffers = 0;
  /// All dropouts with a value per column.
  llvm::SmallVector<mlir::Operation *> dropouts;

  /// Sweep in which an output is stored.
  unsigned sweepOfOutput(unsigned output) const { return outputSweep[output]; }
  /// True if the sweep reads the input column by column.
  bool readsInput(unsigned sweep, mlir::BlockArgument input) const;

private:
  void findLevels();
  void placeOutputs();
  void planSweep(unsigned number);
  void planRowOps();
  bool isFull(mlir::Value value) const;
  unsigned levelOf(mlir::Value value) const { return level.lookup(value); }

  KernelOp kernel;
  const RowSpace &space;
  llvm::DenseMap<mlir::Value, unsigned> level;
  llvm::DenseMap<mlir::Value, unsigned> firstSweep;
  llvm::DenseMap<mlir::Value, unsigned> bufferOf;
  llvm::DenseMap<mlir::Value, int64_t> coneCost;
  llvm::SmallVector<unsigned> outputSweep;
};

/// True for a reduction of more than one element per row (others are the
/// identity).
bool reducesRows(mlir::Operation *op);

/// True for a block argument that holds the state of random numbers: it has a
/// shape of its own, not one of the domain.
bool isControlInput(mlir::Value value);

} // namespace amp

#endif // AMP_CODEGEN_SWEEPPLAN_H
