//===- UpdateStorage.cpp - Parameters and states in fewer bits ------------===//
//
// Widening, rounding to nearest even or stochastically, and float32 values kept
// as a bfloat16 and a residual.
//
//===----------------------------------------------------------------------===//

#include "amp/ABI/Residual.h"
#include "kernels/Convert.h"
#include "kernels/cpu/UpdateMath.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace amp;
using namespace amp::kernels;
using abi::DType;

namespace {

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

char *at(void *data, DType type, int64_t offset) {
  return static_cast<char *>(data) +
         offset * static_cast<int64_t>(abi::sizeOf(type));
}

/// One of the two bfloat16 neighbours: the discarded half decides against a
/// draw of its own width, so probabilities are exact.
uint16_t drawBF16(uint32_t bits, uint32_t draw) {
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return roundToBF16(bits);
  return static_cast<uint16_t>((bits + (draw & 0xffffu)) >> 16);
}

/// One of the two float16 neighbours.
uint16_t drawF16(float value, uint32_t draw) {
  uint32_t bits = bitsOf(value), magnitude = bits & 0x7fffffffu;
  auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000u);
  if (magnitude >= 0x47800000u) { // 65536 and beyond, infinities, NaNs
    F16 rounded;
    store1(&rounded, value);
    return rounded.bits;
  }
  if (magnitude >= 0x38800000u) { // 2^-14: thirteen bits are discarded
    uint32_t drawn = magnitude + (draw & 0x1fffu);
    return static_cast<uint16_t>(sign | ((drawn - (112u << 23)) >> 13));
  }
  // Subnormal: a multiple of 2^-24, rounded up where the draw lies below the
  // rest.
  double scaled = std::ldexp(static_cast<double>(std::fabs(value)), 24);
  double whole = std::floor(scaled);
  bool up = static_cast<double>(draw) < std::ldexp(scaled - whole, 32);
  return static_cast<uint16_t>(sign |
                               (static_cast<uint32_t>(whole) + (up ? 1 : 0)));
}

void storeTyped(const UpdateConstants &c, const UpdateTensor &tensor,
                DType type, void *data, uint32_t stream, int64_t offset,
                const float *values, int64_t n) {
  if (c.stochastic && type != DType::f32)
    roundStochastically(type, at(data, type, offset), values, offset, n,
                        {c.seed, c.number, tensor.key * 4 + stream});
  else
    convert(type, at(data, type, offset), DType::f32, values, n);
}

/// What float16 is to hold of a state, still in float32.
void fitHalf(bool root, float *values, int64_t n) {
  V8 most = splat(65504.0f), least = splat(0x1p-24f), zero = splat(0);
  V8 infinite = splat(std::numeric_limits<float>::infinity());
  for (int64_t i = 0; i < n; i += kLanes) {
    V8 v = loadUpTo8(values + i, n - i);
    if (root) {
      v = _mm256_sqrt_ps(v);
      v = choose(_mm256_cmp_ps(v, zero, _CMP_GT_OQ), _mm256_max_ps(least, v),
                 v);
    }
    // The value is the second operand, which is what comes back for a NaN.
    V8 bound = _mm256_min_ps(most, _mm256_max_ps(splat(-65504.0f), v));
    V8 magnitude = _mm256_andnot_ps(splat(-0.0f), v);
    V8 stays = _mm256_cmp_ps(magnitude, infinite, _CMP_EQ_OQ);
    storeUpTo8(values + i, choose(stays, v, bound), n - i);
  }
}

} // namespace

bool UpdateTensor::isFloat32(int states) const {
  return type == DType::f32 &&
         std::all_of(stateTypes, stateTypes + states,
                     [](DType state) { return state == DType::f32; });
}

void kernels::roundStochastically(DType type, void *to, const float *values,
                                  int64_t first, int64_t n,
                                  const RoundingDraws &draws) {
  auto *out = static_cast<uint16_t *>(to);
  for (int64_t i = 0; i < n;) {
    uint32_t words[4];
    int64_t lane = (first + i) % 4;
    draws.quad(static_cast<uint64_t>(first + i) / 4, words);
    for (; lane < 4 && i < n; ++lane, ++i)
      out[i] = type == DType::bf16 ? drawBF16(bitsOf(values[i]), words[lane])
                                   : drawF16(values[i], words[lane]);
  }
}

void kernels::loadParameter(const UpdateTensor &tensor, int64_t offset,
                            float *values, int64_t n) {
  if (!tensor.residual)
    return convert(DType::f32, values, tensor.type,
                   at(tensor.parameter, tensor.type, offset), n);
  const auto *high = static_cast<const uint16_t *>(tensor.parameter) + offset;
  const int16_t *low = tensor.residual + offset;
  for (int64_t i = 0; i < n; ++i) {
    uint32_t bits = abi::joinFloat(high[i], low[i]);
    std::memcpy(values + i, &bits, sizeof bits);
  }
}

void kernels::storeParameter(const UpdateConstants &c,
                             const UpdateTensor &tensor, int64_t offset,
                             const float *values, int64_t n) {
  if (!tensor.residual)
    return storeTyped(c, tensor, tensor.type, tensor.parameter, 0, offset,
                      values, n);
  auto *high = static_cast<uint16_t *>(tensor.parameter) + offset;
  int16_t *low = tensor.residual + offset;
  for (int64_t i = 0; i < n; ++i) {
    abi::SplitFloat split = abi::splitFloat(bitsOf(values[i]));
    high[i] = split.high;
    low[i] = split.low;
  }
}

void kernels::loadState(const UpdateTensor &tensor, int state, int64_t offset,
                        float *values, int64_t n) {
  DType type = tensor.stateTypes[state];
  convert(DType::f32, values, type, at(tensor.states[state], type, offset), n);
  if (type != DType::f16 || !tensor.roots[state])
    return;
  for (int64_t i = 0; i < n; ++i)
    values[i] *= values[i];
}

void kernels::storeState(const UpdateConstants &c, const UpdateTensor &tensor,
                         int state, int64_t offset, const float *values,
                         int64_t n) {
  DType type = tensor.stateTypes[state];
  void *to = tensor.states[state];
  uint32_t stream = 1 + state;
  if (type != DType::f16)
    return storeTyped(c, tensor, type, to, stream, offset, values, n);
  float fitting[kUpdateBlock];
  for (int64_t i = 0; i < n; i += kUpdateBlock) {
    int64_t length = std::min(kUpdateBlock, n - i);
    std::copy(values + i, values + i + length, fitting);
    fitHalf(tensor.roots[state], fitting, length);
    storeTyped(c, tensor, type, to, stream, offset + i, fitting, length);
  }
}

void kernels::clipGradient(const UpdateConstants &c, const float *gradient,
                           float *values, int64_t n) {
  withClipping(c, [&](const auto &clip) {
    for (int64_t i = 0; i < n; i += kLanes)
      storeUpTo8(values + i, clip(loadUpTo8(gradient + i, n - i)), n - i);
  });
}
