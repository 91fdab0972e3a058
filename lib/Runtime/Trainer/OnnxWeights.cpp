//===- OnnxWeights.cpp - Putting trained weights into ONNX bytes ----------===//
//
// A minimal reader and writer of the protobuf wire format: models, graphs and
// the graphs inside of nodes, tensors; all other fields copied byte by byte.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/OnnxWeights.h"
#include "WireFormat.h"
#include "amp/Runtime/Trainer/Convert.h"
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <set>

using namespace amp;
using namespace amp::runtime;
using namespace amp::runtime::wire;
using amp::abi::DType;

namespace {

// Field numbers of onnx.proto.
enum ModelField : uint64_t { kModelGraph = 7 };
enum GraphField : uint64_t { kGraphNode = 1, kGraphInitializer = 5 };
enum NodeField : uint64_t { kNodeAttribute = 5 };
enum AttributeField : uint64_t { kAttributeGraph = 6, kAttributeGraphs = 11 };
enum TensorField : uint64_t {
  kDims = 1,
  kDataType = 2,
  kFloatData = 4,
  kInt32Data = 5,
  kInt64Data = 7,
  kName = 8,
  kRawData = 9,
  kDoubleData = 10,
  kUint64Data = 11,
  kExternalData = 13,
  kDataLocation = 14,
};

/// ONNX type code to ours, for the types a trained tensor can be stored in.
std::optional<DType> typeOfCode(uint64_t code) {
  switch (code) {
  case 1:
    return DType::f32;
  case 2:
    return DType::u8;
  case 3:
    return DType::i8;
  case 5:
    return DType::i16;
  case 6:
    return DType::i32;
  case 7:
    return DType::i64;
  case 9:
    return DType::i1;
  case 10:
    return DType::f16;
  case 11:
    return DType::f64;
  case 16:
    return DType::bf16;
  default:
    return std::nullopt;
  }
}

/// The element type of the reader that has the bits of an argument type.
std::optional<ElementType> readerType(DType type) {
  switch (type) {
  case DType::f32:
    return ElementType::F32;
  case DType::f64:
    return ElementType::F64;
  case DType::f16:
    return ElementType::F16;
  case DType::i64:
    return ElementType::I64;
  case DType::i32:
    return ElementType::I32;
  default:
    return std::nullopt;
  }
}

/// What has to be known of a tensor before it is rewritten.
struct TensorSummary {
  std::string name;
  uint64_t type = 0;
  uint64_t elements = 1;
  bool external = false;
  std::string location;
};

std::string locationOf(std::string_view entry) {
  std::string key, value;
  Field field;
  for (Reader reader(entry); reader.next(field);)
    if (field.type == kBytes)
      (field.number == 1 ? key : value) = std::string(field.payload);
  return key == "location" ? value : "";
}

TensorSummary summarise(std::string_view tensor) {
  TensorSummary summary;
  auto multiply = [&](uint64_t dim) {
    if (dim != 0 && summary.elements > (uint64_t(1) << 50) / dim)
      fail(fmt::format("the shape of '{}'", summary.name));
    summary.elements *= dim;
  };
  Field field;
  for (Reader reader(tensor); reader.next(field);) {
    if (field.number == kName && field.type == kBytes) {
      summary.name = std::string(field.payload);
    } else if (field.number == kDataType && field.type == kVarint) {
      summary.type = field.varint;
    } else if (field.number == kDims && field.type == kVarint) {
      multiply(field.varint);
    } else if (field.number == kDims && field.type == kBytes) {
      for (Reader dims(field.payload); !dims.empty();)
        multiply(dims.varint());
    } else if (field.number == kDataLocation && field.type == kVarint) {
      summary.external = field.varint == 1;
    } else if (field.number == kExternalData && field.type == kBytes) {
      std::string location = locationOf(field.payload);
      if (!location.empty())
        summary.location = location;
    }
  }
  return summary;
}

/// The new bytes in the type the initializer is stored in.
std::string storedBytes(const TensorSummary &tensor, const NewWeight &weight) {
  uint64_t count = weight.bytes.size() / abi::sizeOf(weight.type);
  std::optional<DType> stored = typeOfCode(tensor.type);
  if (count != tensor.elements || !stored)
    throw Error(ExitCode::Diverged,
                fmt::format("initializer '{}' holds {} elements of ONNX type "
                            "{}, the variable {} of {}",
                            tensor.name, tensor.elements, tensor.type, count,
                            abi::nameOf(weight.type)));
  if (*stored == weight.type)
    return std::string(weight.bytes);
  std::optional<ElementType> from = readerType(weight.type);
  ConvertFn convert = from ? findConversion(*from, *stored) : nullptr;
  if (!convert)
    throw Error(ExitCode::Unsupported,
                fmt::format("initializer '{}' is stored as {} and cannot be "
                            "written from {}",
                            tensor.name, abi::nameOf(*stored),
                            abi::nameOf(weight.type)));
  std::string result(count * abi::sizeOf(*stored), '\0');
  convert(weight.bytes.data(), result.data(), count, Scaling());
  return result;
}

bool isPayload(uint64_t number) {
  switch (number) {
  case kFloatData:
  case kInt32Data:
  case kInt64Data:
  case kRawData:
  case kDoubleData:
  case kUint64Data:
  case kExternalData:
  case kDataLocation:
    return true;
  default:
    return false;
  }
}

/// The tensor with another payload. A single packed float field and raw data
/// keep their field; anything else becomes raw data at the place of the first
/// payload field.
std::string rewriteTensor(std::string_view tensor, const TensorSummary &summary,
                          const NewWeight &weight) {
  std::string bytes = storedBytes(summary, weight);
  std::string out;
  bool placed = false;
  Field field;
  for (Reader reader(tensor); reader.next(field);) {
    if (!isPayload(field.number)) {
      out += field.whole;
      continue;
    }
    if (placed)
      continue;
    placed = true;
    bool packedFloats = field.number == kFloatData && field.type == kBytes &&
                        summary.type == 1 &&
                        field.payload.size() == bytes.size();
    appendBytes(out, packedFloats ? uint64_t(kFloatData) : uint64_t(kRawData),
                bytes);
  }
  if (!placed)
    appendBytes(out, kRawData, bytes);
  return out;
}

/// Rewrites the graph of a model and, in it, the graphs of its nodes.
class GraphRewriter {
public:
  GraphRewriter(const std::map<std::string, NewWeight> &weights)
      : weights(weights) {}

