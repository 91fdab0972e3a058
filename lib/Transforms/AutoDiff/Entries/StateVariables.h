//===- StateVariables.h - Variables that training adds ----------*- C++ -*-===//
//
// Finds or makes moments, counters, accumulators and the random state.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_AUTODIFF_ENTRIES_STATEVARIABLES_H
#define AMP_LIB_TRANSFORMS_AUTODIFF_ENTRIES_STATEVARIABLES_H

#include "amp/Transforms/AutoDiff/OptimizerSpec.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace amp {

/// The variables of one module beside parameters and buffers.
class StateVariables {
public:
  explicit StateVariables(mlir::ModuleOp module);

  /// The counters and the random state of every trainable package, which an
  /// imported model may have already. An error if one has another type.
  mlir::LogicalResult ensureCounters();
  /// Counter of micro-batches within a window of accumulation.
  mlir::LogicalResult ensureMicroBatch();
  /// A counter of another name.
  mlir::FailureOr<VariableOp> ensureCounter(llvm::StringRef name);

  VariableOp iteration, applied, skipped, rng, microBatch;

  /// A variable of the symbol table; null if there is none of that name.
  VariableOp lookup(llvm::StringRef name);

  /// State tensors that the optimizer keeps for a parameter.
  llvm::SmallVector<VariableOp> moments(VariableOp parameter,
                                        const OptimizerSpec &spec);
  /// Sum of the gradients of a parameter within a window; `scaleOf` names the
  /// loss where it is that of one loss only.
  VariableOp accumulator(VariableOp parameter, llvm::StringRef scaleOf);
  /// Value that a buffer has within a window.
  VariableOp pending(VariableOp buffer);

private:
  mlir::FailureOr<VariableOp> ensure(llvm::StringRef name,
                                     mlir::RankedTensorType type,
                                     VariableKind kind,
                                     llvm::ArrayRef<int64_t> init);
  /// A companion of `owner`, of its type or of another shape, made once; a
  /// taken name gets a number.
  VariableOp
  companion(VariableOp owner, llvm::StringRef suffix, VariableKind kind,
            double fill,
            std::optional<llvm::ArrayRef<int64_t>> shape = std::nullopt);
  VariableOp insert(llvm::StringRef name, mlir::Type type, VariableKind kind,
                    mlir::ElementsAttr init, mlir::Location loc);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  mlir::OpBuilder builder;
  /// The last variable of the module, once one was made.
  mlir::Operation *last = nullptr;
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::StringAttr>, VariableOp>
      companions;
};

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_AUTODIFF_ENTRIES_STATEVARIABLES_H
