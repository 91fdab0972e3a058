//===- Convert.cpp - From file element types to argument types ------------===//
//
// One template loop per pair of types; half and bfloat16 are converted in
// integer arithmetic, rounding to nearest even.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Convert.h"
#include "amp/ABI/Narrow.h"
#include <cstring>
#include <limits>
#include <type_traits>

using namespace amp;
using namespace amp::runtime;
using amp::abi::DType;

namespace {

/// Two-byte float storage.
struct Half {
  uint16_t bits;
};
/// Upper half of a float32.
struct BFloat {
  uint16_t bits;
};
/// A truth value: one byte, any non-zero is true.
struct Truth {
  uint8_t byte;
};

float widen(Half half) { return abi::widenHalf(half.bits); }
Half narrowToHalf(float value) { return {abi::narrowToHalf(value)}; }
BFloat narrowToBFloat(float value) { return {abi::narrowToBFloat(value)}; }

template <typename T>
T load(const char *source, size_t i) {
  T value;
  std::memcpy(&value, source + i * sizeof(T), sizeof(T));
  return value;
}

template <typename From, typename To>
void convertLoop(const char *source, char *target, size_t count,
                 Scaling scaling) {
  constexpr bool toFloat = std::is_floating_point_v<To> ||
                           std::is_same_v<To, Half> ||
                           std::is_same_v<To, BFloat>;
  if (std::is_same_v<From, To> && !std::is_same_v<To, Truth> &&
      (!toFloat || scaling.isIdentity())) {
    std::memcpy(target, source, count * sizeof(To));
    return;
  }
  if constexpr (std::is_integral_v<From> && sizeof(From) <= 2 &&
                std::is_same_v<To, float>) {
    // Images, mostly: float32 holds these integers exactly, so one float32
    // division rounds as well as the general way below, and it vectorises.
    if (scaling.factor == 1) {
      auto divisor = float(scaling.divisor);
      if (divisor == scaling.divisor) {
        for (size_t i = 0; i < count; ++i) {
          float value = float(load<From>(source, i)) / divisor;
          std::memcpy(target + i * sizeof(To), &value, sizeof(value));
        }
        return;
      }
    }
  }
  for (size_t i = 0; i < count; ++i) {
    From raw = load<From>(source, i);
    To result;
    if constexpr (toFloat) {
      // Every accepted source is exact in double; one rounding at the end
      // (two for the 16-bit types, through float32).
      double value;
      if constexpr (std::is_same_v<From, Half>)
        value = widen(raw);
      else if constexpr (std::is_same_v<From, Truth>)
        value = raw.byte != 0;
      else
        value = double(raw);
      if (!scaling.isIdentity())
        value = value * scaling.factor / scaling.divisor;
      if constexpr (std::is_same_v<To, Half>)
        result = narrowToHalf(float(value));
      else if constexpr (std::is_same_v<To, BFloat>)
        result = narrowToBFloat(float(value));
      else
        result = To(value);
    } else if constexpr (std::is_same_v<From, Truth>) {
      if constexpr (std::is_same_v<To, Truth>)
        result = {uint8_t(raw.byte != 0)};
      else
        result = To(raw.byte != 0);
    } else {
      result = To(raw);
    }
    std::memcpy(target + i * sizeof(To), &result, sizeof(To));
  }
}

/// The rule of the header for one pair of C++ types.
template <typename From, typename To>
constexpr bool accepts() {
  if (std::is_same_v<From, To> || std::is_same_v<From, Truth>)
    return true;
  if constexpr (std::is_same_v<To, Truth>)
    return false;
  else if constexpr (std::is_integral_v<To> && std::is_integral_v<From>)
    return std::numeric_limits<From>::digits <=
               std::numeric_limits<To>::digits &&
           (std::is_signed_v<To> || !std::is_signed_v<From>);
  else if constexpr (std::is_integral_v<To>)
    return false;
  else
    return !std::is_integral_v<From> || sizeof(From) <= 2;
}

template <typename From, typename To>
ConvertFn select() {
  if constexpr (accepts<From, To>())
    return convertLoop<From, To>;
  else
    return nullptr;
}

template <typename From>
ConvertFn selectTarget(DType to) {
  switch (to) {
  case DType::f32:
    return select<From, float>();
  case DType::f64:
    return select<From, double>();
  case DType::f16:
    return select<From, Half>();
  case DType::bf16:
    return select<From, BFloat>();
  case DType::i8:
    return select<From, int8_t>();
  case DType::u8:
    return select<From, uint8_t>();
  case DType::i16:
    return select<From, int16_t>();
  case DType::i32:
    return select<From, int32_t>();
  case DType::i64:
    return select<From, int64_t>();
  case DType::i1:
    return select<From, Truth>();
  case DType::f8e4m3fn:
  case DType::f8e5m2:
    return nullptr;
  }
  return nullptr;
}

constexpr ElementType kAllTypes[] = {
    ElementType::Bool, ElementType::I8,  ElementType::I16, ElementType::I32,
    ElementType::I64,  ElementType::U8,  ElementType::U16, ElementType::U32,
    ElementType::U64,  ElementType::F16, ElementType::F32, ElementType::F64};

} // namespace

ConvertFn amp::runtime::findConversion(ElementType from, DType to) {
  switch (from) {
  case ElementType::Bool:
    return selectTarget<Truth>(to);
  case ElementType::I8:
    return selectTarget<int8_t>(to);
  case ElementType::I16:
    return selectTarget<int16_t>(to);
  case ElementType::I32:
    return selectTarget<int32_t>(to);
  case ElementType::I64:
    return selectTarget<int64_t>(to);
  case ElementType::U8:
    return selectTarget<uint8_t>(to);
  case ElementType::U16:
    return selectTarget<uint16_t>(to);
  case ElementType::U32:
    return selectTarget<uint32_t>(to);
  case ElementType::U64:
    return selectTarget<uint64_t>(to);
  case ElementType::F16:
    return selectTarget<Half>(to);
  case ElementType::F32:
    return selectTarget<float>(to);
  case ElementType::F64:
    return selectTarget<double>(to);
  }
  return nullptr;
}

std::string amp::runtime::acceptedTypes(DType to) {
  std::string text;
  for (ElementType from : kAllTypes)
    if (findConversion(from, to))
      text += (text.empty() ? "" : ", ") + std::string(nameOf(from));
  return text;
}

bool amp::runtime::isFloat(DType type) {
  return type == DType::f32 || type == DType::f64 || type == DType::f16 ||
         type == DType::bf16;
}
