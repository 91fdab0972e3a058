//===- Manifest.h - What makes a folder of weights a checkpoint -*- C++ -*-===//
//
// manifest.json: which program and which options the checkpoint belongs to,
// where the run stood, and a SHA-256 digest for each tensor, for the header of
// the weight file, and for the manifest itself.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_MANIFEST_H
#define AMP_RUNTIME_TRAINER_MANIFEST_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace amp::runtime {

/// Contents of manifest.json.
struct Manifest {
  /// Digest of model, variables and compile options.
  std::string package;
  /// Digest of the generated code: other code may round otherwise.
  std::string code;
  /// Steps done; also the data cursor, since the rows of a step follow from
  /// its number.
  int64_t step = 0;
  int64_t epoch = 0;
  /// The evaluation due after `step` steps was not done yet.
  bool evalPending = false;
  /// Options a resumed run must agree with to be the same run.
  std::map<std::string, std::string> fixed;
  /// Options it may change, which is then said.
  std::map<std::string, std::string> free;
  /// Digest of the weight file's header and of each tensor's bytes.
  std::string headerDigest;
  std::map<std::string, std::string> tensors;

  /// The file, which ends with the digest of all that comes before it.
  std::string render() const;
  /// Checks the digest over the raw bytes first, then reads. Throws
  /// Error(BadInput) that begins with `what`.
  static Manifest parse(std::string_view file, const std::string &what);
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_MANIFEST_H
