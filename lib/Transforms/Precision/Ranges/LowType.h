//===- LowType.h - What a low type can hold ---------------------*- C++ -*-===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_RANGES_LOWTYPE_H
#define AMP_LIB_TRANSFORMS_PRECISION_RANGES_LOWTYPE_H

#include "llvm/ADT/StringRef.h"
#include <cmath>

namespace amp::ranges {

/// Limits of a type, rounding to nearest even.
struct LowType {
  llvm::StringLiteral key;
  double largest;     ///< largest finite number
  double overflows;   ///< from here on the result is infinite
  double leastNormal; ///< numbers below have fewer bits
  double vanishes;    ///< up to here the result is 0
  int bits;           ///< of the fraction, as stored
  double exactWhole;  ///< whole numbers up to here are exact

  /// Distance of neighbours at a magnitude.
  double spacing(double magnitude) const {
    magnitude = std::fmax(magnitude, leastNormal);
    return std::ldexp(1.0, std::ilogb(magnitude) - bits);
  }
  double rounded(double value) const {
    double step = spacing(std::fabs(value));
    double near = std::nearbyint(value / step) * step;
    return std::fabs(near) >= overflows ? std::copysign(HUGE_VAL, near) : near;
  }
};

inline constexpr LowType kLowTypes[] = {
    {"f16", 65504, 65520, 0x1p-14, 0x1p-25, 10, 2048},
    {"bf16", 0x1.FEp127, 0x1.FFp127, 0x1p-126, 0x1p-134, 7, 256}};

} // namespace amp::ranges

#endif // AMP_LIB_TRANSFORMS_PRECISION_RANGES_LOWTYPE_H
