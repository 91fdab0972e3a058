//===- Export.h - From the amp dialect to ONNX ------------------*- C++ -*-===//
//
// Writes @forward of an imported module as an ONNX model.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_IMPORT_ONNX_EXPORT_H
#define AMP_IMPORT_ONNX_EXPORT_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace amp {

/// The bytes of an ONNX model (opset 20) that computes what @forward does in
/// inference: batch norms use their running statistics, dropout is the
/// identity. Variables become initializers under the names they came from. On
/// failure `message` lists every op without ONNX form.
mlir::FailureOr<std::string> exportONNX(mlir::ModuleOp module,
                                        std::string &message);

} // namespace amp

#endif // AMP_IMPORT_ONNX_EXPORT_H
