//===- Numbers.cpp - Elements of constants as numbers ---------------------===//

#include "Numbers.h"
#include <cmath>

using namespace mlir;
using namespace amp;
using llvm::APFloat;
using llvm::APInt;

std::optional<NumberFormat> NumberFormat::of(Type element) {
  NumberFormat format;
  if (auto integer = dyn_cast<IntegerType>(element)) {
    if (integer.getWidth() > 64)
      return std::nullopt;
    format.noSign = integer.isUnsigned() || integer.getWidth() == 1;
  } else if (isa<Float64Type, Float32Type, Float16Type, BFloat16Type,
                 Float8E4M3FNType, Float8E5M2Type>(element)) {
    format.semantics = &cast<FloatType>(element).getFloatSemantics();
  } else {
    return std::nullopt;
  }
  format.bits = element.getIntOrFloatBitWidth();
  format.bytes = llvm::divideCeil(format.bits, 8);
  return format;
}

Number NumberFormat::load(const char *address) const {
  uint64_t word = 0;
  std::memcpy(&word, address, bytes);
  if (!isFloat()) {
    // Bits beyond an odd width are not promised to be zero.
    return Number::ofInteger(
        noSign ? int64_t(word & llvm::maskTrailingOnes<uint64_t>(bits))
               : llvm::SignExtend64(word, bits));
  }
  if (bits == 64)
    return Number::ofReal(llvm::bit_cast<double>(word));
  if (bits == 32)
    return Number::ofReal(llvm::bit_cast<float>(uint32_t(word)));
  APFloat value(*semantics, APInt(bits, word));
  return Number::ofReal(value.convertToDouble());
}

void NumberFormat::storeBits(uint64_t value, char *address) const {
  value &= llvm::maskTrailingOnes<uint64_t>(bits);
  std::memcpy(address, &value, bytes);
}

static uint64_t roundTo(APFloat value, const llvm::fltSemantics &semantics) {
  bool inexact;
  value.convert(semantics, APFloat::rmNearestTiesToEven, &inexact);
  return value.bitcastToAPInt().getZExtValue();
}

void NumberFormat::store(Number value, char *address) const {
  if (!isFloat())
    return storeBits(uint64_t(value.integer), address);
  if (bits == 64)
    return storeBits(llvm::bit_cast<uint64_t>(value.real), address);
  float single = float(value.real);
  if (bits == 32)
    return storeBits(llvm::bit_cast<uint32_t>(single), address);
  storeBits(roundTo(APFloat(single), *semantics), address);
}

/// Truncates towards zero into [low, high), which are powers of two and so
/// exact; false outside.
static bool truncateTo(double value, double low, double high, double &whole) {
  whole = std::trunc(value);
  return whole >= low && whole < high;
}

bool NumberFormat::convert(Number value, const NumberFormat &from,
                           char *address) const {
  if (isBool()) {
    storeBits(from.isFloat() ? value.real != 0 : value.integer != 0, address);
    return true;
  }
  if (isFloat() && from.isFloat()) {
    storeBits(roundTo(APFloat(value.real), *semantics), address);
    return true;
  }
  if (isFloat()) {
    APFloat result(*semantics);
    result.convertFromAPInt(APInt(64, uint64_t(value.integer)),
                            !from.isUnsigned(), APFloat::rmNearestTiesToEven);
    storeBits(result.bitcastToAPInt().getZExtValue(), address);
    return true;
  }
  if (!from.isFloat()) {
    storeBits(uint64_t(value.integer), address);
    return true;
  }
  double whole;
  if (isUnsigned()) {
    if (!truncateTo(value.real, 0, std::ldexp(1.0, bits), whole))
      return false;
    storeBits(uint64_t(whole), address);
    return true;
  }
  double limit = std::ldexp(1.0, bits - 1);
  if (!truncateTo(value.real, -limit, limit, whole))
    return false;
  storeBits(uint64_t(int64_t(whole)), address);
  return true;
}
