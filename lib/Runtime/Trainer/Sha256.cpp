//===- Sha256.cpp - Digest of checkpoints and packages --------------------===//
//
// The compression function twice (plain C++, x86 SHA extensions) and the
// padding around it.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Sha256.h"
#include <algorithm>
#include <cstring>
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

using namespace amp::runtime;

namespace {

constexpr std::array<uint32_t, 8> kInitialState = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

alignas(16) constexpr uint32_t kRoundConstants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t rotate(uint32_t x, int n) { return (x >> n) | (x << (32 - n)); }

void compressPortable(uint32_t *state, const uint8_t *block, size_t count) {
  for (; count; --count, block += 64) {
    uint32_t w[64];
    for (int i = 0; i < 16; ++i)
      w[i] = uint32_t(block[4 * i]) << 24 | uint32_t(block[4 * i + 1]) << 16 |
             uint32_t(block[4 * i + 2]) << 8 | uint32_t(block[4 * i + 3]);
    for (int i = 16; i < 64; ++i) {
      uint32_t a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ (a >> 3)) +
             (rotate(b, 17) ^ rotate(b, 19) ^ (b >> 10));
    }
    uint32_t s[8];
    std::memcpy(s, state, sizeof(s));
    for (int i = 0; i < 64; ++i) {
      uint32_t e = s[4], a = s[0];
      uint32_t t1 = s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                    ((e & s[5]) ^ (~e & s[6])) + kRoundConstants[i] + w[i];
      uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
                    ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
      std::memmove(s + 1, s, 7 * sizeof(uint32_t));
      s[4] += t1;
      s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; ++i)
      state[i] += s[i];
  }
}

#if defined(__x86_64__)
bool hasShaInstructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
    return false;
  return (b >> 29 & 1) && __builtin_cpu_supports("sse4.1");
}

/// The instructions keep the state as the pairs ABEF and CDGH.
__attribute__((target("sha,sse4.1"))) void
compressNative(uint32_t *state, const uint8_t *block, size_t count) {
  const __m128i swap =
      _mm_set_epi64x(0x0c0d0e0f08090a0bULL, 0x0405060700010203ULL);
  __m128i abcd = _mm_loadu_si128(reinterpret_cast<__m128i *>(state));
  __m128i efgh = _mm_loadu_si128(reinterpret_cast<__m128i *>(state + 4));
  __m128i badc = _mm_shuffle_epi32(abcd, 0xB1);
  __m128i hgfe = _mm_shuffle_epi32(efgh, 0x1B);
  __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
  __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xF0);
  for (; count; --count, block += 64) {
    __m128i savedAbef = abef, savedCdgh = cdgh, w[4];
    for (int i = 0; i < 4; ++i)
      w[i] = _mm_shuffle_epi8(
          _mm_loadu_si128(reinterpret_cast<const __m128i *>(block + 16 * i)),
          swap);
    for (int i = 0; i < 16; ++i) {
      __m128i current = w[i & 3];
      if (i >= 4) {
        // Four words at once: sigma0 by msg1, w[t-7] by the shift, sigma1 by
        // msg2.
        __m128i sum = _mm_sha256msg1_epu32(w[i & 3], w[(i + 1) & 3]);
        sum = _mm_add_epi32(sum,
                            _mm_alignr_epi8(w[(i + 3) & 3], w[(i + 2) & 3], 4));
        current = _mm_sha256msg2_epu32(sum, w[(i + 3) & 3]);
        w[i & 3] = current;
      }
      __m128i k = _mm_load_si128(
          reinterpret_cast<const __m128i *>(kRoundConstants + 4 * i));
      __m128i words = _mm_add_epi32(current, k);
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, words);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(words, 0x0E));
    }
    abef = _mm_add_epi32(abef, savedAbef);
    cdgh = _mm_add_epi32(cdgh, savedCdgh);
  }
  __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128(reinterpret_cast<__m128i *>(state),
                   _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(reinterpret_cast<__m128i *>(state + 4),
                   _mm_alignr_epi8(dchg, feba, 8));
}
#endif

} // namespace

Sha256::Sha256(bool portable)
    : state(kInitialState), compress(compressPortable) {
#if defined(__x86_64__)
  if (!portable && hasShaInstructions())
    compress = compressNative;
#endif
}

void Sha256::update(const void *data, size_t bytes) {
  const auto *p = static_cast<const uint8_t *>(data);
  totalBytes += bytes;
  if (pendingBytes) {
    size_t take = std::min(bytes, pending.size() - pendingBytes);
    std::memcpy(pending.data() + pendingBytes, p, take);
    pendingBytes += take;
    p += take;
    bytes -= take;
    if (pendingBytes < pending.size())
      return;
    compress(state.data(), pending.data(), 1);
    pendingBytes = 0;
  }
  compress(state.data(), p, bytes / 64);
  p += bytes / 64 * 64;
  if (bytes % 64)
    std::memcpy(pending.data(), p, bytes % 64);
  pendingBytes = bytes % 64;
}

std::string Sha256::hexDigest() {
  uint64_t bits = totalBytes * 8;
  uint8_t tail[72] = {0x80};
  size_t padding = (pendingBytes < 56 ? 56 : 120) - pendingBytes;
  for (int i = 0; i < 8; ++i)
    tail[padding + i] = uint8_t(bits >> (56 - 8 * i));
  update(tail, padding + 8);
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (uint32_t word : state)
    for (int shift = 28; shift >= 0; shift -= 4)
      text += digits[word >> shift & 15];
  return text;
}

std::string amp::runtime::sha256(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.hexDigest();
}
