//===- TensorReader.h - TensorProto to an attribute -------------*- C++ -*-===//
//
// The one place that interprets the payload of a tensor, wherever it occurs.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_IMPORT_ONNX_TENSORREADER_H
#define AMP_LIB_IMPORT_ONNX_TENSORREADER_H

#include "Model.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace amp::onnximport {

/// The MLIR type of an ONNX element type, or null if there is none.
mlir::Type elementType(int32_t onnxType, mlir::MLIRContext *context);

/// Name of an ONNX element type for messages.
std::string typeName(int32_t onnxType);

/// Type and shape of a tensor, with all bounds checked.
FailureOr<mlir::RankedTensorType> readType(const onnx::TensorProto &tensor,
                                           mlir::MLIRContext *context,
                                           ImportReport &report);

/// The tensor's values. Small ones become dense attributes, large ones resource
/// blobs (of mapped bytes where the data is external).
FailureOr<mlir::ElementsAttr> readTensor(const onnx::TensorProto &tensor,
                                         llvm::StringRef folder,
                                         mlir::MLIRContext *context,
                                         ImportReport &report);

/// Raw little-endian bytes of constant values; empty for an attribute of
/// another kind. A splat gives one element.
llvm::ArrayRef<char> rawBytes(mlir::ElementsAttr values);

/// Number of elements of a shape, or nullopt where it is negative or over the
/// limits.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape);

} // namespace amp::onnximport

#endif // AMP_LIB_IMPORT_ONNX_TENSORREADER_H
