//===- Package.cpp - Opening a package
//-------------------------------------===//
//
// Finds the package at the end of a file, maps it, and believes nothing in it
// before its digest, structure and numbers are checked.
//
//===----------------------------------------------------------------------===//

#include "PackageChecks.h"
#include "amp/ABI/Container.h"
#include "amp/Runtime/Error.h"
#include "amp/Runtime/Session.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace amp::runtime {

namespace {

/// The package format this runtime reads.
constexpr int kVersion = 1;

[[noreturn]] void badInput(const std::string &source,
                           const std::string &message) {
  throw Error(ExitCode::BadInput, fmt::format("{}: {}", source, message));
}

/// An open file.
struct File {
  explicit File(const std::string &path)
      : descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (descriptor >= 0)
      ::close(descriptor);
  }
  int descriptor;
};

struct Trailer {
  uint64_t digest, length;
};

/// Reads the trailer; false if the magic word is not there.
bool readTrailer(const char *bytes, Trailer &trailer) {
  if (std::memcmp(bytes + 16, abi::kTrailerMagic, 8) != 0)
    return false;
  trailer = {0, 0};
  for (int i = 0; i < 8; ++i) {
    auto byte = [&](int at) {
      return static_cast<uint64_t>(static_cast<unsigned char>(bytes[at]));
    };
    trailer.digest |= byte(i) << (8 * i);
    trailer.length |= byte(8 + i) << (8 * i);
  }
  return true;
}

void checkDigest(const char *data, const Trailer &trailer,
                 const std::string &source) {
  if (abi::packageDigest(data, trailer.length) != trailer.digest)
    badInput(source, "the package is damaged (its digest does not match)");
}

} // namespace

Package::~Package() {
  if (mapping)
    munmap(mapping, mappingBytes);
}

void Package::adopt(const char *data, size_t size, const std::string &source) {
  // flatbuffers asserts on sizes it cannot address.
  if (size < 16 || size >= FLATBUFFERS_MAX_BUFFER_SIZE)
    badInput(source, fmt::format("a package cannot have {} bytes", size));
  if (!abi::PackageBufferHasIdentifier(data))
    badInput(source, "carries no package of this program");
  // Each table has at least four bytes, so more cannot be in the file.
  flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t *>(data), size,
                                 /*max_depth=*/64,
                                 static_cast<flatbuffers::uoffset_t>(size / 4));
  if (!abi::VerifyPackageBuffer(verifier))
    badInput(source, "the package is damaged (its structure is not valid)");
  const abi::Package *package = abi::GetPackage(data);
  if (package->version() != kVersion)
    badInput(source, fmt::format("the package has format version {}, this "
                                 "program reads version {}: compile the model "
                                 "again",
                                 package->version(), kVersion));
  checkPackage(*package, source);
  root = package;
}

std::shared_ptr<const Package> Package::open(const std::string &path) {
  File file(path);
  struct stat status;
  if (file.descriptor < 0 || fstat(file.descriptor, &status) != 0)
    badInput(path, fmt::format("cannot be opened: {}", std::strerror(errno)));
  if (!S_ISREG(status.st_mode))
    badInput(path, "is not a file");
  uint64_t fileBytes = static_cast<uint64_t>(status.st_size);
  char bytes[abi::kTrailerBytes];
  Trailer trailer;
  if (fileBytes < sizeof(bytes) ||
      pread(file.descriptor, bytes, sizeof(bytes),
            static_cast<off_t>(fileBytes - sizeof(bytes))) !=
          static_cast<ssize_t>(sizeof(bytes)) ||
      !readTrailer(bytes, trailer))
    badInput(path, "carries no compiled model (made by amp-compile, or cut "
                   "short)");
  uint64_t before = fileBytes - sizeof(bytes);
  if (trailer.length > before || trailer.length == 0 ||
      (before - trailer.length) % abi::kPackageAlignment != 0)
    badInput(path, "the package is damaged (its length does not fit)");

  std::shared_ptr<Package> package(new Package);
  void *mapping =
      mmap(nullptr, trailer.length, PROT_READ, MAP_PRIVATE, file.descriptor,
           static_cast<off_t>(before - trailer.length));
  if (mapping == MAP_FAILED)
    badInput(path, fmt::format("cannot be mapped: {}", std::strerror(errno)));
  package->mapping = mapping;
  package->mappingBytes = trailer.length;
  const char *data = static_cast<const char *>(mapping);
  checkDigest(data, trailer, path);
  package->adopt(data, trailer.length, path);
  return package;
}

std::shared_ptr<const Package> Package::fromBytes(std::vector<char> bytes) {
  const std::string source = "package in memory";
  size_t size = bytes.size();
  Trailer trailer;
  if (size >= abi::kTrailerBytes &&
      readTrailer(bytes.data() + size - abi::kTrailerBytes, trailer)) {
    size -= abi::kTrailerBytes;
    if (trailer.length != size)
      badInput(source, "the package is damaged (its length does not fit)");
    checkDigest(bytes.data(), trailer, source);
  }
  std::shared_ptr<Package> package(new Package);
  // Copied into whole pages: constants must be aligned.
  size_t mapped = size ? size : 1;
  void *mapping = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED)
    badInput(source, "not enough memory");
  package->mapping = mapping;
  package->mappingBytes = mapped;
  if (size)
    std::memcpy(mapping, bytes.data(), size);
  mprotect(mapping, mapped, PROT_READ);
  package->adopt(static_cast<const char *>(mapping), size, source);
  return package;
}

const abi::Entry *Package::findEntry(const std::string &name) const {
  if (!root->entries())
    return nullptr;
  for (const abi::Entry *entry : *root->entries()) {
    std::string own = entry->name()->str();
    if (own == name || (entry->bucket() && entry->bucket()->size() &&
                        own + "/" + entry->bucket()->str() == name))
      return entry;
  }
  return nullptr;
}

int Package::findVariable(const std::string &name) const {
  if (root->variables())
    for (flatbuffers::uoffset_t i = 0; i < root->variables()->size(); ++i)
      if (root->variables()->Get(i)->name()->str() == name)
        return static_cast<int>(i);
  return -1;
}

} // namespace amp::runtime
