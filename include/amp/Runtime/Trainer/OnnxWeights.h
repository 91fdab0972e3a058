//===- OnnxWeights.h - Putting trained weights into ONNX bytes --*- C++ -*-===//
//
// Rewrites the payload of named initializers in the wire format and copies
// every other byte of the model, so that nothing this program does not know
// can be lost.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_ONNXWEIGHTS_H
#define AMP_RUNTIME_TRAINER_ONNXWEIGHTS_H

#include "amp/ABI/DType.h"
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace amp::runtime {

/// New contents of an initializer.
struct NewWeight {
  abi::DType type = abi::DType::f32;
  std::string_view bytes;
};

/// What replaceWeights returns.
struct RewrittenModel {
  std::string bytes;
  /// Files that initializers which were not replaced still refer to.
  std::vector<std::string> externalFiles;
};

/// The model with the initializers named in `weights` replaced. An initializer
/// whose data lies in another file gets it inside the model instead. Throws
/// Error(BadInput) if the model is damaged, lacks one of the names or holds
/// another number of elements.
RewrittenModel replaceWeights(std::string_view model,
                              const std::map<std::string, NewWeight> &weights);

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_ONNXWEIGHTS_H
