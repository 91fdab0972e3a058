//===- Sha256.h - Digest of checkpoints and packages ------------*- C++ -*-===//
//
// SHA-256 (FIPS 180-4), incremental, with the SHA instructions where the
// processor has them.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_SHA256_H
#define AMP_RUNTIME_TRAINER_SHA256_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace amp::runtime {

/// Collects bytes and yields their digest.
class Sha256 {
public:
  /// Starts a digest; `portable` forbids the processor's SHA instructions, so
  /// that a test can compare both ways.
  explicit Sha256(bool portable = false);

  /// Appends bytes.
  void update(const void *data, size_t bytes);
  /// Appends text.
  void update(std::string_view text) { update(text.data(), text.size()); }
  /// Ends the message and returns 64 lower-case hexadecimal digits; call once.
  std::string hexDigest();

private:
  using CompressFn = void (*)(uint32_t *state, const uint8_t *blocks,
                              size_t count);

  std::array<uint32_t, 8> state;
  std::array<uint8_t, 64> pending;
  size_t pendingBytes = 0;
  uint64_t totalBytes = 0;
  CompressFn compress;
};

/// Digest of one piece of memory.
std::string sha256(std::string_view bytes);

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_SHA256_H
