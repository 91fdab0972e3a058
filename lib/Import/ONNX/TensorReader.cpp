//===- TensorReader.cpp - TensorProto to an attribute ---------------------===//
//
// Checks that the payload is exactly what type and shape ask for, then copies
// it into little-endian bytes and wraps them.
//
//===----------------------------------------------------------------------===//

#include "TensorReader.h"
#include "ExternalData.h"
#include "Limits.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include <cstring>

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;
using llvm::Twine;
using onnx::TensorProto;

mlir::Type amp::onnximport::elementType(int32_t onnxType,
                                        mlir::MLIRContext *context) {
  mlir::Builder b(context);
  switch (onnxType) {
  case TensorProto::FLOAT:
    return b.getF32Type();
  case TensorProto::DOUBLE:
    return b.getF64Type();
  case TensorProto::FLOAT16:
    return b.getF16Type();
  case TensorProto::BFLOAT16:
    return b.getBF16Type();
  case TensorProto::FLOAT8E4M3FN:
    return mlir::Float8E4M3FNType::get(context);
  case TensorProto::FLOAT8E4M3FNUZ:
    return mlir::Float8E4M3FNUZType::get(context);
  case TensorProto::FLOAT8E5M2:
    return mlir::Float8E5M2Type::get(context);
  case TensorProto::FLOAT8E5M2FNUZ:
    return mlir::Float8E5M2FNUZType::get(context);
  case TensorProto::BOOL:
    return b.getI1Type();
  case TensorProto::INT8:
    return b.getIntegerType(8);
  case TensorProto::INT16:
    return b.getIntegerType(16);
  case TensorProto::INT32:
    return b.getIntegerType(32);
  case TensorProto::INT64:
    return b.getIntegerType(64);
  case TensorProto::UINT8:
    return b.getIntegerType(8, /*isSigned=*/false);
  case TensorProto::UINT16:
    return b.getIntegerType(16, /*isSigned=*/false);
  case TensorProto::UINT32:
    return b.getIntegerType(32, /*isSigned=*/false);
  case TensorProto::UINT64:
    return b.getIntegerType(64, /*isSigned=*/false);
  case TensorProto::INT4:
    return b.getIntegerType(4);
  case TensorProto::UINT4:
    return b.getIntegerType(4, /*isSigned=*/false);
  default:
    return nullptr;
  }
}

std::string amp::onnximport::typeName(int32_t onnxType) {
  if (TensorProto::DataType_IsValid(onnxType))
    return TensorProto::DataType_Name(
        static_cast<TensorProto::DataType>(onnxType));
  return "number " + std::to_string(onnxType);
}

std::optional<int64_t>
amp::onnximport::countElements(llvm::ArrayRef<int64_t> shape) {
  if (static_cast<int64_t>(shape.size()) > kMaxRank)
    return std::nullopt;
  int64_t count = 1;
  bool empty = false;
  for (int64_t dim : shape) {
    if (dim < 0 || dim > kMaxElements)
      return std::nullopt;
    empty |= dim == 0;
    if (dim != 0 && __builtin_mul_overflow(count, dim, &count))
      return std::nullopt;
    if (count > kMaxElements)
      return std::nullopt;
  }
  return empty ? 0 : count;
}

FailureOr<mlir::RankedTensorType>
amp::onnximport::readType(const TensorProto &tensor, mlir::MLIRContext *context,
                          ImportReport &report) {
  mlir::Type element = elementType(tensor.data_type(), context);
  if (!element)
    return report.fail(tensor.data_type() ? Outcome::Unsupported
                                          : Outcome::BadInput,
                       "tensor " + shown(tensor.name()) + " has element type " +
                           typeName(tensor.data_type()) +
                           "; float, integer and bool types are understood");
  llvm::SmallVector<int64_t> shape(tensor.dims().begin(), tensor.dims().end());
  if (!countElements(shape))
    return report.fail(Outcome::BadInput,
                       "tensor " + shown(tensor.name()) +
                           " has a shape beyond the limits: at most " +
                           Twine(kMaxRank) + " dimensions and " +
                           Twine(kMaxElements) + " elements");
  return mlir::RankedTensorType::get(shape, element);
}

/// Bytes of one element in raw data, or 0 for packed 4-bit types.
static unsigned storageBytes(mlir::Type element) {
  return element.getIntOrFloatBitWidth() == 1
             ? 1
             : element.getIntOrFloatBitWidth() / 8;
}

/// Spreads two 4-bit elements a byte to one a byte.
static std::vector<char> unpackNibbles(StringRef packed, int64_t count) {
  std::vector<char> bytes(count);
  for (int64_t i = 0; i < count; ++i) {
    unsigned char byte = packed[i / 2];
    bytes[i] = i % 2 ? byte >> 4 : byte & 15;
  }
  return bytes;
}

