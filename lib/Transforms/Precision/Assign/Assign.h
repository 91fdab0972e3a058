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

#include "amp/Dialect/Amp/IR/Amp.h"
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
};

enum class AssignAlgorithm {
  Greedy,  ///< one walk in order; local rules
  MinCut,  ///< least bytes moved, by a minimum cut
  Paint,   ///< TensorFlow's grappler: allow and deny spread over the graph
  Promote, ///< PyTorch's eager mode: results have the widest type read
  AllLow   ///< everything low but a list of exceptions
};

/// "greedy", "mincut", "paint", "promote" or "all-low"; nullopt for others.
std::optional<AssignAlgorithm> parseAssignAlgorithm(llvm::StringRef name);
llvm::StringRef assignAlgorithmName(AssignAlgorithm algorithm);
/// The names, for messages.
std::string assignAlgorithmNames();

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

/// Turns choices into decisions: calls `choose` for each float result of each
/// op in program order; `computesLow` says whether the op computes low.
Decisions decideInOrder(
    mlir::func::FuncOp function, const AssignOptions &options,
    llvm::function_ref<Choice(mlir::Operation *, mlir::OpResult)> choose,
    llvm::function_ref<bool(mlir::Operation *)> computesLow);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_ASSIGN_ASSIGN_H
