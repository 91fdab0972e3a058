//===- Import.h - From ONNX bytes to the amp dialect ------------*- C++ -*-===//
//
// The only header a user of the importer needs.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_IMPORT_ONNX_IMPORT_H
#define AMP_IMPORT_ONNX_IMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace amp {

/// What the user says about a model beyond the file.
struct ImportOptions {
  /// Sizes of symbolic dimensions by name (`--dim name=value`). A dimension
  /// without a name is called INPUT.POSITION, as in `image.2`.
  std::map<std::string, int64_t> dims;
  /// Size of the symbolic first dimension of the inputs (`--batch`).
  std::optional<int64_t> batch;
  /// Glob patterns of initializers to train (`--train`), whatever the rule
  /// says.
  std::vector<std::string> train;
  /// Glob patterns of initializers to keep as they are (`--freeze`). Where both
  /// kinds match, the pattern with more literal characters wins.
  std::vector<std::string> freeze;
  /// Pairs A=B: what reads B reads A from now on (`--tie`), transposed if the
  /// shapes ask for it.
  std::vector<std::pair<std::string, std::string>> tie;
  /// Train with the running statistics and without dropout
  /// (`--train-mode eval`).
  bool evalMode = false;
  /// Running variances get n/(n-1) times the population variance
  /// (`--bn-variance unbiased`).
  bool unbiasedVariance = false;
};

/// What an initializer became, for the summary.
struct ImportedTensor {
  /// Name of the initializer.
  std::string name;
  /// "parameter", "frozen", "tied", "buffer" or "unused".
  std::string kind;
  /// Why.
  std::string reason;
  /// Dimensions in the file.
  std::vector<int64_t> shape;
};

/// Two initializers that hold the same values.
struct TieCandidate {
  /// The one that comes first in the file.
  std::string first;
  /// The other one.
  std::string second;
  /// The second one is the first one transposed.
  bool transposed = false;

  /// What they are and how to join them, as text.
  std::string text() const;
};

/// A node of the model, for users who name nodes, op types and tensors. In the
/// body of a loop there is one for each iteration: `cell/MatMul@3`, in nested
/// loops `cell/MatMul@1.3`, and its tensors likewise.
struct ImportedNode {
  /// Its name, or that of its first output: the location of its ops.
  std::string name;
  std::string opType;
  std::vector<std::string> outputs;
  /// The name without the number of the iteration, for a node inside of
  /// another; empty for those of the main graph.
  std::string original = {};
};

/// Outcome of an import and everything worth telling the user about it.
struct ImportReport {
  /// The values are the exit codes of the programs.
  enum class Outcome { Ok = 0, Usage = 2, BadInput = 3, Unsupported = 4 };

  /// How it ended.
  Outcome outcome = Outcome::Ok;
  /// The reason if it is not Ok.
  std::string message;
  /// What may surprise the user though the import worked.
  std::vector<std::string> warnings;
  /// Every float initializer, in the order of the file.
  std::vector<ImportedTensor> tensors;
  /// The nodes of the main graph and, behind them, of the branches that were
  /// taken and of the bodies of loops, once for each iteration; functions
  /// inlined.
  std::vector<ImportedNode> nodes;
  /// Pairs that look like one tensor stored twice.
  std::vector<TieCandidate> tieCandidates;
  /// Pairs that `--tie` joined; the second one is what is read no more.
  std::vector<TieCandidate> ties;

  /// Exit status of a program that can do no more.
  int exitCode() const { return static_cast<int>(outcome); }
  /// Records the first failure; later ones do not replace it.
  mlir::LogicalResult fail(Outcome why, const llvm::Twine &text);
  /// The tables of parameters and buffers with reasons, the warnings and the
  /// candidates for `--tie`, as text.
  std::string summary() const;
  /// The tables in a few lines: tensors of one kind and reason together, some
  /// of them by name.
  std::string brief() const;
};

/// Imports the model in a file. External data is looked for beside it.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
importONNX(mlir::MLIRContext *context, llvm::StringRef path,
           const ImportOptions &options, ImportReport &report);

/// Imports a model held in memory. `folder` is where external data may lie;
/// empty means that the model must not have any.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
importONNXBytes(mlir::MLIRContext *context, llvm::StringRef bytes,
                llvm::StringRef folder, const ImportOptions &options,
                ImportReport &report);

/// Attributes of the module that hold what the ONNX file said about itself.
inline constexpr llvm::StringLiteral kIrVersionAttr = "amp.ir_version";
inline constexpr llvm::StringLiteral kOpsetAttr = "amp.opset";
inline constexpr llvm::StringLiteral kProducerAttr = "amp.producer";
inline constexpr llvm::StringLiteral kGraphNameAttr = "amp.graph_name";
inline constexpr llvm::StringLiteral kInputNamesAttr = "amp.input_names";
inline constexpr llvm::StringLiteral kOutputNamesAttr = "amp.output_names";
/// Size of the batch, where the inputs have one.
inline constexpr llvm::StringLiteral kBatchAttr = "amp.batch";

} // namespace amp

#endif // AMP_IMPORT_ONNX_IMPORT_H
