//===- Residual.h - A float32 as a bfloat16 and 16 more bits ----*- C++ -*-===//
//
// How `--master-weights bf16+residual` keeps a float32 parameter: forward reads
// the bfloat16, the update joins both halves. Every one of the 2^32 patterns
// comes back bit for bit, which rounding to nearest even cannot give: an even
// bfloat16 would have 2^16 + 1 float32 values around it. Halves are therefore
// rounded away from zero, and the residual is the signed distance in units of
// the last place of float32: `bits = high * 2^16 + low`.
//
// NaNs keep their upper half instead, so that forward reads a NaN where there
// is one; the sign bit of their residual is flipped, which is what tells them
// from values. The 65535 signalling NaNs of each sign whose payload lies in the
// lower half alone have no bfloat16 NaN left and take the pairs nothing else
// uses: an infinity with a positive residual, or the zero of the other sign
// with a negative one.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ABI_RESIDUAL_H
#define AMP_ABI_RESIDUAL_H

#include <cstdint>

namespace amp::abi {

/// The two halves.
struct SplitFloat {
  uint16_t high = 0; ///< a bfloat16
  int16_t low = 0;   ///< the residual
};

/// Splits the bits of a float32.
constexpr SplitFloat splitFloat(uint32_t bits) {
  auto high = static_cast<uint16_t>(bits >> 16);
  auto low = static_cast<uint16_t>(bits);
  if ((bits & 0x7fffffffu) <= 0x7f800000u) // no NaN
    return {static_cast<uint16_t>((bits + 0x8000u) >> 16),
            static_cast<int16_t>(low)};
  if ((high & 0x7fffu) != 0x7f80u)
    return {high, static_cast<int16_t>(low ^ 0x8000u)};
  if (low < 0x8000u)
    return {high, static_cast<int16_t>(low)};
  return {static_cast<uint16_t>((high & 0x8000u) ^ 0x8000u),
          static_cast<int16_t>(low)};
}

/// The bits of the float32 that was split.
constexpr uint32_t joinFloat(uint16_t high, int16_t low) {
  auto lower = static_cast<uint16_t>(low);
  uint32_t upper = static_cast<uint32_t>(high) << 16;
  uint16_t magnitude = high & 0x7fffu;
  if (magnitude > 0x7f80u)
    return upper | (lower ^ 0x8000u);
  if (magnitude == 0x7f80u && low > 0)
    return upper | lower;
  if (magnitude == 0 && low < 0)
    return ((upper & 0x80000000u) ^ 0xff800000u) | lower;
  return upper + static_cast<uint32_t>(static_cast<int32_t>(low));
}

} // namespace amp::abi

#endif // AMP_ABI_RESIDUAL_H
