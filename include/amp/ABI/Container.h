//===- Container.h - How a package rides on an executable -------*- C++ -*-===//
//
// A compiled model is the trainer program followed by the package bytes and a
// 24-byte trailer: digest and length of the package (8 bytes each, little-
// endian) and a magic word. A bare package (--emit=package) has the same
// trailer and no program in front.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ABI_CONTAINER_H
#define AMP_ABI_CONTAINER_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace amp::abi {

/// Last eight bytes of every file that carries a package.
inline constexpr char kTrailerMagic[] = "AMPPKG01";
/// Digest, length and magic.
inline constexpr size_t kTrailerBytes = 24;
/// The package starts at a multiple of this in the file, so that it can be
/// mapped and its constants used in place.
inline constexpr size_t kPackageAlignment = 4096;
/// Every arena offset, variable and constant is aligned to this.
inline constexpr size_t kBufferAlignment = 64;

/// Digest of the package bytes: finds damage (it does not stop an attacker).
/// Four independent lanes, so that it runs near the speed of memory.
inline uint64_t packageDigest(const char *data, size_t bytes) {
  constexpr uint64_t prime = 0x9E3779B97F4A7C15u;
  uint64_t lanes[4] = {prime, prime ^ bytes, ~prime, bytes};
  auto mix = [](uint64_t lane, uint64_t word) {
    lane = (lane ^ word) * 0xD6E8FEB86659FD93u;
    return lane ^ (lane >> 32);
  };
  size_t at = 0;
  for (; at + 32 <= bytes; at += 32)
    for (int i = 0; i < 4; ++i) {
      uint64_t word;
      std::memcpy(&word, data + at + 8 * i, 8);
      lanes[i] = mix(lanes[i], word);
    }
  for (; at < bytes; ++at)
    lanes[at % 4] = mix(lanes[at % 4], static_cast<unsigned char>(data[at]));
  uint64_t digest = prime;
  for (uint64_t lane : lanes)
    digest = mix(digest, lane);
  return digest;
}

/// The bytes to write behind a package.
inline std::array<char, kTrailerBytes> trailerOf(const char *package,
                                                 size_t bytes) {
  std::array<char, kTrailerBytes> trailer;
  uint64_t digest = packageDigest(package, bytes), length = bytes;
  for (int i = 0; i < 8; ++i) {
    trailer[i] = static_cast<char>(digest >> (8 * i));
    trailer[8 + i] = static_cast<char>(length >> (8 * i));
  }
  std::memcpy(trailer.data() + 16, kTrailerMagic, 8);
  return trailer;
}

} // namespace amp::abi

#endif // AMP_ABI_CONTAINER_H
