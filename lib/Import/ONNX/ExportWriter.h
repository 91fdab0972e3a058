//===- ExportWriter.h - Builds an ONNX graph --------------------*- C++ -*-===//
//
// Names of values, initializers and nodes of a graph being written.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_IMPORT_ONNX_EXPORTWRITER_H
#define AMP_LIB_IMPORT_ONNX_EXPORTWRITER_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "onnx/onnx-ml.pb.h"
#include "llvm/ADT/StringSet.h"

namespace amp::onnxexport {

/// Writes the graph of a model.
class ExportWriter {
public:
  explicit ExportWriter(onnx::GraphProto &graph) : graph(graph) {}

  /// Name of a value that has one.
  std::string nameOf(mlir::Value value) const;
  /// True if a node that was written defines the value.
  bool hasName(mlir::Value value) const { return names.contains(value); }
  /// Gives a value a name that is already taken for it.
  void setName(mlir::Value value, llvm::StringRef name);
  /// A name that nothing has: `wanted`, or with a number.
  std::string fresh(llvm::StringRef wanted);
  /// The value's own name, made up if it has none yet.
  std::string define(mlir::Value value);

  /// Adds a node named after the op; outputs are names.
  onnx::NodeProto &node(mlir::Operation *op, llvm::StringRef type,
                        llvm::ArrayRef<std::string> inputs,
                        llvm::ArrayRef<std::string> outputs);
  /// Adds a node with a made-up output and returns its name.
  std::string inner(mlir::Operation *op, llvm::StringRef type,
                    llvm::ArrayRef<std::string> inputs);
  /// Adds a node whose inputs are the op's operands and whose output is its
  /// first result.
  onnx::NodeProto &direct(mlir::Operation *op, llvm::StringRef type);

  /// Adds an initializer; returns its name.
  mlir::FailureOr<std::string> initializer(llvm::StringRef name,
                                           mlir::ElementsAttr values);
  /// An initializer of type int64.
  std::string ints(llvm::ArrayRef<int64_t> values);
  /// A scalar with the element type of the value.
  std::string scalar(double value, mlir::Type element);
  /// Declares an input or output.
  void declare(onnx::ValueInfoProto &info, llvm::StringRef name,
               mlir::Type type);

private:
  onnx::GraphProto &graph;
  llvm::DenseMap<mlir::Value, std::string> names;
  llvm::StringSet<> taken, nodeNames;
};

/// ONNX element type, or 0 if it has none.
int32_t onnxType(mlir::Type element);

/// Attributes of a node.
void setInt(onnx::NodeProto &node, llvm::StringRef name, int64_t value);
void setFloat(onnx::NodeProto &node, llvm::StringRef name, double value);
void setString(onnx::NodeProto &node, llvm::StringRef name,
               llvm::StringRef value);
void setInts(onnx::NodeProto &node, llvm::StringRef name,
             llvm::ArrayRef<int64_t> values);

/// Write the ops of some families. False if the op is not of these; failure if
/// it is but has no ONNX form.
mlir::FailureOr<bool> writeElementwise(ExportWriter &writer,
                                       mlir::Operation *op);
mlir::FailureOr<bool> writeContraction(ExportWriter &writer,
                                       mlir::Operation *op);
mlir::FailureOr<bool> writeMovement(ExportWriter &writer, mlir::Operation *op);
mlir::FailureOr<bool> writeReduction(ExportWriter &writer, mlir::Operation *op);
/// Norms and losses; `running` finds the initializer of a variable.
mlir::FailureOr<bool> writeNorm(
    ExportWriter &writer, mlir::Operation *op,
    llvm::function_ref<mlir::FailureOr<std::string>(llvm::StringRef)> variable);

} // namespace amp::onnxexport

#endif // AMP_LIB_IMPORT_ONNX_EXPORTWRITER_H
