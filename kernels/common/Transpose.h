//===- Transpose.h - Transposition of small blocks --------------*- C++ -*-===//
//
// Turns a block of rows into columns, eight by eight in registers for elements
// of four and two bytes, one by one for the rest.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_KERNELS_COMMON_TRANSPOSE_H
#define AMP_KERNELS_COMMON_TRANSPOSE_H

#include <cstdint>
#include <immintrin.h>

namespace amp::kernels {

/// to[j][i] = from[i][j] for eight by eight elements; strides between rows.
inline void transpose8x8(const uint32_t *from, int64_t fromStride, uint32_t *to,
                         int64_t toStride) {
  __m256 r[8], t[8];
  for (int i = 0; i < 8; ++i)
    r[i] =
        _mm256_loadu_ps(reinterpret_cast<const float *>(from + i * fromStride));
  for (int i = 0; i < 8; i += 2) {
    t[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
    t[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
  }
  for (int i = 0; i < 8; i += 4) {
    r[i] = _mm256_shuffle_ps(t[i], t[i + 2], 0x44);
    r[i + 1] = _mm256_shuffle_ps(t[i], t[i + 2], 0xee);
    r[i + 2] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0x44);
    r[i + 3] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0xee);
  }
  for (int i = 0; i < 4; ++i) {
    auto *low = reinterpret_cast<float *>(to + i * toStride);
    auto *high = reinterpret_cast<float *>(to + (i + 4) * toStride);
    _mm256_storeu_ps(low, _mm256_permute2f128_ps(r[i], r[i + 4], 0x20));
    _mm256_storeu_ps(high, _mm256_permute2f128_ps(r[i], r[i + 4], 0x31));
  }
}

/// The same for elements of two bytes.
inline void transpose8x8(const uint16_t *from, int64_t fromStride, uint16_t *to,
                         int64_t toStride) {
  __m128i r[8], t[8];
  for (int i = 0; i < 8; ++i)
    r[i] = _mm_loadu_si128(
        reinterpret_cast<const __m128i *>(from + i * fromStride));
  for (int i = 0; i < 8; i += 2) {
    t[i] = _mm_unpacklo_epi16(r[i], r[i + 1]);
    t[i + 1] = _mm_unpackhi_epi16(r[i], r[i + 1]);
  }
  for (int i = 0; i < 8; i += 4) {
    r[i] = _mm_unpacklo_epi32(t[i], t[i + 2]);
    r[i + 1] = _mm_unpackhi_epi32(t[i], t[i + 2]);
    r[i + 2] = _mm_unpacklo_epi32(t[i + 1], t[i + 3]);
    r[i + 3] = _mm_unpackhi_epi32(t[i + 1], t[i + 3]);
  }
  for (int i = 0; i < 4; ++i) {
    auto *even = reinterpret_cast<__m128i *>(to + 2 * i * toStride);
    auto *odd = reinterpret_cast<__m128i *>(to + (2 * i + 1) * toStride);
    _mm_storeu_si128(even, _mm_unpacklo_epi64(r[i], r[i + 4]));
    _mm_storeu_si128(odd, _mm_unpackhi_epi64(r[i], r[i + 4]));
  }
}

/// One by one, for elements without a register form.
template <class T>
inline void transpose8x8(const T *from, int64_t fromStride, T *to,
                         int64_t toStride) {
  for (int j = 0; j < 8; ++j)
    for (int i = 0; i < 8; ++i)
      to[j * toStride + i] = from[i * fromStride + j];
}

/// to[j * toStride + i] = from[i * fromStride + j] for i < rows, j < columns.
template <class T>
inline void transposeBlock(const T *from, int64_t fromStride, T *to,
                           int64_t toStride, int64_t rows, int64_t columns) {
  int64_t wholeRows = rows / 8 * 8, wholeColumns = columns / 8 * 8;
  for (int64_t j = 0; j < wholeColumns; j += 8)
    for (int64_t i = 0; i < wholeRows; i += 8)
      transpose8x8(from + i * fromStride + j, fromStride, to + j * toStride + i,
                   toStride);
  for (int64_t j = 0; j < columns; ++j)
    for (int64_t i = j < wholeColumns ? wholeRows : 0; i < rows; ++i)
      to[j * toStride + i] = from[i * fromStride + j];
}

} // namespace amp::kernels

#endif // AMP_KERNELS_COMMON_TRANSPOSE_H
