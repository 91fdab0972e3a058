//===- HostTensor.cpp - Tensors of the kernel tests -----------------------===//

#include "HostTensor.h"
#include "amp/Codegen/LaneBuilder.h"
#include <cmath>
#include <cstring>

using namespace mlir;

namespace amp::test {

static const llvm::fltSemantics &semanticsOf(Type element) {
  return cast<FloatType>(element).getFloatSemantics();
}

HostTensor::HostTensor(RankedTensorType type)
    : type(type),
      bytes(type.getNumElements() * storageBytes(type.getElementType())) {}

double roundToElement(double value, Type element) {
  if (isa<FloatType>(element)) {
    llvm::APFloat number(value);
    bool lost;
    number.convert(semanticsOf(element), llvm::APFloat::rmNearestTiesToEven,
                   &lost);
    return number.convertToDouble();
  }
  if (element.isInteger(1))
    return value != 0;
  unsigned width = element.getIntOrFloatBitWidth();
  llvm::APInt bits(64, uint64_t(int64_t(value)));
  bits = bits.trunc(width);
  return element.isUnsignedInteger() ? double(bits.getZExtValue())
                                     : double(bits.getSExtValue());
}

double HostTensor::get(int64_t index) const {
  Type element = type.getElementType();
  int64_t width = storageBytes(element);
  uint64_t raw = 0;
  std::memcpy(&raw, bytes.data() + index * width, width);
  if (isa<FloatType>(element))
    return llvm::APFloat(semanticsOf(element), llvm::APInt(width * 8, raw))
        .convertToDouble();
  llvm::APInt bits(width * 8, raw);
  return element.isUnsignedInteger() ? double(bits.getZExtValue())
                                     : double(bits.getSExtValue());
}

void HostTensor::set(int64_t index, double value) {
  Type element = type.getElementType();
  int64_t width = storageBytes(element);
  uint64_t raw;
  if (isa<FloatType>(element)) {
    llvm::APFloat number(value);
    bool lost;
    number.convert(semanticsOf(element), llvm::APFloat::rmNearestTiesToEven,
                   &lost);
    raw = number.bitcastToAPInt().getZExtValue();
  } else {
    raw = uint64_t(int64_t(element.isInteger(1) ? value != 0 : value));
  }
  std::memcpy(bytes.data() + index * width, &raw, width);
}

std::vector<double> HostTensor::values() const {
  std::vector<double> result(size());
  for (int64_t i = 0; i < size(); ++i)
    result[i] = get(i);
  return result;
}

double halfUlp(double value, Type element) {
  if (!isa<FloatType>(element))
    return 0;
  const llvm::fltSemantics &semantics = semanticsOf(element);
  int precision = llvm::APFloat::semanticsPrecision(semantics);
  int lowest = llvm::APFloat::semanticsMinExponent(semantics);
  int exponent = value == 0 ? lowest : std::ilogb(value);
  return std::ldexp(0.5, std::max(exponent, lowest) - precision + 1);
}

} // namespace amp::test