/// Copies the low `width` bytes of each entry of a typed field.
template <typename Field>
static std::vector<char> narrow(const Field &field, unsigned width) {
  std::vector<char> bytes(size_t(field.size()) * width);
  char *out = bytes.data();
  for (auto value : field) {
    // The host is little-endian, as the format is.
    std::memcpy(out, &value, width);
    out += width;
  }
  return bytes;
}

/// The payload in a typed field. The number of entries is checked by the
/// caller, who compares bytes.
static std::vector<char> typedBytes(const TensorProto &tensor,
                                    mlir::Type element) {
  switch (tensor.data_type()) {
  case TensorProto::FLOAT:
    return narrow(tensor.float_data(), 4);
  case TensorProto::DOUBLE:
    return narrow(tensor.double_data(), 8);
  case TensorProto::INT64:
    return narrow(tensor.int64_data(), 8);
  case TensorProto::UINT32:
    return narrow(tensor.uint64_data(), 4);
  case TensorProto::UINT64:
    return narrow(tensor.uint64_data(), 8);
  case TensorProto::INT4:
  case TensorProto::UINT4:
    return narrow(tensor.int32_data(), 1);
  default:
    return narrow(tensor.int32_data(), storageBytes(element));
  }
}

/// Wraps bytes of exactly the right number.
static mlir::ElementsAttr wrap(mlir::RankedTensorType type,
                               llvm::ArrayRef<char> bytes, StringRef name,
                               std::shared_ptr<void> mapping) {
  if (type.getElementType().isInteger(1)) {
    std::vector<char> flags(bytes.begin(), bytes.end());
    llvm::SmallVector<bool> values;
    for (char byte : bytes)
      values.push_back(byte != 0);
    return mlir::DenseElementsAttr::get(type, llvm::ArrayRef<bool>(values));
  }
  if (static_cast<int64_t>(bytes.size()) <= kMaxInlineBytes ||
      !type.getElementType().isIntOrFloat() ||
      type.getElementType().getIntOrFloatBitWidth() < 8)
    return mlir::DenseElementsAttr::getFromRawBuffer(type, bytes);
  size_t width = storageBytes(type.getElementType());
  mlir::AsmResourceBlob blob;
  if (mapping && reinterpret_cast<uintptr_t>(bytes.data()) % width == 0)
    blob = mlir::AsmResourceBlob(
        bytes, width, [mapping](void *, size_t, size_t) {},
        /*dataIsMutable=*/false);
  else
    blob =
        mlir::HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, 64, false);
  return mlir::DenseResourceElementsAttr::get(
      type, name.empty() ? StringRef("constant") : name, std::move(blob));
}

FailureOr<mlir::ElementsAttr>
amp::onnximport::readTensor(const TensorProto &tensor, StringRef folder,
                            mlir::MLIRContext *context, ImportReport &report) {
  FailureOr<mlir::RankedTensorType> type = readType(tensor, context, report);
  if (failed(type))
    return failure();
  mlir::Type element = type->getElementType();
  bool packed = element.getIntOrFloatBitWidth() == 4;
  int64_t count = type->getNumElements();
  uint64_t expected =
      packed ? (count + 1) / 2 : uint64_t(count) * storageBytes(element);
  if (tensor.has_segment())
    return report.fail(Outcome::Unsupported, "tensor " + shown(tensor.name()) +
                                                 " is stored in segments");

  std::vector<char> typed;
  ExternalBytes external;
  StringRef payload;
  if (tensor.data_location() == TensorProto::EXTERNAL) {
    FailureOr<ExternalBytes> opened =
        openExternal(tensor, folder, expected, report);
    if (failed(opened))
      return failure();
    external = std::move(*opened);
    payload = external.bytes;
  } else if (tensor.has_raw_data()) {
    payload = tensor.raw_data();
  } else {
    typed = typedBytes(tensor, element);
    payload = StringRef(typed.data(), typed.size());
  }
  if (payload.size() != expected)
    return report.fail(Outcome::BadInput,
                       "tensor " + shown(tensor.name()) + " of type " +
                           typeName(tensor.data_type()) + " with " +
                           Twine(count) + " elements has " +
                           Twine(payload.size()) + " bytes of data, expected " +
                           Twine(expected));
  if (packed) {
    typed = unpackNibbles(payload, count);
    payload = StringRef(typed.data(), typed.size());
  }
  return wrap(*type, llvm::ArrayRef<char>(payload.data(), payload.size()),
              tensor.name(), external.mapping);
}

llvm::ArrayRef<char> amp::onnximport::rawBytes(mlir::ElementsAttr values) {
  if (auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(values))
    return dense.getRawData();
  if (auto resource = llvm::dyn_cast<mlir::DenseResourceElementsAttr>(values))
    if (mlir::AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      return blob->getData();
  return {};
}