  std::string graph(std::string_view message, unsigned depth = 0);

  std::set<std::string> done, files;

private:
  void initializer(const Field &field, unsigned depth, std::string &out);
  std::string node(std::string_view message, unsigned depth);
  std::string attribute(std::string_view message, unsigned depth);

  const std::map<std::string, NewWeight> &weights;
  /// Names of the main graph; one inside of a node is another tensor.
  std::set<std::string> outer;
};

void GraphRewriter::initializer(const Field &field, unsigned depth,
                                std::string &out) {
  TensorSummary summary = summarise(field.payload);
  auto weight = weights.find(summary.name);
  if (weight == weights.end() || (depth && outer.count(summary.name))) {
    if (summary.external)
      files.insert(summary.location);
    out += field.whole;
    return;
  }
  appendBytes(out, kGraphInitializer,
              rewriteTensor(field.payload, summary, weight->second));
  done.insert(summary.name);
}

std::string GraphRewriter::graph(std::string_view message, unsigned depth) {
  // The compiler takes no deeper one.
  constexpr unsigned kMaxDepth = 32;
  if (depth > kMaxDepth)
    fail(fmt::format("graphs are nested more than {} deep", kMaxDepth));
  std::string out;
  Field field;
  if (depth == 0)
    for (Reader reader(message); reader.next(field);)
      if (field.number == kGraphInitializer && field.type == kBytes)
        outer.insert(summarise(field.payload).name);
  for (Reader reader(message); reader.next(field);) {
    if (field.number == kGraphInitializer && field.type == kBytes)
      initializer(field, depth, out);
    else if (field.number == kGraphNode && field.type == kBytes)
      appendBytes(out, kGraphNode, node(field.payload, depth));
    else
      out += field.whole;
  }
  return out;
}

std::string GraphRewriter::node(std::string_view message, unsigned depth) {
  std::string out;
  Field field;
  for (Reader reader(message); reader.next(field);)
    if (field.number == kNodeAttribute && field.type == kBytes)
      appendBytes(out, kNodeAttribute, attribute(field.payload, depth));
    else
      out += field.whole;
  return out;
}

std::string GraphRewriter::attribute(std::string_view message, unsigned depth) {
  std::string out;
  Field field;
  for (Reader reader(message); reader.next(field);) {
    bool isGraph =
        field.number == kAttributeGraph || field.number == kAttributeGraphs;
    if (isGraph && field.type == kBytes)
      appendBytes(out, field.number, graph(field.payload, depth + 1));
    else
      out += field.whole;
  }
  return out;
}

} // namespace

RewrittenModel
amp::runtime::replaceWeights(std::string_view model,
                             const std::map<std::string, NewWeight> &weights) {
  RewrittenModel result;
  GraphRewriter rewriter(weights);
  Field field;
  for (Reader reader(model); reader.next(field);)
    if (field.number == kModelGraph && field.type == kBytes)
      appendBytes(result.bytes, kModelGraph, rewriter.graph(field.payload));
    else
      result.bytes += field.whole;
  for (const auto &entry : weights)
    if (!rewriter.done.count(entry.first))
      fail(fmt::format("it has no initializer '{}'", entry.first));
  if (result.bytes.size() > size_t(std::numeric_limits<int32_t>::max()))
    throw Error(ExitCode::Unsupported,
                "the model with its weights inside would exceed the 2 GiB an "
                "ONNX file can have");
  result.externalFiles.assign(rewriter.files.begin(), rewriter.files.end());
  return result;
}
