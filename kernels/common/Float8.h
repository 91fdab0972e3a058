//===- Float8.h - The two eight-bit floating types --------------*- C++ -*-===//
//
// E4M3FN (no infinity, largest 448) and E5M2 (IEEE-like, largest 57344), coded
// by arithmetic; they are converted here, never computed with. Values beyond
// the largest become NaN (E4M3FN) or infinity (E5M2).
//
//===----------------------------------------------------------------------===//

#ifndef AMP_KERNELS_COMMON_FLOAT8_H
#define AMP_KERNELS_COMMON_FLOAT8_H

#include <cmath>
#include <cstdint>
#include <limits>

namespace amp::kernels {

/// Value of a small float with `mantissa` bits and this exponent bias, all of
/// whose codes are finite.
inline float decodeFinite(uint8_t code, int mantissa, int bias) {
  int exponent = (code & 0x7f) >> mantissa;
  int fraction = code & ((1 << mantissa) - 1);
  float magnitude = exponent ? std::ldexp(float((1 << mantissa) + fraction),
                                          exponent - bias - mantissa)
                             : std::ldexp(float(fraction), 1 - bias - mantissa);
  return code & 0x80 ? -magnitude : magnitude;
}

/// Rounds a finite magnitude to the nearest code, ties to even; may give a
/// code beyond the largest finite one.
inline unsigned encodeFinite(float magnitude, int mantissa, int bias) {
  int exponent = magnitude > 0 ? std::ilogb(magnitude) : 1 - bias;
  if (exponent < 1 - bias)
    exponent = 1 - bias;
  // In units of the last place; nearbyint rounds to even by default.
  int units = static_cast<int>(
      std::nearbyint(std::ldexp(magnitude, mantissa - exponent)));
  return ((exponent + bias - 1) << mantissa) + units;
}

/// E4M3FN to float32.
inline float decodeE4M3(uint8_t code) {
  if ((code & 0x7f) == 0x7f)
    return std::numeric_limits<float>::quiet_NaN();
  return decodeFinite(code, 3, 7);
}
/// E5M2 to float32.
inline float decodeE5M2(uint8_t code) {
  if ((code & 0x7c) != 0x7c)
    return decodeFinite(code, 2, 15);
  float value = code & 3 ? std::numeric_limits<float>::quiet_NaN()
                         : std::numeric_limits<float>::infinity();
  return code & 0x80 ? -value : value;
}
/// float32 to E4M3FN.
inline uint8_t encodeE4M3(float value) {
  uint8_t sign = std::signbit(value) ? 0x80 : 0;
  float magnitude = std::fabs(value);
  // 464 lies half-way between 448 and the next step.
  if (!(magnitude <= 464.0f))
    return sign | 0x7f;
  return sign | static_cast<uint8_t>(encodeFinite(magnitude, 3, 7));
}
/// float32 to E5M2.
inline uint8_t encodeE5M2(float value) {
  uint8_t sign = std::signbit(value) ? 0x80 : 0;
  if (std::isnan(value))
    return sign | 0x7f;
  float magnitude = std::fabs(value);
  if (magnitude >= 61440.0f)
    return sign | 0x7c;
  return sign | static_cast<uint8_t>(encodeFinite(magnitude, 2, 15));
}

} // namespace amp::kernels

#endif // AMP_KERNELS_COMMON_FLOAT8_H
