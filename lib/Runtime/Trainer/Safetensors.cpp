//===- Safetensors.cpp - The weight file of a checkpoint ------------------===//
//
// Header rendering and strict parsing.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Safetensors.h"
#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/Array.h"
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

using namespace amp;
using namespace amp::runtime;
using amp::abi::DType;
using nlohmann::json;

namespace {

constexpr DType kAllTypes[] = {DType::f32,      DType::f16,    DType::bf16,
                               DType::f64,      DType::i8,     DType::u8,
                               DType::i32,      DType::i64,    DType::i1,
                               DType::f8e4m3fn, DType::f8e5m2, DType::i16};

constexpr size_t kLengthBytes = 8;
/// A header larger than this is not one of ours and is not parsed.
constexpr uint64_t kMaxHeaderBytes = uint64_t(100) << 20;

std::optional<DType> typeOf(const std::string &name) {
  for (DType type : kAllTypes)
    if (name == safetensorsName(type))
      return type;
  return std::nullopt;
}

/// A non-negative integer of a JSON value, or -1.
int64_t naturalOf(const json &value) {
  if (!value.is_number_integer())
    return -1;
  if (value.is_number_unsigned() && value.get<uint64_t>() > (1ull << 62))
    return -1;
  return std::max<int64_t>(value.get<int64_t>(), -1);
}

} // namespace

const char *amp::runtime::safetensorsName(DType type) {
  switch (type) {
  case DType::f64:
    return "F64";
  case DType::f32:
    return "F32";
  case DType::f16:
    return "F16";
  case DType::bf16:
    return "BF16";
  case DType::f8e4m3fn:
    return "F8_E4M3";
  case DType::f8e5m2:
    return "F8_E5M2";
  case DType::i64:
    return "I64";
  case DType::i32:
    return "I32";
  case DType::i16:
    return "I16";
  case DType::i8:
    return "I8";
  case DType::u8:
    return "U8";
  case DType::i1:
    return "BOOL";
  }
  return "";
}

std::string
amp::runtime::renderSafetensorsHeader(std::vector<TensorEntry> &entries) {
  uint64_t offset = 0;
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  header["__metadata__"] = {{"format", "amp-checkpoint"}};
  for (TensorEntry &entry : entries) {
    entry.begin = offset;
    offset += uint64_t(checkedBytes(entry.dims, abi::sizeOf(entry.type)));
    entry.end = offset;
    nlohmann::ordered_json value;
    value["dtype"] = safetensorsName(entry.type);
    value["shape"] = entry.dims;
    value["data_offsets"] = {entry.begin, entry.end};
    header[entry.name] = std::move(value);
  }
  std::string text = header.dump();
  while ((text.size() + kLengthBytes) % 64)
    text += ' ';
  std::string length;
  for (size_t i = 0; i < kLengthBytes; ++i)
    length += char(uint64_t(text.size()) >> (8 * i));
  return length + text;
}

std::string_view amp::runtime::safetensorsHeader(std::string_view file,
                                                 const std::string &what) {
  auto fail = [&](const std::string &reason) {
    throw Error(ExitCode::BadInput, fmt::format("{}: {}", what, reason));
  };
  if (file.size() < kLengthBytes)
    fail("too short for a safetensors file");
  uint64_t length = 0;
  for (size_t i = 0; i < kLengthBytes; ++i)
    length |= uint64_t(uint8_t(file[i])) << (8 * i);
  if (length > kMaxHeaderBytes || length > file.size() - kLengthBytes)
    fail("the safetensors header is longer than the file");
  return file.substr(0, kLengthBytes + length);
}

SafetensorsView amp::runtime::parseSafetensors(std::string_view file,
                                               const std::string &what) {
  auto fail = [&](const std::string &reason) {
    throw Error(ExitCode::BadInput, fmt::format("{}: {}", what, reason));
  };
  SafetensorsView view;
  view.header = safetensorsHeader(file, what);
  view.data = file.substr(view.header.size());
  std::string_view text = view.header.substr(kLengthBytes);
  json header = json::parse(text.begin(), text.end(), nullptr, false);
  if (!header.is_object())
    fail("the safetensors header is no JSON object");
  for (const auto &[name, value] : header.items()) {
    if (name == "__metadata__")
      continue;
    TensorEntry entry;
    entry.name = name;
    auto bad = [&](const char *field) {
      fail(fmt::format("tensor '{}' has a bad {}", entry.name, field));
    };
    if (!value.is_object() || !value.contains("dtype") ||
        !value["dtype"].is_string())
      bad("dtype");
    std::optional<DType> type = typeOf(value["dtype"].get<std::string>());
    if (!type)
      bad("dtype");
    entry.type = *type;
    if (!value.contains("shape") || !value["shape"].is_array())
      bad("shape");
    for (const json &dim : value["shape"])
      entry.dims.push_back(naturalOf(dim));
    int64_t bytes = checkedBytes(entry.dims, abi::sizeOf(entry.type));
    if (bytes < 0)
      bad("shape");
    if (!value.contains("data_offsets") || !value["data_offsets"].is_array() ||
        value["data_offsets"].size() != 2)
      bad("data_offsets");
    int64_t begin = naturalOf(value["data_offsets"][0]);
    int64_t end = naturalOf(value["data_offsets"][1]);
    if (begin < 0 || end < begin || end - begin != bytes)
      bad("data_offsets");
    entry.begin = uint64_t(begin);
    entry.end = uint64_t(end);
    view.entries.push_back(std::move(entry));
  }
  std::sort(view.entries.begin(), view.entries.end(),
            [](const TensorEntry &a, const TensorEntry &b) {
              return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
            });
  uint64_t offset = 0;
  for (const TensorEntry &entry : view.entries) {
    if (entry.begin != offset)
      fail(fmt::format("tensor '{}' overlaps another or leaves a gap",
                       entry.name));
    offset = entry.end;
  }
  if (offset != view.data.size())
    fail(fmt::format("the tensors take {} bytes, but {} are there", offset,
                     view.data.size()));
  return view;
}
