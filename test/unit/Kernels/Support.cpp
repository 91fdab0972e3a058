//===- Support.cpp - Plain references for kernel tests --------------------===//
//
// Slow and obvious on purpose.
//
//===----------------------------------------------------------------------===//

#include "Support.h"
#include <cmath>
#include <cstring>
#include <numeric>

using namespace amp;
using namespace amp::kernels;
using namespace amp::kernels::reference;
using amp::abi::DType;

namespace {

/// Mantissa bits without the hidden one, lowest and highest exponent.
struct Format {
  int mantissa, lowest, highest;
};
Format formatOf(DType type) {
  switch (type) {
  case DType::f16:
    return {10, -14, 15};
  case DType::bf16:
    return {7, -126, 127};
  case DType::f32:
    return {23, -126, 127};
  default:
    return {52, -1022, 1023};
  }
}

uint16_t encode(DType type, double value) {
  Format f = formatOf(type);
  int bias = f.highest;
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  value = std::fabs(value);
  auto special =
      static_cast<uint16_t>(((1 << (15 - f.mantissa)) - 1) << f.mantissa);
  if (std::isnan(value))
    return sign | special | (1 << (f.mantissa - 1));
  if (std::isinf(value))
    return sign | special;
  if (value == 0)
    return sign;
  int exponent = std::max(std::ilogb(value), f.lowest);
  auto units = static_cast<int>(std::ldexp(value, f.mantissa - exponent));
  return sign |
         static_cast<uint16_t>(((exponent + bias - 1) << f.mantissa) + units);
}

double decode(DType type, uint16_t bits) {
  Format f = formatOf(type);
  int bias = f.highest;
  int exponent = (bits & 0x7fff) >> f.mantissa;
  int fraction = bits & ((1 << f.mantissa) - 1);
  double value;
  if (exponent == (1 << (15 - f.mantissa)) - 1)
    value = fraction ? NAN : INFINITY;
  else if (exponent == 0)
    value = std::ldexp(fraction, f.lowest - f.mantissa);
  else
    value =
        std::ldexp((1 << f.mantissa) + fraction, exponent - bias - f.mantissa);
  return bits & 0x8000 ? -value : value;
}

} // namespace

double reference::roundTo(DType type, double value) {
  if (value == 0 || std::isnan(value) || std::isinf(value))
    return value;
  Format f = formatOf(type);
  int exponent = std::max(std::ilogb(value), f.lowest);
  double rounded =
      std::ldexp(std::nearbyint(std::ldexp(value, f.mantissa - exponent)),
                 exponent - f.mantissa);
  if (std::fabs(rounded) >= std::ldexp(1.0, f.highest + 1))
    return std::copysign(INFINITY, value);
  return rounded;
}

double reference::epsilonOf(DType type) {
  return std::ldexp(1.0, -formatOf(type).mantissa - 1);
}

Tensor::Tensor(DType type, Dims dims, std::vector<int> order, int64_t gap) {
  view.dtype = type;
  view.rank = static_cast<int>(dims.size());
  std::copy(dims.begin(), dims.end(), view.dims);
  if (order.empty()) {
    order.resize(dims.size());
    std::iota(order.begin(), order.end(), 0);
  }
  int64_t stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    view.strides[order[i]] = stride;
    stride *= std::max<int64_t>(1, dims[order[i]]);
    if (i + 1 == order.size())
      stride += gap;
  }
  bytes.assign((stride + 8) * amp::abi::sizeOf(type), 0);
}

int64_t Tensor::offset(const Dims &index) const {
  int64_t at = 0;
  for (int i = 0; i < view.rank; ++i)
    at += index[i] * view.strides[i];
  return at;
}

double Tensor::get(const Dims &index) const {
  const char *at = bytes.data() + offset(index) * amp::abi::sizeOf(view.dtype);
  auto read = [&](auto value) {
    std::memcpy(&value, at, sizeof value);
    return value;
  };
  switch (view.dtype) {
  case DType::f32:
    return read(float());
  case DType::f64:
    return read(double());
  case DType::f16:
  case DType::bf16:
    return decode(view.dtype, read(uint16_t()));
  case DType::i8:
    return read(int8_t());
  case DType::i16:
    return read(int16_t());
  case DType::i32:
    return read(int32_t());
  case DType::i64:
    return static_cast<double>(read(int64_t()));
  default:
    return read(uint8_t());
  }
}

void Tensor::set(const Dims &index, double value) {
  char *at = bytes.data() + offset(index) * amp::abi::sizeOf(view.dtype);
  auto write = [&](auto v) { std::memcpy(at, &v, sizeof v); };
  switch (view.dtype) {
  case DType::f32:
    return write(static_cast<float>(value));
  case DType::f64:
    return write(value);
  case DType::f16:
  case DType::bf16:
    return write(encode(view.dtype, roundTo(view.dtype, value)));
  case DType::i8:
    return write(static_cast<int8_t>(value));
  case DType::i16:
    return write(static_cast<int16_t>(value));
  case DType::i32:
    return write(static_cast<int32_t>(value));
  case DType::i64:
    return write(static_cast<int64_t>(value));
  default:
    return write(static_cast<uint8_t>(value));
  }
}

Tensor &Tensor::fill(unsigned seed, double deviation) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, deviation);
  forEachIndex(dims(), [&](const Dims &i) { set(i, normal(random)); });
  return *this;
}

void reference::forEachIndex(const Dims &dims,
                             const std::function<void(const Dims &)> &fn) {
  for (int64_t dim : dims)
    if (dim == 0)
      return;
  Dims index(dims.size(), 0);
  while (true) {
    fn(index);
    size_t i = dims.size();
    while (i > 0 && ++index[i - 1] == dims[i - 1])
      index[--i] = 0;
    if (i == 0)
      return;
  }
}

void reference::inParts(int64_t units, int64_t parts,
                        const std::function<void(int64_t, int64_t)> &run) {
  for (int64_t p = parts; p-- > 0;)
    run(units * p / parts, units * (p + 1) / parts);
}

std::string reference::typeName(DType type) { return amp::abi::nameOf(type); }
