//===- Array.cpp - One array of a data file -------------------------------===//
//
// Element types, size arithmetic that cannot overflow, byte order and
// column-major sources.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Array.h"
#include "amp/Runtime/Error.h"
#include <algorithm>
#include <cstring>
#include <fmt/format.h>

using namespace amp::runtime;

size_t amp::runtime::sizeOf(ElementType type) {
  switch (type) {
  case ElementType::Bool:
  case ElementType::I8:
  case ElementType::U8:
    return 1;
  case ElementType::I16:
  case ElementType::U16:
  case ElementType::F16:
    return 2;
  case ElementType::I32:
  case ElementType::U32:
  case ElementType::F32:
    return 4;
  case ElementType::I64:
  case ElementType::U64:
  case ElementType::F64:
    return 8;
  }
  return 0;
}

const char *amp::runtime::nameOf(ElementType type) {
  switch (type) {
  case ElementType::Bool:
    return "bool";
  case ElementType::I8:
    return "int8";
  case ElementType::I16:
    return "int16";
  case ElementType::I32:
    return "int32";
  case ElementType::I64:
    return "int64";
  case ElementType::U8:
    return "uint8";
  case ElementType::U16:
    return "uint16";
  case ElementType::U32:
    return "uint32";
  case ElementType::U64:
    return "uint64";
  case ElementType::F16:
    return "float16";
  case ElementType::F32:
    return "float32";
  case ElementType::F64:
    return "float64";
  }
  return "unknown";
}

int64_t Array::elements() const {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= dim;
  return count;
}

int64_t amp::runtime::checkedBytes(const std::vector<int64_t> &dims,
                                   size_t elementBytes) {
  // A zero anywhere makes the product zero, but the other dims must still be
  // sane: strides are computed from them.
  constexpr int64_t limit = int64_t(1) << 62;
  int64_t product = int64_t(elementBytes);
  bool zero = false;
  for (int64_t dim : dims) {
    if (dim < 0)
      return -1;
    if (dim == 0) {
      zero = true;
      continue;
    }
    if (product > limit / dim)
      return -1;
    product *= dim;
  }
  return zero ? 0 : product;
}

std::string amp::runtime::shapeText(const std::vector<int64_t> &dims) {
  return fmt::format("[{}]", fmt::join(dims, ", "));
}

static void swapBytes(char *data, size_t bytes, size_t elementBytes) {
  for (size_t i = 0; i + elementBytes <= bytes; i += elementBytes)
    std::reverse(data + i, data + i + elementBytes);
}

/// Copies a column-major array to row-major order.
static void transpose(const char *source, char *target,
                      const std::vector<int64_t> &dims, size_t elementBytes) {
  size_t rank = dims.size();
  std::vector<int64_t> strides(rank), index(rank, 0);
  int64_t stride = 1, count = 1;
  for (size_t i = 0; i < rank; ++i) {
    strides[i] = stride;
    stride *= dims[i];
    count *= dims[i];
  }
  int64_t offset = 0;
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(target, source + size_t(offset) * elementBytes, elementBytes);
    target += elementBytes;
    for (size_t axis = rank; axis-- > 0;) {
      offset += strides[axis];
      if (++index[axis] < dims[axis])
        break;
      offset -= strides[axis] * dims[axis];
      index[axis] = 0;
    }
  }
}

Array amp::runtime::makeArray(ElementType type, std::vector<int64_t> dims,
                              std::string_view bytes,
                              std::shared_ptr<const void> owner, bool bigEndian,
                              bool fortranOrder, const std::string &what) {
  size_t elementBytes = sizeOf(type);
  int64_t expected = checkedBytes(dims, elementBytes);
  if (expected < 0)
    throw Error(ExitCode::BadInput,
                fmt::format("{}: impossible shape {}", what, shapeText(dims)));
  if (uint64_t(expected) != bytes.size())
    throw Error(ExitCode::BadInput,
                fmt::format("{}: a {} array of shape {} takes {} bytes, but {} "
                            "are there",
                            what, nameOf(type), shapeText(dims), expected,
                            bytes.size()));
  Array array;
  array.type = type;
  array.data = bytes.data();
  array.owner = std::move(owner);
  bool reorder = fortranOrder && dims.size() > 1 && !bytes.empty();
  if (reorder || (bigEndian && elementBytes > 1)) {
    auto copy = std::make_shared<std::vector<char>>(bytes.size());
    if (reorder)
      transpose(bytes.data(), copy->data(), dims, elementBytes);
    else if (!bytes.empty())
      std::memcpy(copy->data(), bytes.data(), bytes.size());
    if (bigEndian)
      swapBytes(copy->data(), copy->size(), elementBytes);
    array.data = copy->data();
    array.owner = std::move(copy);
  }
  array.dims = std::move(dims);
  return array;
}
