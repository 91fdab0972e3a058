//===- ExportWriter.cpp - Builds an ONNX graph ----------------------------===//
//
// Bookkeeping of names and the payload of tensors.
//
//===----------------------------------------------------------------------===//

#include "ExportWriter.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace amp;
using namespace amp::onnxexport;
using llvm::ArrayRef;
using llvm::StringRef;
using onnx::TensorProto;

int32_t amp::onnxexport::onnxType(mlir::Type element) {
  if (auto type = llvm::dyn_cast<mlir::IntegerType>(element)) {
    bool isUnsigned = type.isUnsigned();
    switch (type.getWidth()) {
    case 1:
      return TensorProto::BOOL;
    case 8:
      return isUnsigned ? TensorProto::UINT8 : TensorProto::INT8;
    case 16:
      return isUnsigned ? TensorProto::UINT16 : TensorProto::INT16;
    case 32:
      return isUnsigned ? TensorProto::UINT32 : TensorProto::INT32;
    case 64:
      return isUnsigned ? TensorProto::UINT64 : TensorProto::INT64;
    default:
      return TensorProto::UNDEFINED;
    }
  }
  return llvm::TypeSwitch<mlir::Type, int32_t>(element)
      .Case<mlir::Float32Type>([](auto) { return TensorProto::FLOAT; })
      .Case<mlir::Float64Type>([](auto) { return TensorProto::DOUBLE; })
      .Case<mlir::Float16Type>([](auto) { return TensorProto::FLOAT16; })
      .Case<mlir::BFloat16Type>([](auto) { return TensorProto::BFLOAT16; })
      .Case<mlir::Float8E4M3FNType>(
          [](auto) { return TensorProto::FLOAT8E4M3FN; })
      .Case<mlir::Float8E5M2Type>([](auto) { return TensorProto::FLOAT8E5M2; })
      .Default([](auto) { return TensorProto::UNDEFINED; });
}

std::string ExportWriter::nameOf(mlir::Value value) const {
  auto found = names.find(value);
  assert(found != names.end() && "operands come before their users");
  return found->second;
}

void ExportWriter::setName(mlir::Value value, StringRef name) {
  names[value] = name.str();
}

std::string ExportWriter::fresh(StringRef wanted) {
  std::string name = wanted.str();
  for (unsigned i = 1; !taken.insert(name).second; ++i)
    name = (wanted + "." + llvm::Twine(i)).str();
  return name;
}

/// The name of the node an op came from, or of its kind.
static std::string baseName(mlir::Operation *op) {
  mlir::Location loc = op->getLoc();
  if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(loc))
    if (!fused.getLocations().empty())
      loc = fused.getLocations().front();
  if (auto name = llvm::dyn_cast<mlir::NameLoc>(loc))
    if (!name.getName().empty())
      return name.getName().str();
  return op->getName().stripDialect().str();
}

std::string ExportWriter::define(mlir::Value value) {
  auto found = names.find(value);
  if (found != names.end())
    return found->second;
  std::string name = fresh(baseName(value.getDefiningOp()) + "/value");
  names[value] = name;
  return name;
}

onnx::NodeProto &ExportWriter::node(mlir::Operation *op, StringRef type,
                                    ArrayRef<std::string> inputs,
                                    ArrayRef<std::string> outputs) {
  onnx::NodeProto &node = *graph.add_node();
  node.set_op_type(type.str());
  std::string base = baseName(op), unique = base;
  for (unsigned i = 1; !nodeNames.insert(unique).second; ++i)
    unique = base + "." + std::to_string(i);
  node.set_name(unique);
  for (const std::string &input : inputs)
    node.add_input(input);
  for (const std::string &output : outputs)
    node.add_output(output);
  return node;
}

std::string ExportWriter::inner(mlir::Operation *op, StringRef type,
                                ArrayRef<std::string> inputs) {
  std::string name = fresh(baseName(op) + "/inner");
  node(op, type, inputs, {name});
  return name;
}

onnx::NodeProto &ExportWriter::direct(mlir::Operation *op, StringRef type) {
  llvm::SmallVector<std::string> inputs;
  for (mlir::Value operand : op->getOperands())
    inputs.push_back(nameOf(operand));
  return node(op, type, inputs, {define(op->getResult(0))});
}

