//===- Scheduler.h - Builds the launches of one entry -----------*- C++ -*-===//
//
// What the launch makers of each family share: buffers of values, and the
// entry under construction.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOSCHEDULE_SCHEDULER_H
#define AMP_LIB_CONVERSION_AMPTOSCHEDULE_SCHEDULER_H

#include "SourceTable.h"
#include "amp/Analysis/BufferMap.h"
#include "amp/Dialect/Amp/IR/Layout.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace amp {

/// The kernels of a module: each distinct body once.
class KernelTable {
public:
  explicit KernelTable(mlir::ModuleOp module);
  /// Symbol of the kernel with the body of `region`, made on first sight.
  mlir::StringRef kernelFor(RegionOp region);

private:
  mlir::OpBuilder builder;
  llvm::StringMap<std::string> known;
  llvm::StringSet<> taken; ///< symbols of others
  unsigned count = 0;
};

/// Attributes of a built-in routine, by name.
using LaunchAttrs = llvm::SmallVector<mlir::NamedAttribute>;

class Scheduler {
public:
  Scheduler(mlir::func::FuncOp function, mlir::SymbolTable &symbols,
            const llvm::StringMap<int64_t> &variableIndex, KernelTable &kernels,
            SourceTable &sources);

  /// Builds the entry in place of the function.
  mlir::LogicalResult run();

  /// The buffer of a value under its own type (strides if channels-last).
  BufferAttr buffer(mlir::Value value) const;
  /// The buffer of a value seen through another dense row-major type.
  BufferAttr bufferAs(mlir::Value value, mlir::RankedTensorType type) const;
  /// A strided part of the buffer of a value: `offset` and `strides` in
  /// elements of the value's memory.
  BufferAttr part(mlir::Value value, int64_t offset,
                  llvm::ArrayRef<int64_t> shape,
                  llvm::ArrayRef<int64_t> strides) const;
  BufferAttr variableBuffer(mlir::FlatSymbolRefAttr variable) const;

  /// Appends a launch of a built-in routine.
  void builtin(mlir::Operation *op, mlir::StringRef name,
               llvm::ArrayRef<mlir::Attribute> inputs,
               llvm::ArrayRef<mlir::Attribute> outputs, LaunchAttrs attrs = {});
  /// Says what the outputs of the last launch are, if they are several ops'.
  void nameOutputs(llvm::ArrayRef<mlir::OpResult> outputs);
  /// Operands and results of `op` in order, attributes given.
  void plain(mlir::Operation *op, mlir::StringRef name, LaunchAttrs attrs);
  /// Appends a copy from one buffer to another.
  void copy(mlir::Operation *op, BufferAttr from, BufferAttr to);

  mlir::OpBuilder &attrBuilder() { return builder; }
  mlir::NamedAttribute named(mlir::StringRef name, mlir::Attribute value);
  mlir::NamedAttribute flag(mlir::StringRef name, bool value);

private:
  void launch(mlir::Operation *op, LaunchKind kind, mlir::StringRef symbol,
              llvm::ArrayRef<mlir::Attribute> inputs,
              llvm::ArrayRef<mlir::Attribute> outputs, LaunchAttrs attrs);
  mlir::LogicalResult schedule(mlir::Operation &op);
  void copyEarlyResults();
  mlir::ArrayAttr describe(bool arguments);
  int64_t arenaOffset(mlir::Value root) const;

  mlir::func::FuncOp function;
  mlir::SymbolTable &symbols;
  const llvm::StringMap<int64_t> &variableIndex;
  KernelTable &kernels;
  SourceTable &sources;
  BufferMap map;
  mlir::OpBuilder builder;
  mlir::Block *launches = nullptr;
  /// Updates and accumulations seen so far; each kind becomes one launch.
  llvm::SmallVector<OptimizerStepOp> steps;
  llvm::SmallVector<AccumulateGradientOp> accumulations;
  /// How many of each the function has.
  size_t stepCount = 0, accumulationCount = 0;
};

/// Launches of all ops that are no regions, by family; failure with an error
/// on the op if it cannot run on any device.
mlir::LogicalResult scheduleContraction(Scheduler &scheduler,
                                        mlir::Operation &op, bool &done);
mlir::LogicalResult scheduleMovement(Scheduler &scheduler, mlir::Operation &op,
                                     bool &done);
mlir::LogicalResult scheduleReduction(Scheduler &scheduler, mlir::Operation &op,
                                      bool &done);
mlir::LogicalResult scheduleState(Scheduler &scheduler, mlir::Operation &op,
                                  bool &done);
/// One launch for all updates; they must share kind and configuration.
void scheduleUpdate(Scheduler &scheduler, llvm::ArrayRef<OptimizerStepOp> steps,
                    const llvm::StringMap<int64_t> &variableIndex);
void scheduleAccumulation(Scheduler &scheduler,
                          llvm::ArrayRef<AccumulateGradientOp> ops);

} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOSCHEDULE_SCHEDULER_H
