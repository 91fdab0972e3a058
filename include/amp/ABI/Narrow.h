//===- Narrow.h - 16-bit floats in integer arithmetic -----------*- C++ -*-===//
//
// Conversions between float32 and the 16-bit types, on bits, for both halves of
// the project: rounding to nearest even, subnormals kept, NaNs quiet.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ABI_NARROW_H
#define AMP_ABI_NARROW_H

#include <cstdint>
#include <cstring>

namespace amp::abi {

inline uint32_t bitsOfFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline float floatOfBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// The float32 that a float16 stands for.
inline float widenHalf(uint16_t half) {
  uint32_t sign = uint32_t(half & 0x8000) << 16;
  uint32_t rest = half & 0x7FFF;
  if (rest >= 0x7C00) // infinity, NaN
    return floatOfBits(sign | 0x7F800000 | (rest & 0x3FF) << 13);
  if (rest >= 0x0400)
    return floatOfBits(sign | ((rest << 13) + (112u << 23)));
  // Subnormal: the integer scaled by 2^-24, exact in float32.
  float magnitude = float(rest) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

inline uint16_t narrowToHalf(float value) {
  uint32_t bits = bitsOfFloat(value);
  uint16_t sign = uint16_t(bits >> 16 & 0x8000);
  uint32_t rest = bits & 0x7FFFFFFF;
  if (rest > 0x7F800000)
    return uint16_t(sign | 0x7E00 | (rest >> 13 & 0x3FF));
  if (rest >= 0x477FF000) // rounds beyond the largest finite half
    return uint16_t(sign | 0x7C00);
  if (rest < 0x38800000) {
    // Adding 0.5 puts the last kept bit at float32's last place, so the
    // hardware rounds to nearest even for us.
    float shifted = floatOfBits(rest) + 0.5f;
    return uint16_t(sign | (bitsOfFloat(shifted) - bitsOfFloat(0.5f)));
  }
  uint32_t rounded = rest + 0xFFF + (rest >> 13 & 1);
  return uint16_t(sign | ((rounded - (112u << 23)) >> 13));
}

inline float widenBFloat(uint16_t high) {
  return floatOfBits(uint32_t(high) << 16);
}

inline uint16_t narrowToBFloat(float value) {
  uint32_t bits = bitsOfFloat(value);
  if ((bits & 0x7FFFFFFF) > 0x7F800000)
    return uint16_t(bits >> 16 | 0x40);
  return uint16_t((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

} // namespace amp::abi

#endif // AMP_ABI_NARROW_H
