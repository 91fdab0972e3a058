//===- Writable.h - Whether a file can be written ---------------*- C++ -*-===//
//
// For every program: a path that cannot be written is told before the work
// whose result it is for.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ABI_WRITABLE_H
#define AMP_ABI_WRITABLE_H

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace amp::abi {

/// Why no file can be written to `path`, in the words of the system; empty if
/// one can, or if `path` is empty. Files appear by a rename, so it is their
/// folder that has to take a new one; a link is followed, and a device or pipe
/// must not be replaced, but take bytes. Nothing is left behind.
inline std::string whyNotWritable(const std::string &path) {
  if (path.empty())
    return "";
  std::string target = path;
  struct stat info;
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode))
      return std::strerror(EISDIR);
    if (!S_ISREG(info.st_mode))
      return ::access(path.c_str(), W_OK) == 0 ? "" : std::strerror(errno);
    if (char *resolved = ::realpath(path.c_str(), nullptr)) {
      target = resolved;
      std::free(resolved);
    }
  }
  // Rights alone do not tell of a file system that is read-only.
  std::string probe = target + ".probe-" + std::to_string(::getpid());
  int file = -1;
  do
    file = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  while (file < 0 && errno == EINTR);
  if (file < 0)
    return std::strerror(errno);
  ::close(file);
  ::unlink(probe.c_str());
  return "";
}

} // namespace amp::abi

#endif // AMP_ABI_WRITABLE_H
