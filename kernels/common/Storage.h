//===- Storage.h - Storage types and eight-lane access ----------*- C++ -*-===//
//
// How a kernel reads and writes float32, float16 and bfloat16 elements: always
// as float32 in registers, eight lanes at a time or one by one. For files
// compiled with the library's own instruction set only.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_KERNELS_COMMON_STORAGE_H
#define AMP_KERNELS_COMMON_STORAGE_H

#include "amp/ABI/DType.h"
#include <cstdint>
#include <cstring>
#include <immintrin.h>

namespace amp::kernels {

/// IEEE binary16 in memory.
struct F16 {
  uint16_t bits;
};
/// The upper half of a float32 in memory.
struct BF16 {
  uint16_t bits;
};

/// Eight float32 lanes.
using V8 = __m256;
/// Lanes of V8.
inline constexpr int64_t kLanes = 8;

/// The same value in every lane.
inline V8 splat(float value) { return _mm256_set1_ps(value); }
/// a * b + c with one rounding.
inline V8 fma(V8 a, V8 b, V8 c) { return _mm256_fmadd_ps(a, b, c); }
/// Lanes where `a` is larger or not a number, all ones.
inline V8 largerOrNaN(V8 a, V8 b) {
  return _mm256_or_ps(_mm256_cmp_ps(a, b, _CMP_GT_OQ),
                      _mm256_cmp_ps(a, a, _CMP_UNORD_Q));
}
/// Lanes where `a` is smaller or not a number, all ones.
inline V8 smallerOrNaN(V8 a, V8 b) {
  return _mm256_or_ps(_mm256_cmp_ps(a, b, _CMP_LT_OQ),
                      _mm256_cmp_ps(a, a, _CMP_UNORD_Q));
}
/// `a` where the mask is set, else `b`.
inline V8 choose(V8 mask, V8 a, V8 b) { return _mm256_blendv_ps(b, a, mask); }

/// Rounds to nearest even. A NaN keeps its sign and high payload bits and is
/// made quiet.
inline uint16_t roundToBF16(uint32_t bits) {
  uint32_t rounded = bits + 0x7fffu + ((bits >> 16) & 1u);
  uint32_t quiet = bits | 0x400000u;
  bool isNaN = (bits & 0x7fffffffu) > 0x7f800000u;
  return static_cast<uint16_t>((isNaN ? quiet : rounded) >> 16);
}

/// Eight elements as float32.
inline V8 load8(const float *p) { return _mm256_loadu_ps(p); }
inline V8 load8(const F16 *p) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(p)));
}
inline V8 load8(const BF16 *p) {
  __m128i raw = _mm_loadu_si128(reinterpret_cast<const __m128i *>(p));
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(raw), 16));
}

/// Stores eight lanes, rounded to the storage type.
inline void store8(float *p, V8 v) { _mm256_storeu_ps(p, v); }
inline void store8(F16 *p, V8 v) {
  _mm_storeu_si128(reinterpret_cast<__m128i *>(p),
                   _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
}
inline void store8(BF16 *p, V8 v) {
  __m256i b = _mm256_castps_si256(v);
  __m256i odd =
      _mm256_and_si256(_mm256_srli_epi32(b, 16), _mm256_set1_epi32(1));
  __m256i rounded =
      _mm256_add_epi32(b, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff)));
  __m256i quiet = _mm256_or_si256(b, _mm256_set1_epi32(0x400000));
  __m256i isNaN = _mm256_castps_si256(_mm256_cmp_ps(v, v, _CMP_UNORD_Q));
  __m256i high =
      _mm256_srli_epi32(_mm256_blendv_epi8(rounded, quiet, isNaN), 16);
  __m128i packed = _mm_packus_epi32(_mm256_castsi256_si128(high),
                                    _mm256_extracti128_si256(high, 1));
  _mm_storeu_si128(reinterpret_cast<__m128i *>(p), packed);
}

/// One element as float32.
inline float load1(const float *p) { return *p; }
inline float load1(const F16 *p) { return _cvtsh_ss(p->bits); }
inline float load1(const BF16 *p) {
  uint32_t bits = static_cast<uint32_t>(p->bits) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Stores one element, rounded to the storage type.
inline void store1(float *p, float v) { *p = v; }
inline void store1(F16 *p, float v) {
  p->bits = _cvtss_sh(v, _MM_FROUND_TO_NEAREST_INT);
}
inline void store1(BF16 *p, float v) {
  uint32_t bits;
  std::memcpy(&bits, &v, sizeof bits);
  p->bits = roundToBF16(bits);
}

/// `n` < 8 elements; the other lanes hold `rest`. Reads nothing beyond them.
template <class T>
inline V8 loadPart(const T *p, int64_t n, float rest = 0.0f) {
  alignas(32) float lanes[kLanes];
  for (int64_t i = 0; i < kLanes; ++i)
    lanes[i] = i < n ? load1(p + i) : rest;
  return _mm256_load_ps(lanes);
}

/// Stores the first `n` < 8 lanes.
template <class T>
inline void storePart(T *p, V8 v, int64_t n) {
  alignas(32) float lanes[kLanes];
  _mm256_store_ps(lanes, v);
  for (int64_t i = 0; i < n; ++i)
    store1(p + i, lanes[i]);
}

/// `n` <= 8 elements, whichever way is right.
template <class T>
inline V8 loadUpTo8(const T *p, int64_t n) {
  return n >= kLanes ? load8(p) : loadPart(p, n);
}
template <class T>
inline void storeUpTo8(T *p, V8 v, int64_t n) {
  if (n >= kLanes)
    store8(p, v);
  else
    storePart(p, v, n);
}

/// Names a type without making an object of it.
template <class T>
struct TypeTag {
  using Type = T;
};

/// Calls `fn(TypeTag<T>)` with the storage type T; false if `type` is none of
/// float32, float16 and bfloat16.
template <class Fn>
inline bool withStorage(abi::DType type, Fn &&fn) {
  switch (type) {
  case abi::DType::f32:
    fn(TypeTag<float>());
    return true;
  case abi::DType::f16:
    fn(TypeTag<F16>());
    return true;
  case abi::DType::bf16:
    fn(TypeTag<BF16>());
    return true;
  default:
    return false;
  }
}

} // namespace amp::kernels

#endif // AMP_KERNELS_COMMON_STORAGE_H
