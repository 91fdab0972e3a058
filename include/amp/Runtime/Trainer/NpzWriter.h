//===- NpzWriter.h - Arrays written to an .npz file -------------*- C++ -*-===//
//
// Stored (not deflated) members, zip64 throughout, written in one pass: each
// member's size is known before its bytes, its check sum follows them.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_NPZWRITER_H
#define AMP_RUNTIME_TRAINER_NPZWRITER_H

#include "amp/ABI/DType.h"
#include "amp/Runtime/Trainer/File.h"
#include <cstdint>

namespace amp::runtime {

/// Writes one archive; nothing appears under its name before finish().
class NpzWriter {
public:
  explicit NpzWriter(const std::string &path) : file(path) {}

  /// Adds a whole array. bf16 and the 8-bit floats have no NumPy type and are
  /// widened to float32 by the caller.
  void add(const std::string &name, abi::DType type,
           const std::vector<int64_t> &dims, std::string_view bytes);

  /// Writes the directory and commits the file.
  void finish();

private:
  struct Member {
    std::string name;
    uint32_t crc;
    uint64_t size, offset;
  };
  OutputFile file;
  std::vector<Member> members;
};

/// The header of an .npy array.
std::string npyHeader(abi::DType type, const std::vector<int64_t> &dims);

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_NPZWRITER_H
