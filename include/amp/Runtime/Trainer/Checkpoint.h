//===- Checkpoint.h - Checkpoints in a folder -------------------*- C++ -*-===//
//
// Each checkpoint is a folder step-NNNNNNNNN with weights.safetensors and
// manifest.json. It is written under a temporary name, flushed and renamed, so
// a folder with the final name is complete unless somebody altered it, which
// the digests show.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_CHECKPOINT_H
#define AMP_RUNTIME_TRAINER_CHECKPOINT_H

#include "amp/Runtime/Trainer/File.h"
#include "amp/Runtime/Trainer/Manifest.h"
#include "amp/Runtime/Trainer/Safetensors.h"
#include <functional>

namespace amp::runtime {

/// A checkpoint that was read and whose every byte was checked.
struct Checkpoint {
  std::string path;
  Manifest manifest;
  std::shared_ptr<const MappedFile> file;
  SafetensorsView weights;

  /// Reads and checks one folder; throws Error(BadInput) that names the first
  /// thing that is wrong.
  static Checkpoint load(const std::string &path);
};

/// The folder of --checkpoint-dir, locked for one run at a time.
class CheckpointStore {
public:
  /// Creates the folder if need be, takes the lock, and removes what killed
  /// runs left half written. Keeps the newest `keep` checkpoints (0: all).
  CheckpointStore(const std::string &folder, int keep);

  /// The final folders in `folder`, newest first.
  static std::vector<std::string> list(const std::string &folder);

  /// The newest checkpoint in `folder` that is intact; for each one that is
  /// not, `reject` is told why. False if there is none.
  static bool
  findNewest(const std::string &folder, Checkpoint &result,
             const std::function<void(const std::string &)> &reject);

  /// Bytes of a tensor, on demand, so that only one copy is alive at a time.
  using ReadTensor = std::function<std::vector<char>(size_t index)>;

  /// Writes a checkpoint and then removes the ones that are too old. Fills in
  /// the digests of `manifest`. Returns the path.
  std::string save(Manifest &manifest, std::vector<TensorEntry> entries,
                   const ReadTensor &read);

private:
  void removeStale();
  void prune(int64_t newest);

  std::string folder;
  int keep;
  FileDescriptor lock;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_CHECKPOINT_H
