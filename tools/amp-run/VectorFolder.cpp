//===- VectorFolder.cpp - Files of an ONNX backend test -------------------===//

#include "VectorFolder.h"
#include "TensorReader.h"
#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include <cstring>
#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <set>

namespace amp {

using onnx::TensorProto;
using runtime::Array;
using runtime::ElementType;
using runtime::ExitCode;

/// Parses a whole file as one message, with a bound on its nesting.
static void parseFile(const std::string &path,
                      google::protobuf::MessageLite &message) {
  constexpr int kMaxNesting = 100;
  auto file = runtime::MappedFile::open(path);
  google::protobuf::io::CodedInputStream stream(
      reinterpret_cast<const uint8_t *>(file->bytes().data()),
      int(std::min<size_t>(file->bytes().size(), INT32_MAX)));
  stream.SetRecursionLimit(kMaxNesting);
  if (!message.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage())
    throw runtime::Error(ExitCode::BadInput,
                         fmt::format("'{}' is no {}: the protobuf message is "
                                     "damaged or truncated",
                                     path, message.GetTypeName()));
}

/// The files PREFIX0.pb, PREFIX1.pb, .. as tensors.
static std::vector<TensorProto> readTensors(const std::string &prefix) {
  std::vector<TensorProto> tensors;
  for (;;) {
    std::string path = fmt::format("{}{}.pb", prefix, tensors.size());
    if (!llvm::sys::fs::exists(path))
      return tensors;
    parseFile(path, tensors.emplace_back());
  }
}

static void requireTensor(const onnx::ValueInfoProto &value, const char *what) {
  if (!value.type().has_tensor_type())
    throw runtime::Error(
        ExitCode::Unsupported,
        fmt::format("{} '{}' is no tensor", what, value.name()));
}

static void requireCount(const VectorFolder &folder, const VectorData &data,
                         const char *what, size_t files, size_t expected) {
  if (files != expected)
    throw runtime::Error(
        ExitCode::BadInput,
        fmt::format("'{}/{}' has {} files for {}s, but the model has {}",
                    folder.path, data.name, files, what, expected));
}

VectorFolder readVectorFolder(const std::string &path) {
  VectorFolder folder;
  folder.path = path;
  parseFile(path + "/model.onnx", folder.model);
  const onnx::GraphProto &graph = folder.model.graph();
  std::set<std::string> filled;
  for (const TensorProto &tensor : graph.initializer())
    filled.insert(tensor.name());
  for (int i = 0; i < graph.input_size(); ++i) {
    if (filled.count(graph.input(i).name()))
      continue;
    requireTensor(graph.input(i), "input");
    folder.inputs.push_back(i);
  }
  for (const onnx::ValueInfoProto &output : graph.output())
    requireTensor(output, "output");
  for (;;) {
    VectorData data;
    data.name = fmt::format("test_data_set_{}", folder.sets.size());
    std::string place = path + "/" + data.name;
    if (!llvm::sys::fs::is_directory(place))
      break;
    data.inputs = readTensors(place + "/input_");
    data.outputs = readTensors(place + "/output_");
    // Files for inputs that initializers fill are there in some old tests.
    if (data.inputs.size() != folder.inputs.size() &&
        data.inputs.size() == size_t(graph.input_size())) {
      std::vector<TensorProto> wanted;
      for (int i : folder.inputs)
        wanted.push_back(data.inputs[i]);
      data.inputs = std::move(wanted);
    }
    requireCount(folder, data, "input", data.inputs.size(),
                 folder.inputs.size());
    requireCount(folder, data, "output", data.outputs.size(),
                 graph.output_size());
    folder.sets.push_back(std::move(data));
  }
  if (folder.sets.empty())
    throw runtime::Error(ExitCode::BadInput,
                         fmt::format("'{}' has no test_data_set_0", path));
  return folder;
}

/// The element type of an array that holds values of an ONNX type bit by bit.
/// Packages store unsigned numbers of 16 bits and more in the signed type of
/// that width; equal bits are equal numbers.
static std::optional<ElementType> plainType(int32_t type) {
  switch (type) {
  case TensorProto::FLOAT:
    return ElementType::F32;
  case TensorProto::DOUBLE:
    return ElementType::F64;
  case TensorProto::FLOAT16:
    return ElementType::F16;
  case TensorProto::BOOL:
    return ElementType::Bool;
  case TensorProto::INT8:
    return ElementType::I8;
  case TensorProto::INT16:
  case TensorProto::UINT16:
    return ElementType::I16;
  case TensorProto::INT32:
  case TensorProto::UINT32:
    return ElementType::I32;
  case TensorProto::INT64:
  case TensorProto::UINT64:
    return ElementType::I64;
  case TensorProto::UINT8:
    return ElementType::U8;
  default:
    return std::nullopt;
  }
}

Array arrayOf(const TensorProto &tensor, const std::string &what) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  ImportReport report;
  auto fail = [&](ExitCode code, const std::string &message) {
    throw runtime::Error(code, what + ": " + message);
  };
  auto values = onnximport::readTensor(tensor, /*folder=*/"", &context, report);
  if (mlir::failed(values))
    fail(ExitCode(report.exitCode()), report.message);
  Array array;
  array.dims.assign(tensor.dims().begin(), tensor.dims().end());
  size_t count = size_t(array.elements());
  auto bytes = std::make_shared<std::vector<char>>();
  mlir::Type element = values->getElementType();
  if (element.isInteger(1)) {
    array.type = ElementType::Bool;
    for (bool flag : values->getValues<bool>())
      bytes->push_back(flag);
  } else if (auto plain = plainType(tensor.data_type())) {
    array.type = *plain;
    llvm::ArrayRef<char> raw = onnximport::rawBytes(*values);
    size_t width = runtime::sizeOf(*plain);
    if (raw.empty() && count)
      fail(ExitCode::Unsupported, "the values cannot be read");
    // One element stands for all of a splat.
    while (bytes->size() < count * width)
      bytes->insert(bytes->end(), raw.begin(), raw.end());
  } else if (llvm::isa<mlir::FloatType>(element)) {
    array.type = ElementType::F32;
    bytes->reserve(count * sizeof(float));
    for (const llvm::APFloat &value : values->getValues<llvm::APFloat>()) {
      llvm::APFloat wide = value;
      bool inexact = false;
      wide.convert(llvm::APFloat::IEEEsingle(),
                   llvm::APFloat::rmNearestTiesToEven, &inexact);
      float single = wide.convertToFloat();
      const char *data = reinterpret_cast<const char *>(&single);
      bytes->insert(bytes->end(), data, data + sizeof(single));
    }
  } else {
    fail(ExitCode::Unsupported, "values of type " +
                                    onnximport::typeName(tensor.data_type()) +
                                    " are not understood");
  }
  array.data = bytes->data();
  array.owner = bytes;
  return array;
}

