//===- OnnxWeights.cpp - Putting trained weights into ONNX bytes ----------===//
//
// A minimal reader and writer of the protobuf wire format: three nested
// messages (model, graph, tensor), all other fields copied byte by byte.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/OnnxWeights.h"
#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/Convert.h"
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <set>

using namespace amp;
using namespace amp::runtime;
using amp::abi::DType;

namespace {

// Field numbers of onnx.proto.
enum ModelField : uint64_t { kModelGraph = 7 };
enum GraphField : uint64_t { kGraphInitializer = 5 };
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

enum WireType : unsigned {
  kVarint = 0,
  kFixed64 = 1,
  kBytes = 2,
  kFixed32 = 5
};

[[noreturn]] void fail(const std::string &reason) {
  throw Error(ExitCode::BadInput,
              fmt::format("the model in the package is damaged: {}", reason));
}

/// One field: its number, type, payload, and the bytes it takes with its tag.
struct Field {
  uint64_t number = 0;
  unsigned type = 0;
  uint64_t varint = 0;
  std::string_view payload, whole;
};

/// Iterates over the fields of a message.
class Reader {
public:
  explicit Reader(std::string_view message) : rest(message) {}

  bool next(Field &field) {
    if (rest.empty())
      return false;
    std::string_view start = rest;
    uint64_t tag = varint();
    field.number = tag >> 3;
    field.type = tag & 7;
    field.payload = {};
    switch (field.type) {
    case kVarint: {
      std::string_view before = rest;
      field.varint = varint();
      field.payload = before.substr(0, before.size() - rest.size());
      break;
    }
    case kFixed64:
      field.payload = take(8);
      break;
    case kFixed32:
      field.payload = take(4);
      break;
    case kBytes:
      field.payload = take(varint());
      break;
    default:
      fail(fmt::format("wire type {}", field.type));
    }
    field.whole = start.substr(0, start.size() - rest.size());
    return true;
  }

  uint64_t varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      uint8_t byte = uint8_t(take(1)[0]);
      value |= uint64_t(byte & 0x7F) << shift;
      if (!(byte & 0x80))
        return value;
    }
    fail("a number is too long");
  }

  bool empty() const { return rest.empty(); }

private:
  std::string_view take(uint64_t bytes) {
    if (bytes > rest.size())
      fail("it is cut off");
    std::string_view result = rest.substr(0, bytes);
    rest.remove_prefix(bytes);
    return result;
  }

  std::string_view rest;
};

void appendVarint(std::string &out, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out += char(value | 0x80);
  out += char(value);
}

void appendBytes(std::string &out, uint64_t number, std::string_view payload) {
  appendVarint(out, number << 3 | kBytes);
  appendVarint(out, payload.size());
  out += payload;
}

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

} // namespace

RewrittenModel
amp::runtime::replaceWeights(std::string_view model,
                             const std::map<std::string, NewWeight> &weights) {
  RewrittenModel result;
  std::set<std::string> done, files;
  Field field;
  for (Reader reader(model); reader.next(field);) {
    if (field.number != kModelGraph || field.type != kBytes) {
      result.bytes += field.whole;
      continue;
    }
    std::string graph;
    Field part;
    for (Reader parts(field.payload); parts.next(part);) {
      if (part.number != kGraphInitializer || part.type != kBytes) {
        graph += part.whole;
        continue;
      }
      TensorSummary summary = summarise(part.payload);
      auto weight = weights.find(summary.name);
      if (weight == weights.end()) {
        if (summary.external)
          files.insert(summary.location);
        graph += part.whole;
        continue;
      }
      appendBytes(graph, kGraphInitializer,
                  rewriteTensor(part.payload, summary, weight->second));
      done.insert(summary.name);
    }
    appendBytes(result.bytes, kModelGraph, graph);
  }
  for (const auto &entry : weights)
    if (!done.count(entry.first))
      fail(fmt::format("it has no initializer '{}'", entry.first));
  if (result.bytes.size() > size_t(std::numeric_limits<int32_t>::max()))
    throw Error(ExitCode::Unsupported,
                "the model with its weights inside would exceed the 2 GiB an "
                "ONNX file can have");
  result.externalFiles.assign(files.begin(), files.end());
  return result;
}
