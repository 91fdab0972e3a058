//===- Checkpoint.cpp - Checkpoints in a folder ---------------------------===//
//
// Writing: temporary folder, flush, rename, flush the parent, then remove old
// ones. Reading: newest first, every digest compared.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Checkpoint.h"
#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/Sha256.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace amp::runtime;
namespace fs = std::filesystem;

static constexpr const char *kWeights = "weights.safetensors";
static constexpr const char *kManifest = "manifest.json";
static constexpr const char *kPrefix = "step-";
static constexpr const char *kTemporary = ".writing-";

Checkpoint Checkpoint::load(const std::string &path) {
  std::string what = fmt::format("checkpoint '{}'", path);
  auto fail = [&](const std::string &reason) {
    throw Error(ExitCode::BadInput, fmt::format("{}: {}", what, reason));
  };
  Checkpoint result;
  result.path = path;
  auto manifestFile = MappedFile::open(path + "/" + kManifest);
  result.manifest = Manifest::parse(manifestFile->bytes(), what);
  result.file = MappedFile::open(path + "/" + kWeights);
  // The header before it is believed, each tensor before it is used.
  std::string_view bytes = result.file->bytes();
  const Manifest &manifest = result.manifest;
  if (sha256(safetensorsHeader(bytes, what)) != manifest.headerDigest)
    fail("the header of the weights does not have its digest");
  result.weights = parseSafetensors(bytes, what);
  if (result.weights.entries.size() != manifest.tensors.size())
    fail("weights and manifest list different tensors");
  for (const TensorEntry &entry : result.weights.entries) {
    auto listed = manifest.tensors.find(entry.name);
    if (listed == manifest.tensors.end())
      fail(fmt::format("tensor '{}' is not in the manifest", entry.name));
    if (sha256(result.weights.bytesOf(entry)) != listed->second)
      fail(fmt::format("tensor '{}' does not have its digest", entry.name));
  }
  return result;
}

CheckpointStore::CheckpointStore(const std::string &folder, int keep)
    : folder(folder), keep(keep) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw Error(ExitCode::IO,
                fmt::format("cannot create the checkpoint folder '{}': {}",
                            folder, error.message()));
  std::string lockPath = folder + "/.lock";
  lock = FileDescriptor(openFile(lockPath, O_RDWR | O_CREAT));
  if (lock.get() < 0)
    failWrite("write into", folder);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
    throw Error(
        ExitCode::IO,
        fmt::format("another run is using the checkpoint folder '{}'", folder));
  removeStale();
}

void CheckpointStore::removeStale() {
  std::error_code error;
  std::vector<fs::path> stale;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error))
    if (entry.path().filename().string().rfind(kTemporary, 0) == 0)
      stale.push_back(entry.path());
  for (const fs::path &path : stale)
    fs::remove_all(path, error);
}

/// The step in "step-NNNNNNNNN", or -1.
static int64_t stepOf(const std::string &name) {
  size_t prefix = std::strlen(kPrefix);
  if (name.rfind(kPrefix, 0) != 0 || name.size() == prefix ||
      name.size() > prefix + 18)
    return -1;
  int64_t step = 0;
  for (char c : name.substr(prefix)) {
    if (c < '0' || c > '9')
      return -1;
    step = step * 10 + (c - '0');
  }
  return step;
}

std::vector<std::string> CheckpointStore::list(const std::string &folder) {
  std::vector<std::pair<int64_t, std::string>> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    int64_t step = stepOf(it->path().filename().string());
    if (step >= 0)
      found.emplace_back(step, it->path().string());
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<std::string> paths;
  for (auto &entry : found)
    paths.push_back(std::move(entry.second));
  return paths;
}

bool CheckpointStore::findNewest(
    const std::string &folder, Checkpoint &result,
    const std::function<void(const std::string &)> &reject) {
  for (const std::string &path : list(folder)) {
    try {
      result = Checkpoint::load(path);
      return true;
    } catch (const Error &error) {
      reject(error.what());
    }
  }
  return false;
}

/// Opens a new file inside a temporary folder.
static FileDescriptor create(const std::string &path) {
  FileDescriptor file(openFile(path, O_WRONLY | O_CREAT | O_EXCL));
  if (file.get() < 0)
    failWrite("write", path);
  return file;
}

std::string CheckpointStore::save(Manifest &manifest,
                                  std::vector<TensorEntry> entries,
                                  const ReadTensor &read) {
  std::string name = fmt::format("{}{:09}", kPrefix, manifest.step);
  std::string target = folder + "/" + name;
  std::string temporary = folder + "/" + kTemporary + name;
  std::string replaced = temporary + ".old";
  std::error_code ignored;
  try {
    if (::mkdir(temporary.c_str(), 0777) != 0)
      failWrite("create", temporary);
    std::string header = renderSafetensorsHeader(entries);
    manifest.headerDigest = sha256(header);
    manifest.tensors.clear();
    std::string path = temporary + "/" + kWeights;
    FileDescriptor file = create(path);
    writeFully(file.get(), header.data(), header.size(), path);
    for (size_t i = 0; i < entries.size(); ++i) {
      std::vector<char> bytes = read(i);
      if (bytes.size() != entries[i].end - entries[i].begin)
        throw Error(ExitCode::Diverged,
                    fmt::format("variable '{}' has {} bytes instead of {}",
                                entries[i].name, bytes.size(),
                                entries[i].end - entries[i].begin));
      manifest.tensors[entries[i].name] = sha256({bytes.data(), bytes.size()});
      writeFully(file.get(), bytes.data(), bytes.size(), path);
    }
    syncFile(file.get(), path);
    file.close(path);

    std::string text = manifest.render();
    path = temporary + "/" + kManifest;
    file = create(path);
    writeFully(file.get(), text.data(), text.size(), path);
    syncFile(file.get(), path);
    file.close(path);
    syncFolder(temporary);
    // Only a damaged checkpoint can be in the way (a resumed run passed it
    // over); it is moved aside first, because a folder cannot be replaced.
    if (fs::exists(target, ignored) && renameFile(target, replaced) != 0)
      failWrite("replace", target);
    if (renameFile(temporary, target) != 0)
      failWrite("rename to", target);
    syncFolder(folder);
  } catch (...) {
    fs::remove_all(temporary, ignored);
    throw;
  }
  fs::remove_all(replaced, ignored);
  prune(manifest.step);
  return target;
}

void CheckpointStore::prune(int64_t newest) {
  // Later ones can only be damaged: the run went on from an earlier one. They
  // take no place, and stay until the run has passed them.
  int kept = 0;
  std::error_code error;
  for (const std::string &path : list(folder)) {
    std::string name = fs::path(path).filename().string();
    if (keep == 0 || stepOf(name) > newest || ++kept <= keep)
      continue;
    // Under a temporary name first: half a removal must not look like a
    // damaged checkpoint.
    std::string doomed = folder + "/" + kTemporary + "old-" + name;
    if (renameFile(path, doomed) == 0)
      fs::remove_all(doomed, error);
  }
}
