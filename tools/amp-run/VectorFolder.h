//===- VectorFolder.h - Files of an ONNX backend test -----------*- C++ -*-===//
//
// Reads model.onnx and test_data_set_N/{input,output}_K.pb, and fixes the
// model's inputs to the shapes (and, for some, the values) of a data set.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_RUN_VECTORFOLDER_H
#define AMP_TOOLS_AMP_RUN_VECTORFOLDER_H

#include "Tensor.h"
#include "onnx/onnx-ml.pb.h"

namespace amp {

/// Tensors of one data set, in the order of the graph's inputs and outputs.
struct VectorData {
  std::string name; ///< test_data_set_N
  std::vector<onnx::TensorProto> inputs, outputs;
};

/// A parsed folder.
struct VectorFolder {
  std::string path;
  onnx::ModelProto model;
  /// Positions in the graph's list of inputs that no initializer fills.
  std::vector<int> inputs;
  std::vector<VectorData> sets;
};

/// Reads a folder. Throws runtime::Error: Unsupported if an input or output
/// is no tensor, BadInput if a file is missing or damaged.
VectorFolder readVectorFolder(const std::string &path);

/// The values of a tensor; float8 and bfloat16 are widened to float32. Throws
/// runtime::Error.
runtime::Array arrayOf(const onnx::TensorProto &tensor,
                       const std::string &what);

/// The model for one data set: every input has the shape of its tensor, and
/// those with `bound` set are initializers. Entries of `bound` belong to
/// folder.inputs.
std::string modelFor(const VectorFolder &folder, const VectorData &data,
                     const std::vector<bool> &bound);

/// True for inputs that may be bound: integers, which can be axes, sizes or
/// counts, and conditions.
bool mayBind(const onnx::TensorProto &tensor);

} // namespace amp

#endif // AMP_TOOLS_AMP_RUN_VECTORFOLDER_H