std::string modelFor(const VectorFolder &folder, const VectorData &data,
                     const std::vector<bool> &bound) {
  onnx::ModelProto model = folder.model;
  onnx::GraphProto &graph = *model.mutable_graph();
  for (size_t k = 0; k < folder.inputs.size(); ++k) {
    onnx::ValueInfoProto &input = *graph.mutable_input(folder.inputs[k]);
    onnx::TensorShapeProto &shape =
        *input.mutable_type()->mutable_tensor_type()->mutable_shape();
    shape.clear_dim();
    for (int64_t size : data.inputs[k].dims())
      shape.add_dim()->set_dim_value(size);
    if (!bound[k])
      continue;
    TensorProto &tensor = *graph.add_initializer();
    tensor = data.inputs[k];
    tensor.set_name(input.name());
  }
  // Behind the loop, since removing moves those that follow.
  for (size_t k = folder.inputs.size(); k-- > 0;)
    if (bound[k])
      graph.mutable_input()->DeleteSubrange(folder.inputs[k], 1);
  return model.SerializeAsString();
}

bool mayBind(const TensorProto &tensor) {
  switch (tensor.data_type()) {
  case TensorProto::BOOL:
  case TensorProto::INT8:
  case TensorProto::INT16:
  case TensorProto::INT32:
  case TensorProto::INT64:
  case TensorProto::UINT8:
  case TensorProto::UINT16:
  case TensorProto::UINT32:
  case TensorProto::UINT64:
    return true;
  default:
    return false;
  }
}

} // namespace amp
