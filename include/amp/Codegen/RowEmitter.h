//===- RowEmitter.h - Loops over units, rows and columns --------*- C++ -*-===//
//
// Emits the body of a kernel's work function: loops of a CPU thread, or the
// one step of a GPU thread.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_ROWEMITTER_H
#define AMP_CODEGEN_ROWEMITTER_H

#include "amp/Codegen/KernelShape.h"
#include "amp/Codegen/LaneBuilder.h"
#include "amp/Codegen/OpEmitter.h"

namespace amp {

/// A range of columns; `length` is -1 where it is known at run time only.
struct ColumnRange {
  mlir::Value begin, end;
  int64_t length;
};

/// Emits loops for one kernel. Values are looked up in three places: registers
/// of the current vector, scalars of the current row, memory.
class RowEmitter {
public:
  /// `pointers` are the addresses of inputs, then outputs; `rowMemory` is
  /// KernelShape::rowMemoryBytes of private memory.
  RowEmitter(KernelOp kernel, const RowSpace &space, const SweepPlan &plan,
             const KernelShape &shape, LaneBuilder wide,
             mlir::ValueRange pointers, mlir::Value rowMemory);

  /// Loops over the units [begin, end).
  void emitUnits(mlir::Value begin, mlir::Value end);

  /// Computes one vector of `l.lanes` columns, of a kernel without reductions.
  /// Draws of dropout are made in registers; `column` must then be a multiple
  /// of the lanes.
  void emitStep(LaneBuilder l, mlir::Value row, mlir::Value column);

private:
  using Body = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value, mlir::ValueRange)>;

  /// The register of an op's result as the op leaves it: rounded to its
  /// element type where rounding is strict.
  mlir::Value settled(LaneBuilder &l, mlir::Operation *op, mlir::Value value);
  mlir::Value elementwise(LaneBuilder &l, mlir::Operation *op,
                          llvm::ArrayRef<mlir::Value> operands);

  // RowEmitter.cpp: units and rows.
  void loadRowInputs();
  void emitPartialUnit(mlir::Value unit);
  void emitSplitUnit(mlir::Value unit);
  void emitRow(mlir::Value row, ColumnRange columns);
  void emitRowValues(const Sweep &sweep, mlir::Value firstColumn);
  mlir::Value rowRegister(mlir::Value value);
  void storeRowOutput(unsigned output, mlir::Value firstColumn);

  // RowAddress.cpp: where things are.
  void setRow(mlir::Value row);
  void setSegment(mlir::Value segment);
  void addOperand(mlir::Value key, mlir::Value pointer,
                  mlir::Value tensorValue);
  mlir::Value dotStrides(llvm::ArrayRef<mlir::Value> coordinates,
                         llvm::ArrayRef<int64_t> strides);
  mlir::Value coordinateOf(IotaOp iota);
  mlir::Value outputGuard(unsigned output);
  mlir::Value bufferPointer(int64_t byteOffset);

  // SweepEmitter.cpp: columns.
  void emitSweep(const Sweep &sweep, ColumnRange columns);
  llvm::SmallVector<mlir::Value> neutrals(const Sweep &sweep);
  llvm::SmallVector<mlir::Value> combine(const Sweep &sweep, mlir::ValueRange a,
                                         mlir::ValueRange b);
  llvm::SmallVector<mlir::Value> emitSegments(const Sweep &sweep,
                                              ColumnRange columns,
                                              mlir::Value begin,
                                              mlir::Value end, int64_t count);
  llvm::SmallVector<mlir::Value> emitLong(const Sweep &sweep,
                                          ColumnRange columns);
  llvm::SmallVector<mlir::Value> emitColumns(const Sweep &sweep,
                                             ColumnRange columns);
  llvm::SmallVector<mlir::Value> emitVector(const Sweep &sweep, LaneBuilder l,
                                            mlir::Value column,
                                            mlir::ValueRange accumulators);
  mlir::Value columnRegister(LaneBuilder &l, mlir::Value value,
                             mlir::Value column);
  void emitStores(const Sweep &sweep, LaneBuilder &l, mlir::Value column);
  llvm::SmallVector<mlir::Value> loop(mlir::Value from, mlir::Value to,
                                      int64_t step, mlir::ValueRange inits,
                                      Body body);

  // DropoutEmitter.cpp: random draws.
  void emitDraws(mlir::Operation *dropout, ColumnRange columns);
  mlir::Value emitDropoutValue(LaneBuilder &l, DropoutOp op, mlir::Value x,
                               mlir::Value column);
  mlir::Value drawAt(DropoutOp op, mlir::Value element);
  mlir::Value drawsInRegisters(LaneBuilder &l, DropoutOp op,
                               mlir::Value element);

  /// Where a tensor is: its address, its map, and the element number of the
  /// first column of the current row and segment.
  struct Place {
    mlir::Value pointer;
    mlir::Type element;
    OperandMap map;
    mlir::Value rowOffset, offset;
  };

  KernelOp kernel;
  const RowSpace &space;
  const SweepPlan &plan;
  const KernelShape &shape;
  LaneBuilder wide, one;
  mlir::Value rowMemory;
  llvm::MapVector<mlir::Value, Place> inputs;
  llvm::SmallVector<Place> outputs;
  llvm::DenseMap<mlir::Operation *, DropoutState> dropoutStates;
  /// Draw number of column 0, per dropout.
  llvm::DenseMap<mlir::Operation *, mlir::Value> drawBias;
  /// Element number of column 0 in a dropout's own tensor.
  llvm::DenseMap<mlir::Operation *, Place> dropoutPlaces;
  llvm::SmallVector<mlir::Value> rowCoordinates, segmentCoordinates;
  mlir::Value unit, segment;
  bool drawInRegisters = false;
  bool strict = false;
  llvm::DenseMap<mlir::Value, mlir::Value> rowValues;
  llvm::DenseMap<mlir::Value, mlir::Value> registers;
};

} // namespace amp

#endif // AMP_CODEGEN_ROWEMITTER_H
