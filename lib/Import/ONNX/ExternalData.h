//===- ExternalData.h - Weights beside the model ----------------*- C++ -*-===//
//
// Opens the file an external tensor names, without leaving the model's folder.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_IMPORT_ONNX_EXTERNALDATA_H
#define AMP_LIB_IMPORT_ONNX_EXTERNALDATA_H

#include "Model.h"
#include <memory>

namespace amp::onnximport {

/// Mapped bytes of a file; unmapped when the last copy goes.
struct ExternalBytes {
  std::shared_ptr<void> mapping;
  llvm::StringRef bytes;
};

/// The bytes of a tensor whose data_location is EXTERNAL. `expected` is the
/// number that its type and shape ask for.
FailureOr<ExternalBytes> openExternal(const onnx::TensorProto &tensor,
                                      llvm::StringRef folder, uint64_t expected,
                                      ImportReport &report);

} // namespace amp::onnximport

#endif // AMP_LIB_IMPORT_ONNX_EXTERNALDATA_H
