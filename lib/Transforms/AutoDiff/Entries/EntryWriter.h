//===- EntryWriter.h - Writes the entry points ------------------*- C++ -*-===//
//
// One method an entry point of docs/Runtime.md.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_AUTODIFF_ENTRIES_ENTRYWRITER_H
#define AMP_LIB_TRANSFORMS_AUTODIFF_ENTRIES_ENTRYWRITER_H

#include "../FunctionDraft.h"
#include "StateVariables.h"
#include "amp/Transforms/AutoDiff/Phase.h"

namespace amp {

/// Makes entry points from @forward, @loss and @backward.
class EntryWriter {
public:
  EntryWriter(mlir::ModuleOp module, const OptimizerSpec &optimizer,
              ClipMode clip);

  /// Makes the entry points with these names.
  mlir::LogicalResult write(llvm::ArrayRef<std::string> entries);

private:
  // TrainEntries.cpp
  mlir::LogicalResult writeTrainStep();
  /// Appends check, update and counters, and the results that report them;
  /// gives the flag of the check.
  mlir::Value appendUpdate(FunctionDraft &draft, mlir::OpBuilder &builder,
                           llvm::ArrayRef<mlir::Value> gradients);
  // AccumulateEntries.cpp
  mlir::LogicalResult writeAccumulate();
  mlir::LogicalResult writeApply();
  // InferenceEntries.cpp
  mlir::LogicalResult writeEval();
  mlir::LogicalResult writePredict();
  mlir::LogicalResult writeGradients();
  mlir::LogicalResult toInferenceForm(FunctionDraft &draft);

  /// Fills in `parameters` and `buffers`, for the sake of `entry`.
  mlir::LogicalResult findParameters(llvm::StringRef entry);
  mlir::func::FuncOp source(llvm::StringRef name, llvm::StringRef entry);
  mlir::RankedTensorType scalarType();
  mlir::Location updateLoc(llvm::StringRef name);
  mlir::Value one(mlir::OpBuilder &builder);

  mlir::ModuleOp module;
  const OptimizerSpec &optimizer;
  ClipMode clip;
  StateVariables state;
  /// Variables with a gradient, in the order of @backward's results.
  llvm::SmallVector<VariableOp> parameters;
  /// Variables that @backward writes: running statistics.
  llvm::SmallVector<VariableOp> buffers;
};

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_AUTODIFF_ENTRIES_ENTRYWRITER_H
