//===- Assign.h - One interface for every assignment ------------*- C++ -*-===//
//
// An assignment reads the policy of each op (Slots.h: effectiveClass,
// operandSlot) and decides the storage type of every float result and the type
// each op computes in. Algorithms differ in how they treat the ops that may be
// either. They write nothing into the IR; amp-assign-precision does.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_ASSIGN_ASSIGN_H
#define AMP_LIB_TRANSFORMS_PRECISION_ASSIGN_ASSIGN_H

#include "Readers.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Transforms/Precision/Policy.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include <optional>
#include <string>

namespace amp {

/// The decision about one op.
struct Decision {
  /// Element type of each result; for results that are no float tensors the
  /// type they have.
  llvm::SmallVector<mlir::Type, 2> storage;
  /// The low type where operands are read low by a contraction, else float32.
  mlir::Type compute;
  /// Which rule decided (the first float result), such as "AL-contraction".
  std::string rule;
  /// The number that decided, where a range did; may be empty.
  std::string evidence;
};

/// Decisions of a function in program order, one for each op with at least one
/// float tensor among its results.
using Decisions = llvm::MapVector<mlir::Operation *, Decision>;

struct AssignOptions {
  /// The low type of the function.
  mlir::FloatType low;
  /// A second low type for values that `low` cannot hold, or null.
  mlir::FloatType second;
  /// Heed `amp.forbid`.
  bool rangeEvidence = true;
  /// The cut may leave contractions float32 that gain nothing from low types.
  bool profitable = false;
};

/// Each in a file of its own. The function has one block; ops that no policy
/// was applied to are judged by their ODS class.
Decisions assignGreedy(mlir::func::FuncOp function, const AssignOptions &);
Decisions assignMinCut(mlir::func::FuncOp function, const AssignOptions &);
Decisions assignPaint(mlir::func::FuncOp function, const AssignOptions &);
Decisions assignPromote(mlir::func::FuncOp function, const AssignOptions &);
Decisions assignAllLow(mlir::func::FuncOp function, const AssignOptions &);

/// Runs one of them.
Decisions assign(AssignAlgorithm algorithm, mlir::func::FuncOp function,
                 const AssignOptions &options);

/// A storage type and the rule it came from.
struct Choice {
  bool low;
  llvm::StringRef rule;
};

/// What every algorithm decides alike: results that stay float32 whatever the
/// policy (wide slots, constants, scalars, user casts, float64), or nullopt.
std::optional<Choice> fixedChoice(mlir::Operation *op, mlir::OpResult result);

/// What the op's class and its users say, whatever it reads: nullopt where that
/// decides (moved values are never asked). Float32 here is a rule that every
/// assignment of the default policy keeps; low may be undone.
std::optional<Choice> choiceByUsers(mlir::Operation *op, mlir::OpResult result,
                                    const Readers &readers);

/// Bytes the launches of a function will move, as far as that can be told
/// before casts are placed: by some decisions, by the greedy ones, and all in
/// float32.
struct PredictedBytes {
  int64_t decided = 0, greedy = 0, float32 = 0;
};
PredictedBytes predictBytes(mlir::func::FuncOp function,
                            const AssignOptions &options,
                            const Decisions &decisions);

/// Writes amp.cost: what other types of each decided op would cost, by the
/// cost model of the default policy, whichever algorithm decided.
void writeCosts(mlir::func::FuncOp function, const AssignOptions &options,
                const Decisions &decisions);

/// Turns choices into decisions: calls `choose` for each float result of each
/// op in program order. `computesLow` says whether the op computes low; its
/// second argument, whether all results that may be low are.
Decisions decideInOrder(
    mlir::func::FuncOp function, const AssignOptions &options,
    llvm::function_ref<Choice(mlir::Operation *, mlir::OpResult)> choose,
    llvm::function_ref<bool(mlir::Operation *, bool)> computesLow);

/// Float results that end, through arithmetic alone, in state only (variables,
/// updates, gradients that leave): float32 in every system, whose parameters,
/// running statistics and gradients of parameters are.
llvm::DenseSet<mlir::Value> stateValues(mlir::func::FuncOp function);

/// An op reads its operands as the low type if its policy allows it; one whose
/// operands decide does if all its float results are low.
bool computesLow(mlir::Operation *op, bool resultsLow);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_ASSIGN_ASSIGN_H