/// Bytes of all elements; a splat is repeated.
static mlir::FailureOr<std::string> payload(mlir::ElementsAttr values) {
  int64_t count = values.getNumElements();
  if (values.getElementType().isInteger(1)) {
    auto flags = values.tryGetValues<bool>();
    if (!flags)
      return mlir::failure();
    std::string bytes;
    for (bool flag : *flags)
      bytes.push_back(flag ? 1 : 0);
    return bytes;
  }
  size_t size = count * values.getElementType().getIntOrFloatBitWidth() / 8;
  ArrayRef<char> raw;
  if (auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(values))
    raw = dense.getRawData();
  else if (auto blob = llvm::dyn_cast<mlir::DenseResourceElementsAttr>(values))
    if (mlir::AsmResourceBlob *data = blob.getRawHandle().getBlob())
      raw = data->getData();
  if (raw.size() == size)
    return std::string(raw.begin(), raw.end());
  // A splat, or a variable whose init is a scalar fill.
  if (raw.empty() || size % raw.size())
    return mlir::failure();
  std::string bytes;
  while (bytes.size() < size)
    bytes.append(raw.begin(), raw.end());
  return bytes;
}

mlir::FailureOr<std::string>
ExportWriter::initializer(StringRef name, mlir::ElementsAttr values) {
  int32_t type = onnxType(values.getElementType());
  mlir::FailureOr<std::string> bytes = payload(values);
  if (!type || failed(bytes))
    return mlir::failure();
  TensorProto &tensor = *graph.add_initializer();
  tensor.set_name(fresh(name));
  tensor.set_data_type(type);
  for (int64_t dim : values.getShapedType().getShape())
    tensor.add_dims(dim);
  tensor.set_raw_data(std::move(*bytes));
  return tensor.name();
}

std::string ExportWriter::ints(ArrayRef<int64_t> values) {
  TensorProto &tensor = *graph.add_initializer();
  tensor.set_name(fresh("ints"));
  tensor.set_data_type(TensorProto::INT64);
  tensor.add_dims(values.size());
  tensor.set_raw_data(std::string(reinterpret_cast<const char *>(values.data()),
                                  values.size() * 8));
  return tensor.name();
}

std::string ExportWriter::scalar(double value, mlir::Type element) {
  mlir::Builder builder(element.getContext());
  auto type = mlir::RankedTensorType::get({}, element);
  mlir::Attribute entry =
      llvm::isa<mlir::FloatType>(element)
          ? mlir::Attribute(builder.getFloatAttr(element, value))
          : mlir::Attribute(
                builder.getIntegerAttr(element, static_cast<int64_t>(value)));
  auto name = initializer("scalar", mlir::DenseElementsAttr::get(type, entry));
  assert(succeeded(name) && "callers pass types of values already written");
  return *name;
}

void ExportWriter::declare(onnx::ValueInfoProto &info, StringRef name,
                           mlir::Type type) {
  auto tensor = llvm::cast<mlir::RankedTensorType>(type);
  info.set_name(name.str());
  onnx::TypeProto::Tensor &proto = *info.mutable_type()->mutable_tensor_type();
  proto.set_elem_type(onnxType(tensor.getElementType()));
  for (int64_t dim : tensor.getShape())
    proto.mutable_shape()->add_dim()->set_dim_value(dim);
  proto.mutable_shape();
}

/// Adds an attribute of a kind.
static onnx::AttributeProto &add(onnx::NodeProto &node, StringRef name,
                                 onnx::AttributeProto::AttributeType type) {
  onnx::AttributeProto &attribute = *node.add_attribute();
  attribute.set_name(name.str());
  attribute.set_type(type);
  return attribute;
}

void amp::onnxexport::setInt(onnx::NodeProto &node, StringRef name,
                             int64_t value) {
  add(node, name, onnx::AttributeProto::INT).set_i(value);
}

void amp::onnxexport::setFloat(onnx::NodeProto &node, StringRef name,
                               double value) {
  add(node, name, onnx::AttributeProto::FLOAT).set_f(value);
}

void amp::onnxexport::setString(onnx::NodeProto &node, StringRef name,
                                StringRef value) {
  add(node, name, onnx::AttributeProto::STRING).set_s(value.str());
}

void amp::onnxexport::setInts(onnx::NodeProto &node, StringRef name,
                              ArrayRef<int64_t> values) {
  onnx::AttributeProto &attribute = add(node, name, onnx::AttributeProto::INTS);
  for (int64_t value : values)
    attribute.add_ints(value);
}
