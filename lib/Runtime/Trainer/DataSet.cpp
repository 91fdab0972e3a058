//===- DataSet.cpp - Rows of data files bound to arguments ----------------===//
//
// Matching by name, the shape rules, and the gather that fills a batch.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/DataSet.h"
#include "amp/Runtime/Error.h"
#include <algorithm>
#include <cstring>
#include <fmt/format.h>

using namespace amp;
using namespace amp::runtime;

using Dims = std::vector<int64_t>;

/// True if `wanted` is `found` with ones inserted.
static bool fitsWithOnes(const Dims &found, const Dims &wanted) {
  size_t i = 0;
  for (int64_t dim : wanted) {
    if (i < found.size() && found[i] == dim)
      ++i;
    else if (dim != 1)
      return false;
  }
  return i == found.size();
}

static Dims tail(const Dims &dims, size_t from) {
  return Dims(dims.begin() + std::min(from, dims.size()), dims.end());
}

static int64_t product(const Dims &dims) {
  int64_t result = 1;
  for (int64_t dim : dims)
    result *= dim;
  return result;
}

Column DataSet::bind(const Array &array, const abi::Argument &argument,
                     int64_t batch, const std::string &key) const {
  if (!array.problem.empty())
    throw Error(ExitCode::BadInput, array.problem);
  Column column;
  column.argument = key;
  column.type = argument.dtype();
  column.isTarget = argument.role() && argument.role()->str() == "target";
  column.array = array;
  column.convert = findConversion(array.type, column.type);
  if (!column.convert)
    throw Error(ExitCode::BadInput,
                fmt::format("data '{}' has element type {}, but the model takes"
                            " {} there, which accepts {}",
                            key, nameOf(array.type), abi::nameOf(column.type),
                            acceptedTypes(column.type)));
  Dims wanted;
  if (argument.dims())
    wanted.assign(argument.dims()->begin(), argument.dims()->end());
  auto misfit = [&](const std::string &expected) {
    throw Error(ExitCode::BadInput,
                fmt::format("data '{}' has shape {}, but the model takes {} "
                            "there, so the data must have shape {}",
                            key, shapeText(array.dims), shapeText(wanted),
                            expected));
  };
  if (wanted.empty() || wanted[0] % batch != 0) {
    // No batch axis: one array for all steps.
    if (!fitsWithOnes(array.dims, wanted))
      misfit(shapeText(wanted));
    column.perBatch = true;
    column.rowElements = product(wanted);
    return column;
  }
  // The graph may have merged an axis into the batch axis: `merged` of its
  // rows are one sample, which the file holds as an axis or as rows.
  int64_t merged = wanted[0] / batch;
  Dims row = tail(wanted, 1);
  column.rowElements = merged * product(row);
  if (merged > 1)
    row.insert(row.begin(), merged);
  bool separate = !array.dims.empty() && fitsWithOnes(tail(array.dims, 1), row);
  bool flat = merged > 1 && !array.dims.empty() &&
              array.dims[0] % merged == 0 &&
              fitsWithOnes(tail(array.dims, 1), tail(row, 1));
  if (!separate && !flat)
    misfit(row.empty() ? "[rows]"
                       : fmt::format("[rows, {}]", fmt::join(row, ", ")));
  if (!separate)
    column.array.dims[0] /= merged;
  return column;
}

DataSet::DataSet(const ArrayMap &arrays, const abi::Entry &entry, int64_t batch,
                 bool withTargets, const DataOptions &options) {
  std::vector<std::string> missing;
  std::string firstKey;
  unsigned count = entry.arguments() ? entry.arguments()->size() : 0;
  for (unsigned i = 0; i < count; ++i) {
    const abi::Argument *argument = entry.arguments()->Get(i);
    std::string role = argument->role() ? argument->role()->str() : "";
    if (role != "input" && !(withTargets && role == "target"))
      continue;
    std::string key = argument->name()->str();
    auto found = arrays.find(key);
    if (found == arrays.end()) {
      missing.push_back(fmt::format("'{}'", key));
      continue;
    }
    Column column = bind(found->second, *argument, batch, key);
    if (isFloat(column.type)) {
      auto given = options.scalings.find(key);
      if (given != options.scalings.end())
        column.scaling = given->second;
      else if (found->second.fromIdx && found->second.type == ElementType::U8)
        column.scaling.divisor = 255;
    }
    if (!column.perBatch) {
      int64_t rows = column.array.dims[0];
      if (rowCount >= 0 && rows != rowCount)
        throw Error(ExitCode::BadInput,
                    fmt::format("data '{}' has {} rows, but '{}' has {}", key,
                                rows, firstKey, rowCount));
      if (rowCount < 0)
        firstKey = key;
      rowCount = rows;
    }
    bound.push_back(std::move(column));
  }
  if (!missing.empty()) {
    std::vector<std::string> names;
    for (const auto &entry : arrays)
      names.push_back(fmt::format("'{}'", entry.first));
    throw Error(ExitCode::BadInput,
                fmt::format("the data has no array named {}; it has {} (--map "
                            "KEY=NAME renames)",
                            fmt::join(missing, ", "),
                            names.empty()
                                ? "none"
                                : fmt::format("{}", fmt::join(names, ", "))));
  }
  for (const auto &entry : options.scalings)
    if (std::none_of(bound.begin(), bound.end(), [&](const Column &column) {
          return column.argument == entry.first && isFloat(column.type);
        }))
      throw Error(ExitCode::Usage,
                  fmt::format("--scale names '{}', which is no float input",
                              entry.first));
  if (rowCount == 0)
    throw Error(ExitCode::BadInput, "the data has no rows");
  if (rowCount < 0)
    rowCount = 1;
}

/// Fills one padded target row.
static void writePadding(const Column &column, int64_t value, char *target) {
  for (int64_t i = 0; i < column.rowElements; ++i) {
    char *element = target + size_t(i) * abi::sizeOf(column.type);
    if (column.type == abi::DType::i64) {
      std::memcpy(element, &value, sizeof(value));
    } else {
      auto narrow = int32_t(value);
      std::memcpy(element, &narrow, sizeof(narrow));
    }
  }
}

void DataSet::gather(const std::vector<int64_t> &rowNumbers,
                     std::vector<std::vector<char>> &buffers,
                     std::optional<int64_t> padTarget) const {
  buffers.resize(bound.size());
  int64_t substitute =
      rowNumbers.empty() || rowNumbers[0] < 0 ? 0 : rowNumbers[0];
  for (size_t i = 0; i < bound.size(); ++i) {
    const Column &column = bound[i];
    size_t count = column.perBatch ? 1 : rowNumbers.size();
    buffers[i].resize(count * column.rowBytes());
    size_t sourceBytes = size_t(column.rowElements) * sizeOf(column.array.type);
    for (size_t j = 0; j < count; ++j) {
      char *target = buffers[i].data() + j * column.rowBytes();
      int64_t row = column.perBatch ? 0 : rowNumbers[j];
      bool padded = row < 0;
      if (padded)
        row = substitute;
      if (padded && column.isTarget && padTarget)
        writePadding(column, *padTarget, target);
      else
        column.convert(column.array.data + size_t(row) * sourceBytes, target,
                       size_t(column.rowElements), column.scaling);
    }
  }
}
