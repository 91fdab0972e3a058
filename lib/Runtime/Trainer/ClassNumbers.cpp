//===- ClassNumbers.cpp - Targets that are numbers of classes -------------===//
//
// A class that the model does not have would train it towards nothing, so such
// data is refused before the first step.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/DataSet.h"
#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>

using namespace amp;
using namespace amp::runtime;

/// Elements converted at a time.
static constexpr int64_t kChunk = 4096;

std::optional<ClassRange>
PackageInfo::classes(const std::string &argument) const {
  std::string text = meta(("classes." + argument).c_str());
  ClassRange range;
  const char *end = text.data() + text.size();
  auto first = std::from_chars(text.data(), end, range.classes);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ' ')
    return std::nullopt;
  auto second = std::from_chars(first.ptr + 1, end, range.ignored);
  if (second.ec != std::errc() || second.ptr != end)
    return std::nullopt;
  return range;
}

void amp::runtime::checkClasses(const ClassRange &range,
                                const std::string &name, abi::DType type,
                                const char *data, int64_t count,
                                int64_t first) {
  for (int64_t i = 0; i < count; ++i) {
    int64_t value = 0;
    if (type == abi::DType::i64) {
      std::memcpy(&value, data + i * sizeof(int64_t), sizeof(value));
    } else {
      int32_t narrow = 0;
      std::memcpy(&narrow, data + i * sizeof(int32_t), sizeof(narrow));
      value = narrow;
    }
    if ((value < 0 || value >= range.classes) && value != range.ignored)
      throw Error(ExitCode::BadInput,
                  fmt::format("data '{}' has class {} at element {}, but the "
                              "classes of the model are 0 to {} ({}: does not "
                              "count)",
                              name, value, first + i, range.classes - 1,
                              range.ignored));
  }
}

void DataSet::checkClassNumbers(const PackageInfo &info) const {
  for (const Column &column : bound) {
    std::optional<ClassRange> range = info.classes(column.argument);
    if (!range ||
        (column.type != abi::DType::i64 && column.type != abi::DType::i32))
      continue;
    std::vector<char> chunk(size_t(kChunk) * abi::sizeOf(column.type));
    // Not the array's own count: an axis merged into the rows is in here.
    int64_t total = column.rowElements * (column.perBatch ? 1 : rowCount);
    for (int64_t at = 0; at < total; at += kChunk) {
      int64_t count = std::min(kChunk, total - at);
      column.convert(column.array.data + size_t(at) * sizeOf(column.array.type),
                     chunk.data(), size_t(count), column.scaling);
      checkClasses(*range, column.argument, column.type, chunk.data(), count,
                   at);
    }
  }
}
