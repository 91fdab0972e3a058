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

/// How several optimizers work together.
struct UpdateRules {
  ClipMode clip = ClipMode::None;
  /// One flag and one norm for all: an overflow anywhere skips everything.
  /// Where optimizers take turns each has its own norm, and the trainer takes
  /// back what turns before the one that overflows have done.
  bool skipAll = false;
  /// The optimizers take turns within an iteration: an entry point each.
  bool alternate = false;
};

/// An optimizer and what it updates.
struct OptimizerGroup {
  const OptimizerSpec *spec;
  /// Its updates so far: a counter of its own if it has a name.
  VariableOp applied;
  llvm::SmallVector<VariableOp> parameters;

  llvm::StringRef name() const { return spec->name; }
  /// `key`, or `key/NAME` where the optimizer has a name.
  std::string key(llvm::StringRef key) const;
};

/// One gradient result of @backward. A parameter has several where losses have
/// scales of their own.
struct GradientTerm {
  VariableOp parameter;
  llvm::StringRef scaleOf;
};

/// Makes entry points from @forward, @loss and @backward.
class EntryWriter {
public:
  EntryWriter(mlir::ModuleOp module, llvm::ArrayRef<OptimizerSpec> optimizers,
              UpdateRules rules);

  /// Makes the entry points with these names.
  mlir::LogicalResult write(llvm::ArrayRef<std::string> entries);

private:
  // TrainEntries.cpp
  mlir::LogicalResult writeTrainStep();
  /// Writes the new value of a buffer only if the step was finite.
  void guardBuffer(FunctionDraft &draft, VariableOp buffer, mlir::Value finite);
  /// Appends the end of an iteration: counters of steps.
  void appendCounters(FunctionDraft &draft, mlir::OpBuilder &builder,
                      mlir::Value finite);

  // AlternateEntries.cpp
  mlir::LogicalResult writeTurns();
  /// accumulate.NAME and apply.NAME of each optimizer.
  mlir::LogicalResult writeWindowTurns();
  struct TurnHistory;
  llvm::SmallVector<DraftResult> lossesOf(FunctionDraft &draft,
                                          const OptimizerGroup &group);
  llvm::SmallVector<VariableOp>
  keepStatistics(FunctionDraft &draft, const OptimizerGroup &group,
                 llvm::ArrayRef<DraftResult> losses, TurnHistory &history);
  /// What earlier turns left.
  struct Turn;
  mlir::FailureOr<Turn> beginTurn(FunctionDraft &draft, size_t number);
  void appendTurn(FunctionDraft &draft, const Turn &turn, mlir::Value finite);

  // GroupUpdate.cpp
  /// Appends checks and updates of some groups, and the results that report
  /// them; gives the flag over all of them. `gradients` has a value for each
  /// of `terms`, of which only those of the groups count. Nothing is updated
  /// unless `others` holds, if it is given.
  mlir::Value appendUpdate(FunctionDraft &draft, mlir::OpBuilder &builder,
                           llvm::ArrayRef<OptimizerGroup *> active,
                           llvm::ArrayRef<mlir::Value> gradients,
                           mlir::Value others = {});
  struct Check;
  struct Common;
  Check checkGroup(mlir::OpBuilder &builder, const OptimizerGroup &group,
                   llvm::ArrayRef<mlir::Value> gradients, mlir::Value scale);
  void shareChecks(mlir::OpBuilder &builder,
                   llvm::MutableArrayRef<Check> checks, mlir::Value finite);
  mlir::Value stepGroup(FunctionDraft &draft, mlir::OpBuilder &builder,
                        OptimizerGroup &group, const Check &check,
                        const Common &common);
  /// The sum of the unscaled terms of one parameter.
  mlir::Value unscaledSum(mlir::OpBuilder &builder, VariableOp parameter,
                          llvm::ArrayRef<mlir::Value> gradients,
                          mlir::Value scale);

  // AccumulateEntries.cpp
  mlir::LogicalResult writeAccumulate();
  mlir::LogicalResult writeApply();
  /// Makes a copy of @backward add up the gradients of some groups. `moved` are
  /// the running statistics that it changes.
  void accumulate(FunctionDraft &draft, llvm::ArrayRef<OptimizerGroup *> active,
                  llvm::ArrayRef<VariableOp> moved,
                  llvm::ArrayRef<DraftResult> losses);
  /// The sums of a window, one for each of `terms`; null for other groups'.
  llvm::SmallVector<mlir::Value> sums(FunctionDraft &draft,
                                      llvm::ArrayRef<OptimizerGroup *> active);
  /// Ends a window: takes over its statistics, clears its sums.
  void endWindow(FunctionDraft &draft, llvm::ArrayRef<OptimizerGroup *> active,
                 llvm::ArrayRef<VariableOp> moved, mlir::Value finite);
  // InferenceEntries.cpp
  mlir::LogicalResult writeEval();
  mlir::LogicalResult writePredict();
  mlir::LogicalResult writeGradients();
  mlir::LogicalResult toInferenceForm(FunctionDraft &draft);

  /// Fills in `parameters`, `groups` and `buffers`, for the sake of `entry`.
  mlir::LogicalResult findParameters(llvm::StringRef entry);
  mlir::LogicalResult findGroups();
  llvm::SmallVector<OptimizerGroup *> allGroups();
  mlir::func::FuncOp source(llvm::StringRef name, llvm::StringRef entry);
  mlir::RankedTensorType scalarType();
  /// Where the compiler adds something under this name.
  mlir::Location updateLoc(llvm::StringRef name);
  mlir::Value one(mlir::OpBuilder &builder);

  mlir::ModuleOp module;
  ModelNames names;
  llvm::ArrayRef<OptimizerSpec> optimizers;
  UpdateRules rules;
  StateVariables state;
  /// Variables with a gradient, in the order of @backward's results.
  llvm::SmallVector<VariableOp> parameters;
  llvm::SmallVector<GradientTerm> terms;
  /// Optimizers with parameters, in the order of the user.
  llvm::SmallVector<OptimizerGroup> groups;
  /// Variables that @backward writes: running statistics.
  llvm::SmallVector<VariableOp> buffers;
};

/// An integer constant of rank 0.
mlir::Value integerConstant(mlir::OpBuilder &builder, mlir::Location loc,
                            int64_t value);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_AUTODIFF_ENTRIES_ENTRYWRITER_H
