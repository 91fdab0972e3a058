//===- Random.h - Counter-based random numbers ------------------*- C++ -*-===//
//
// Philox 4x32 with seven rounds (Salmon et al., "Parallel random numbers: as
// easy as 1, 2, 3", 2011): the generator that generated kernels use for
// dropout. A draw is a function of key and counter, so no draw depends on which
// thread makes it.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_KERNELS_COMMON_RANDOM_H
#define AMP_KERNELS_COMMON_RANDOM_H

#include <cstdint>

namespace amp::kernels {

/// Replaces four counter words by four random words.
inline void philox4x32(uint32_t (&c)[4], uint32_t key0, uint32_t key1) {
  for (int round = 0; round < 7; ++round) {
    uint64_t p0 = uint64_t(0xD2511F53u) * c[0];
    uint64_t p1 = uint64_t(0xCD9E8D57u) * c[2];
    c[0] = static_cast<uint32_t>(p1 >> 32) ^ c[1] ^ key0;
    c[2] = static_cast<uint32_t>(p0 >> 32) ^ c[3] ^ key1;
    c[1] = static_cast<uint32_t>(p1);
    c[3] = static_cast<uint32_t>(p0);
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
}

/// The draws that round one tensor in one update: 32 bits for each element.
struct RoundingDraws {
  uint64_t seed = 0;
  uint64_t update = 0; ///< number of the update
  uint32_t stream = 0; ///< which tensor; below 2^31

  /// The four words of elements 4 * quad to 4 * quad + 3. The key's top bit
  /// tells these streams from those of dropout, which are numbers of nodes.
  void quad(uint64_t quad, uint32_t (&words)[4]) const {
    words[0] = static_cast<uint32_t>(quad);
    words[1] = static_cast<uint32_t>(quad >> 32);
    words[2] = static_cast<uint32_t>(update);
    words[3] = static_cast<uint32_t>(update >> 32);
    philox4x32(words, static_cast<uint32_t>(seed),
               static_cast<uint32_t>(seed >> 32) ^ (0x80000000u | stream));
  }
};

} // namespace amp::kernels

#endif // AMP_KERNELS_COMMON_RANDOM_H
