//===- Safetensors.h - The weight file of a checkpoint ----------*- C++ -*-===//
//
// The safetensors format: 8 bytes of header length, a JSON header, raw tensors
// one after the other.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_SAFETENSORS_H
#define AMP_RUNTIME_TRAINER_SAFETENSORS_H

#include "amp/ABI/DType.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace amp::runtime {

/// A tensor of the file; its bytes lie at [begin, end) behind the header.
struct TensorEntry {
  std::string name;
  abi::DType type = abi::DType::f32;
  std::vector<int64_t> dims;
  uint64_t begin = 0, end = 0;
};

/// Name of an element type in the format ("F32", "BF16").
const char *safetensorsName(abi::DType type);

/// Fills in begin and end of each entry, in order, and returns length word and
/// JSON header, padded so that the data begins at a multiple of 64 bytes.
std::string renderSafetensorsHeader(std::vector<TensorEntry> &entries);

/// Length word and JSON header of a file, not looked into: what a digest is
/// compared with before the header is believed. Throws Error(BadInput).
std::string_view safetensorsHeader(std::string_view file,
                                   const std::string &what);

/// A file taken apart.
struct SafetensorsView {
  std::vector<TensorEntry> entries; ///< in the order of their bytes
  std::string_view header;          ///< length word and JSON
  std::string_view data;
  /// The bytes of one tensor.
  std::string_view bytesOf(const TensorEntry &entry) const {
    return data.substr(entry.begin, entry.end - entry.begin);
  }
};

/// Checks that the tensors fill the file exactly, without gap or overlap, and
/// that each has the bytes its shape takes. Throws Error(BadInput) that begins
/// with `what`.
SafetensorsView parseSafetensors(std::string_view file,
                                 const std::string &what);

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_SAFETENSORS_H
