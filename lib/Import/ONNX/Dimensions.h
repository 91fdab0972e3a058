//===- Dimensions.h - Symbolic dimensions get sizes -------------*- C++ -*-===//
//
// Binds the symbols in the types of the inputs to numbers.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_IMPORT_ONNX_DIMENSIONS_H
#define AMP_LIB_IMPORT_ONNX_DIMENSIONS_H

#include "Model.h"
#include "mlir/IR/BuiltinTypes.h"

namespace amp::onnximport {

/// An input of the graph with its static type.
struct GraphInput {
  std::string name;
  mlir::RankedTensorType type;
};

/// The graph's inputs that are no initializers.
struct GraphInputs {
  std::vector<GraphInput> inputs;
  /// Size of the first dimension where the inputs share a batch.
  std::optional<int64_t> batch;
};

/// Gives each input a static type, or fails with all dimensions still unknown.
FailureOr<GraphInputs> bindDimensions(const Model &model,
                                      const ImportOptions &options,
                                      mlir::MLIRContext *context,
                                      ImportReport &report);

} // namespace amp::onnximport

#endif // AMP_LIB_IMPORT_ONNX_DIMENSIONS_H
