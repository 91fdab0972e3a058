//===- Readers.h - .npy, .npz, IDX and gzip ---------------------*- C++ -*-===//
//
// Parsers of the data formats. They take bytes somebody else may have damaged:
// every size is checked against what is there before memory is asked for, and
// every fault is an Error(BadInput) that begins with `what`.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_READERS_H
#define AMP_RUNTIME_TRAINER_READERS_H

#include "amp/Runtime/Trainer/Array.h"
#include <map>

namespace amp::runtime {

/// Bytes and what keeps them alive.
struct OwnedBytes {
  std::string_view bytes;
  std::shared_ptr<const void> owner;
};

/// A deflated stream never grows by more than this factor; a header that
/// promises more is lying.
inline constexpr uint64_t kMaxInflation = 1032;

/// What an element type that nothing here takes (complex numbers, texts,
/// records, Python objects) means: an error, or an array with its `problem`.
enum class OtherTypes { Refuse, Mark };

/// NumPy's array format, versions 1 to 3, either byte order, either layout.
Array parseNpy(const OwnedBytes &file, const std::string &what,
               OtherTypes others = OtherTypes::Refuse);

/// The IDX format of the MNIST family.
Array parseIdx(const OwnedBytes &file, const std::string &what);

/// Inflates a gzip file of one or more members; checks their check sums.
OwnedBytes inflateGzip(std::string_view file, const std::string &what);

/// Inflates a raw deflate stream that must yield exactly `size` bytes.
OwnedBytes inflateRaw(std::string_view stream, uint64_t size,
                      const std::string &what);

/// One member of a zip archive, located and checked but not inflated.
struct ZipMember {
  std::string name;
  bool deflated = false;
  uint32_t crc = 0;
  uint64_t size = 0;
  std::string_view stored;
};

/// Members of a zip archive (stored or deflated, zip64 understood), in the
/// order of the central directory.
std::vector<ZipMember> parseZip(std::string_view file, const std::string &what);

/// Bytes of a member, checked against its check sum.
OwnedBytes readMember(const ZipMember &member, const OwnedBytes &file,
                      const std::string &what);

/// Arrays of an .npz file by name (without the ".npy").
std::map<std::string, Array> parseNpz(const OwnedBytes &file,
                                      const std::string &what,
                                      OtherTypes others = OtherTypes::Refuse);

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_READERS_H
