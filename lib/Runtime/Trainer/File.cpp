//===- File.cpp - Files read whole and files written safely ---------------===//
//
// POSIX calls with every return value looked at.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/File.h"
#include "amp/ABI/Writable.h"
#include "amp/Runtime/Error.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace amp::runtime;

[[noreturn]] static void failRead(const std::string &path, const char *reason) {
  throw Error(ExitCode::BadInput,
              fmt::format("cannot read '{}': {}", path, reason));
}

std::shared_ptr<const MappedFile> MappedFile::open(const std::string &path) {
  FileDescriptor file(openFile(path, O_RDONLY));
  struct stat info;
  if (file.get() < 0 || ::fstat(file.get(), &info) != 0)
    failRead(path, std::strerror(errno));
  if (S_ISDIR(info.st_mode))
    failRead(path, "it is a folder");
  std::shared_ptr<MappedFile> result(new MappedFile);
  if (S_ISREG(info.st_mode) && info.st_size > 0) {
    void *address = ::mmap(nullptr, size_t(info.st_size), PROT_READ,
                           MAP_PRIVATE, file.get(), 0);
    if (address != MAP_FAILED) {
      result->mapping = address;
      result->start = static_cast<const char *>(address);
      result->length = size_t(info.st_size);
      return result;
    }
  }
  // A pipe, or a file system that cannot map.
  char buffer[1 << 16];
  while (true) {
    ssize_t got = ::read(file.get(), buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      failRead(path, std::strerror(errno));
    if (got == 0)
      break;
    result->copy.insert(result->copy.end(), buffer, buffer + got);
  }
  result->start = result->copy.data();
  result->length = result->copy.size();
  return result;
}

MappedFile::~MappedFile() {
  if (mapping)
    ::munmap(mapping, length);
}

FileDescriptor &FileDescriptor::operator=(FileDescriptor &&other) noexcept {
  if (this != &other) {
    if (fd >= 0)
      ::close(fd);
    fd = other.release();
  }
  return *this;
}

FileDescriptor::~FileDescriptor() {
  if (fd >= 0)
    ::close(fd);
}

int FileDescriptor::release() {
  int result = fd;
  fd = -1;
  return result;
}

void FileDescriptor::close(const std::string &path) {
  if (fd >= 0 && ::close(release()) != 0 && errno != EINTR)
    failWrite("close", path);
}

void amp::runtime::checkWritable(const std::string &path) {
  if (std::string reason = abi::whyNotWritable(path); !reason.empty())
    throw Error(ExitCode::IO,
                fmt::format("cannot write '{}': {}", path, reason));
}

void amp::runtime::failWrite(const char *action, const std::string &path) {
  throw Error(ExitCode::IO, fmt::format("cannot {} '{}': {}", action, path,
                                        std::strerror(errno)));
}

void amp::runtime::writeFully(int fd, const void *data, size_t bytes,
                              const std::string &path) {
  const char *p = static_cast<const char *>(data);
  while (bytes > 0) {
    // Linux moves at most 2 GiB at once.
    ssize_t done = ::write(fd, p, std::min(bytes, size_t(1) << 30));
    if (done < 0) {
      if (errno == EINTR)
        continue;
      failWrite("write", path);
    }
    p += done;
    bytes -= size_t(done);
  }
}

int amp::runtime::openFile(const std::string &path, int flags) {
  int fd = -1;
  do {
    fd = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

int amp::runtime::renameFile(const std::string &from, const std::string &to) {
  int result = 0;
  do {
    result = ::rename(from.c_str(), to.c_str());
  } while (result != 0 && errno == EINTR);
  return result;
}

void amp::runtime::syncFile(int fd, const std::string &path) {
  while (::fsync(fd) != 0) {
    if (errno == EINTR)
      continue;
    // Pipes, terminals and some file systems have nothing to flush.
    if (errno == EINVAL || errno == EROFS || errno == ENOTSUP)
      return;
    failWrite("flush", path);
  }
}

void amp::runtime::syncFolder(const std::string &path) {
  FileDescriptor folder(openFile(path, O_RDONLY | O_DIRECTORY));
  if (folder.get() < 0)
    failWrite("open", path);
  syncFile(folder.get(), path);
}

std::string amp::runtime::folderOf(const std::string &path) {
  size_t slash = path.find_last_of('/');
  if (slash == std::string::npos)
    return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

OutputFile::OutputFile(const std::string &path) : target(path) {
  struct stat info;
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) {
      errno = EISDIR;
      failWrite("write", path);
    }
    if (!S_ISREG(info.st_mode)) {
      file = FileDescriptor(openFile(path, O_WRONLY));
      if (file.get() < 0)
        failWrite("write", path);
      return;
    }
    // A link stays a link: what it points to is replaced.
    if (char *resolved = ::realpath(path.c_str(), nullptr)) {
      target = resolved;
      std::free(resolved);
    }
  }
  temporary = fmt::format("{}.tmp-{}", target, ::getpid());
  file = FileDescriptor(openFile(temporary, O_WRONLY | O_CREAT | O_TRUNC));
  if (file.get() < 0) {
    temporary.clear();
    failWrite("write", path);
  }
}

OutputFile::~OutputFile() {
  if (!temporary.empty())
    ::unlink(temporary.c_str());
}

void OutputFile::write(const void *data, size_t bytes) {
  writeFully(file.get(), data, bytes, target);
  written += bytes;
}

void OutputFile::commit() {
  syncFile(file.get(), target);
  file.close(target);
  if (temporary.empty())
    return;
  if (renameFile(temporary, target) != 0)
    failWrite("write", target);
  temporary.clear();
  syncFolder(folderOf(target));
}
