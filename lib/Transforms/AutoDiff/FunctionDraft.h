//===- FunctionDraft.h - A function while a pass writes it ------*- C++ -*-===//
//
// A copy of a function with its exit (writes and return) taken apart, so that
// a pass can add to arguments, body, writes and results, and close it again.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_AUTODIFF_FUNCTIONDRAFT_H
#define AMP_LIB_TRANSFORMS_AUTODIFF_FUNCTIONDRAFT_H

#include "ModelNames.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace amp {

/// Names and roles of arguments and results (docs/Runtime.md).
namespace roles {
inline constexpr llvm::StringLiteral kInput = "input";
inline constexpr llvm::StringLiteral kTarget = "target";
inline constexpr llvm::StringLiteral kSchedule = "schedule";
inline constexpr llvm::StringLiteral kClip = "clip";
inline constexpr llvm::StringLiteral kMicroBatches = "micro_batches";
inline constexpr llvm::StringLiteral kValidRows = "valid_rows";
inline constexpr llvm::StringLiteral kOutput = "output";
inline constexpr llvm::StringLiteral kLoss = "loss";
/// One of several losses, "loss/NAME"; their sum has the role loss.
inline constexpr llvm::StringLiteral kNamedLoss = "named_loss";
/// A term of several in an evaluation, "term/NUMBER", and what it is a mean of,
/// "term_counted/NUMBER".
inline constexpr llvm::StringLiteral kTerm = "term";
inline constexpr llvm::StringLiteral kTermCounted = "term_counted";
inline constexpr llvm::StringLiteral kGradient = "gradient";
inline constexpr llvm::StringLiteral kState = "state";
inline constexpr llvm::StringLiteral kMetric = "metric";
inline constexpr llvm::StringLiteral kCorrect = "correct";
inline constexpr llvm::StringLiteral kCounted = "counted";
} // namespace roles

/// A value to return, with its attributes.
struct DraftResult {
  mlir::Value value;
  mlir::DictionaryAttr attributes;

  /// The ONNX name, or an empty text.
  llvm::StringRef name() const;
  llvm::StringRef role() const;
  /// Name of the loss whose scale is on a gradient, or an empty text.
  llvm::StringRef scaleOf() const;
};

/// A function of the module that is being written.
class FunctionDraft {
public:
  /// A copy of `source` under another name, at the end of the module. The
  /// function must be a declaration of one block (see `checkForm`).
  FunctionDraft(mlir::func::FuncOp source, llvm::StringRef name);
  /// An empty function.
  FunctionDraft(mlir::ModuleOp module, llvm::StringRef name);
  FunctionDraft(const FunctionDraft &) = delete;

  /// Reports a function that cannot be copied: no body, or several blocks.
  static mlir::LogicalResult checkForm(mlir::func::FuncOp source);

  mlir::func::FuncOp getFunction() { return function; }
  mlir::Block &getBlock() { return function.getBody().front(); }
  /// Inserts at the end of the body, before the exit.
  mlir::OpBuilder &getBuilder() { return builder; }

  /// The input or target with a name; null if there is none.
  mlir::Value argument(llvm::StringRef name);
  mlir::Value addArgument(mlir::Type type, llvm::StringRef name,
                          llvm::StringRef role);

  /// Results of the source with a role.
  llvm::SmallVector<DraftResult> sourceResults(llvm::StringRef role) const;
  /// Results that the function will have, in order.
  llvm::ArrayRef<DraftResult> getResults() const { return results; }
  void addResult(mlir::Value value, llvm::StringRef name, llvm::StringRef role);
  /// A gradient of a variable; `scaleOf` may be empty.
  DraftResult gradientResult(mlir::Value value, llvm::StringRef variable,
                             llvm::StringRef scaleOf);
  void addResult(const DraftResult &result) { results.push_back(result); }
  /// Makes results of the source that are `from` be `to`.
  void replaceResult(mlir::Value from, mlir::Value to);
  /// Returns what the source returned.
  void keepSourceResults() { results = fromSource; }

  /// A location for what the compiler adds under this name: another one where
  /// the model has the name already.
  mlir::Location ownLoc(llvm::StringRef name);

  /// Value of a variable at the entry; the function reads it once.
  mlir::Value read(VariableOp variable);
  /// New values by variable, at first those of the source.
  llvm::MapVector<mlir::StringAttr, mlir::Value> &getWrites() { return writes; }

  /// Makes writes and return, sets the type, and drops what nobody uses. The
  /// builder's listener sees the writes.
  mlir::func::FuncOp finish();

private:
  mlir::DictionaryAttr describe(llvm::StringRef name, llvm::StringRef role);
  /// Arguments that are no data make way for inputs and targets of their name:
  /// they are known by their roles.
  void renameControls();

  mlir::func::FuncOp function;
  mlir::OpBuilder builder;
  llvm::SmallVector<DraftResult> fromSource, results;
  llvm::MapVector<mlir::StringAttr, mlir::Value> writes;
  /// Reads by variable, found when the first one is asked for.
  llvm::DenseMap<mlir::StringAttr, mlir::Value> reads;
  mlir::Operation *lastRead = nullptr;
  bool readsKnown = false;
  std::optional<ModelNames> modelNames;
};

/// The name a user knows a variable by: that of the model.
llvm::StringRef userName(VariableOp variable);

/// Erases ops without uses or effects, last first.
void eraseDeadOps(mlir::Block &block);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_AUTODIFF_FUNCTIONDRAFT_H
