//===- ParameterRule.h - Which initializers are trained ---------*- C++ -*-===//
//
// ONNX does not mark parameters. This is the rule that finds them.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_IMPORT_ONNX_PARAMETERRULE_H
#define AMP_LIB_IMPORT_ONNX_PARAMETERRULE_H

#include "Model.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/MapVector.h"

namespace amp::onnximport {

/// What becomes of an initializer.
enum class TensorRole {
  /// A variable that may be trained.
  Parameter,
  /// A variable that is not.
  Buffer,
  /// A constant in the code, which folds.
  Constant,
};

/// The decision about one initializer.
struct Decision {
  const onnx::TensorProto *tensor = nullptr;
  TensorRole role = TensorRole::Constant;
  /// A parameter that gets gradients.
  bool trained = false;
  /// Nothing reads it.
  bool unused = false;
  /// Something asked for it while nodes were built.
  bool read = false;
  std::string reason;
  /// `--tie`: the initializer to read instead, and whether transposed.
  std::string tiedTo;
  bool tiedTransposed = false;
  /// The values, once something has asked for them (see readValue).
  mlir::ElementsAttr value;
};

/// Decisions by name of the initializer, in the order of the file.
using Decisions = llvm::MapVector<llvm::StringRef, Decision>;

/// Applies the rule to the flat, sorted nodes. `inputs` are the names of the
/// graph's inputs that are no initializers.
Decisions classify(const Model &model, const std::vector<FlatNode> &nodes,
                   llvm::ArrayRef<llvm::StringRef> inputs);

/// Reads the values of an initializer; the same attribute each time.
FailureOr<mlir::ElementsAttr> readValue(Decision &decision, const Model &model,
                                        mlir::MLIRContext *context,
                                        ImportReport &report);

/// True for the float types that a parameter may have.
bool isTrainableType(int32_t onnxType);

/// Applies `--train`, `--freeze`. Patterns that match nothing are errors.
LogicalResult applyPatterns(const ImportOptions &options, Decisions &decisions,
                            ImportReport &report);

/// Finds equal tensors, applies `--tie` and reports the other pairs.
LogicalResult applyTies(const ImportOptions &options, const Model &model,
                        mlir::MLIRContext *context, Decisions &decisions,
                        ImportReport &report);

} // namespace amp::onnximport

#endif // AMP_LIB_IMPORT_ONNX_PARAMETERRULE_H
