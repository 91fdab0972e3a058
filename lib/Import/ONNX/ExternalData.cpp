//===- ExternalData.cpp - Weights beside the model ------------------------===//
//
// The path is walked component by component from the model's folder, each
// opened without following links, so neither "..", an absolute path nor a link
// leads out, and nothing can be exchanged between check and use.
//
//===----------------------------------------------------------------------===//

#include "ExternalData.h"
#include "llvm/ADT/SmallVector.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace amp;
using namespace amp::onnximport;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// A file descriptor that closes itself.
class Descriptor {
public:
  explicit Descriptor(int fd) : fd(fd) {}
  Descriptor(const Descriptor &) = delete;
  ~Descriptor() {
    if (fd >= 0)
      ::close(fd);
  }
  void reset(int next) {
    if (fd >= 0)
      ::close(fd);
    fd = next;
  }
  int get() const { return fd; }

private:
  int fd;
};

/// location, offset and length as the tensor gives them.
struct Place {
  std::string location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
};

} // namespace

static FailureOr<Place> readPlace(const onnx::TensorProto &tensor,
                                  ImportReport &report) {
  Place place;
  for (const onnx::StringStringEntryProto &entry : tensor.external_data()) {
    StringRef key = entry.key(), value = entry.value();
    uint64_t number = 0;
    if (key == "location") {
      place.location = value.str();
    } else if (key == "offset" || key == "length") {
      if (value.getAsInteger(10, number))
        return report.fail(Outcome::BadInput,
                           "external data of tensor " + shown(tensor.name()) +
                               " has " + key + " " + shown(value) +
                               ", expected a number of bytes");
      if (key == "offset")
        place.offset = number;
      else
        place.length = number;
    }
    // checksum, basepath and unknown keys are not interpreted.
  }
  if (place.location.empty())
    return report.fail(Outcome::BadInput, "external data of tensor " +
                                              shown(tensor.name()) +
                                              " has no location");
  return place;
}

/// Opens `location` below `folder`; -1 and errno on failure.
static int openBelow(StringRef folder, StringRef location) {
  Descriptor current(
      ::open(folder.str().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (current.get() < 0)
    return -1;
  llvm::SmallVector<StringRef> parts;
  location.split(parts, '/', -1, /*KeepEmpty=*/false);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == ".")
      continue;
    bool last = i + 1 == parts.size();
    // O_NONBLOCK: a named pipe must not hold the compiler.
    int flags =
        O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (last ? O_NONBLOCK : O_DIRECTORY);
    int next = ::openat(current.get(), parts[i].str().c_str(), flags);
    if (next < 0)
      return -1;
    if (last)
      return next;
    current.reset(next);
  }
  errno = ENOENT;
  return -1;
}

FailureOr<ExternalBytes>
amp::onnximport::openExternal(const onnx::TensorProto &tensor, StringRef folder,
                              uint64_t expected, ImportReport &report) {
  FailureOr<Place> place = readPlace(tensor, report);
  if (failed(place))
    return failure();
  std::string what = "external data of tensor " + shown(tensor.name()) +
                     " in " + shown(place->location);
  StringRef location = place->location;
  if (folder.empty())
    return report.fail(Outcome::BadInput,
                       what + " cannot be read: the model did not come from a "
                              "folder");
  llvm::SmallVector<StringRef> parts;
  location.split(parts, '/');
  if (location.starts_with("/") || location.contains('\0') ||
      location.contains('\\') || llvm::is_contained(parts, ".."))
    return report.fail(Outcome::BadInput,
                       what + " is rejected: the path has to lead to a file "
                              "below the model's folder");
  Descriptor file(openBelow(folder, location));
  if (file.get() < 0) {
    if (errno == ELOOP || errno == ENOTDIR)
      return report.fail(Outcome::BadInput,
                         what + " is rejected: links are not followed");
    return report.fail(Outcome::BadInput,
                       what + " cannot be opened: " + std::strerror(errno));
  }
  struct stat info;
  if (::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode))
    return report.fail(Outcome::BadInput, what + " is not a regular file");
  uint64_t size = info.st_size;
  if (place->length && *place->length != expected)
    return report.fail(Outcome::BadInput, what + " has length " +
                                              Twine(*place->length) +
                                              ", but type and shape ask for " +
                                              Twine(expected) + " bytes");
  if (place->offset > size || expected > size - place->offset)
    return report.fail(Outcome::BadInput,
                       what + " ends at byte " + Twine(size) +
                           " of the file, but offset " + Twine(place->offset) +
                           " and " + Twine(expected) + " bytes are asked for");
  ExternalBytes result;
  if (!expected)
    return result;
  uint64_t page = ::sysconf(_SC_PAGESIZE);
  uint64_t start = place->offset / page * page;
  uint64_t length = place->offset - start + expected;
  void *data =
      ::mmap(nullptr, length, PROT_READ, MAP_PRIVATE, file.get(), start);
  if (data == MAP_FAILED)
    return report.fail(Outcome::BadInput,
                       what + " cannot be mapped: " + std::strerror(errno));
  result.mapping = std::shared_ptr<void>(
      data, [length](void *mapped) { ::munmap(mapped, length); });
  result.bytes = StringRef(
      static_cast<const char *>(data) + (place->offset - start), expected);
  return result;
}
