//===- Tensor.cpp - Named results on the host -----------------------------===//

#include "Tensor.h"
#include "amp/Runtime/Error.h"
#include "kernels/Convert.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace amp {

using runtime::ElementType;

NamedTensor copyResult(const std::string &name,
                       const runtime::HostTensor &result) {
  NamedTensor tensor{name, result.dtype, result.dims, {}, {}};
  switch (result.dtype) {
  case abi::DType::f16:
  case abi::DType::bf16:
    tensor.type = abi::DType::f32;
    tensor.bytes.resize(size_t(result.elements()) * sizeof(float));
    kernels::convert(tensor.type, tensor.bytes.data(), result.dtype,
                     result.data, result.elements());
    break;
  case abi::DType::f8e4m3fn:
  case abi::DType::f8e5m2:
    throw runtime::Error(
        runtime::ExitCode::Unsupported,
        fmt::format("result '{}' has type {}, which an .npz file cannot hold",
                    name, abi::nameOf(result.dtype)));
  default:
    tensor.bytes.assign(result.data, result.data + result.bytes());
  }
  return tensor;
}

/// Appends `count` elements of type T as doubles.
template <typename T>
static void append(const char *data, size_t count, std::vector<double> &out) {
  for (size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, data + i * sizeof(T), sizeof(T));
    out.push_back(double(value));
  }
}

/// Reads `count` elements of `type` into `numbers`.
static void read(ElementType type, const char *data, size_t count,
                 Numbers &numbers) {
  std::vector<double> &out = numbers.values;
  out.reserve(count);
  numbers.kind = NumberKind::Integer;
  switch (type) {
  case ElementType::Bool:
    numbers.kind = NumberKind::Bool;
    return append<uint8_t>(data, count, out);
  case ElementType::I8:
    return append<int8_t>(data, count, out);
  case ElementType::I16:
    return append<int16_t>(data, count, out);
  case ElementType::I32:
    return append<int32_t>(data, count, out);
  case ElementType::I64:
    return append<int64_t>(data, count, out);
  case ElementType::U8:
    return append<uint8_t>(data, count, out);
  case ElementType::U16:
    return append<uint16_t>(data, count, out);
  case ElementType::U32:
    return append<uint32_t>(data, count, out);
  case ElementType::U64:
    return append<uint64_t>(data, count, out);
  case ElementType::F16: {
    numbers.kind = NumberKind::Float;
    std::vector<float> wide(count);
    kernels::convert(abi::DType::f32, wide.data(), abi::DType::f16, data,
                     int64_t(count));
    out.assign(wide.begin(), wide.end());
    return;
  }
  case ElementType::F32:
    numbers.kind = NumberKind::Float;
    return append<float>(data, count, out);
  case ElementType::F64:
    numbers.kind = NumberKind::Float;
    return append<double>(data, count, out);
  }
}

static ElementType elementTypeOf(abi::DType type) {
  switch (type) {
  case abi::DType::f64:
    return ElementType::F64;
  case abi::DType::f16:
    return ElementType::F16;
  case abi::DType::i8:
    return ElementType::I8;
  case abi::DType::u8:
    return ElementType::U8;
  case abi::DType::i16:
    return ElementType::I16;
  case abi::DType::i32:
    return ElementType::I32;
  case abi::DType::i64:
    return ElementType::I64;
  case abi::DType::i1:
    return ElementType::Bool;
  default:
    return ElementType::F32;
  }
}

Numbers numbersOf(const NamedTensor &tensor) {
  Numbers numbers;
  numbers.dims = tensor.dims;
  read(elementTypeOf(tensor.type), tensor.bytes.data(),
       tensor.bytes.size() / abi::sizeOf(tensor.type), numbers);
  return numbers;
}

Numbers numbersOf(const runtime::Array &array) {
  Numbers numbers;
  numbers.dims = array.dims;
  read(array.type, array.data, size_t(array.elements()), numbers);
  return numbers;
}

void printTable(const std::vector<NamedTensor> &tensors) {
  constexpr size_t kShown = 4;
  size_t names = 4, shapes = 5;
  for (const NamedTensor &tensor : tensors) {
    names = std::max(names, tensor.name.size());
    shapes = std::max(shapes, runtime::shapeText(tensor.dims).size());
  }
  fmt::print("{:<{}}  type  {:<{}}  {:>12}  {:>12}  {:>12}  first\n", "name",
             names, "shape", shapes, "min", "max", "mean");
  for (const NamedTensor &tensor : tensors) {
    Numbers numbers = numbersOf(tensor);
    double low = std::nan(""), high = low, sum = 0;
    std::string first;
    for (size_t i = 0; i < numbers.values.size(); ++i) {
      double value = numbers.values[i];
      sum += value;
      // fmin and fmax pass over NaN, so the range of the others is seen.
      low = std::fmin(low, value);
      high = std::fmax(high, value);
      if (i < kShown)
        first += fmt::format("{}{:.6g}", i ? " " : "", value);
    }
    double mean = sum / double(numbers.values.size());
    fmt::print("{:<{}}  {:<4}  {:<{}}  {:>12.6g}  {:>12.6g}  {:>12.6g}  {}{}\n",
               tensor.name, names, abi::nameOf(tensor.type),
               runtime::shapeText(tensor.dims), shapes, low, high, mean, first,
               numbers.values.size() > kShown ? " ..." : "");
  }
}

} // namespace amp
