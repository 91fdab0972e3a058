//===- File.h - Files read whole and files written safely -------*- C++ -*-===//
//
// Every byte the trainer reads comes through MappedFile, every byte it writes
// goes through writeFully; a failed write is an Error with exit code 6 and
// leaves no partial file under the final name.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_FILE_H
#define AMP_RUNTIME_TRAINER_FILE_H

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace amp::runtime {

/// A file's bytes, mapped read-only (or read, where it cannot be mapped).
class MappedFile {
public:
  /// Throws Error(BadInput) if the file is missing, a folder or unreadable.
  static std::shared_ptr<const MappedFile> open(const std::string &path);
  ~MappedFile();
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  /// The whole file.
  std::string_view bytes() const { return {start, length}; }

private:
  MappedFile() = default;
  const char *start = nullptr;
  size_t length = 0;
  void *mapping = nullptr;
  std::vector<char> copy;
};

/// Owns a file descriptor.
class FileDescriptor {
public:
  FileDescriptor() = default;
  explicit FileDescriptor(int descriptor) : fd(descriptor) {}
  FileDescriptor(FileDescriptor &&other) noexcept : fd(other.release()) {}
  FileDescriptor &operator=(FileDescriptor &&other) noexcept;
  ~FileDescriptor();

  /// The descriptor, or -1.
  int get() const { return fd; }
  /// Gives the descriptor up without closing it.
  int release();
  /// Closes; a failing close is an Error, since data may be lost there.
  void close(const std::string &path);

private:
  int fd = -1;
};

/// Throws Error(IO): "cannot ACTION 'path': reason of errno".
[[noreturn]] void failWrite(const char *action, const std::string &path);

/// Throws Error(IO) if no file can be written to this path, which may be empty.
/// For what is written after long work.
void checkWritable(const std::string &path);

/// Writes all bytes, resuming after signals and short writes.
void writeFully(int fd, const void *data, size_t bytes,
                const std::string &path);

/// open() and rename(), repeated while a signal interrupts them; -1 and errno
/// on failure.
int openFile(const std::string &path, int flags);
int renameFile(const std::string &from, const std::string &to);

/// Flushes a file or folder to the disk.
void syncFile(int fd, const std::string &path);
/// Flushes the entries of a folder, so that a rename in it survives power loss.
void syncFolder(const std::string &path);

/// The folder part of a path, "." if it has none.
std::string folderOf(const std::string &path);

/// A file that appears under its name only when it is complete: written beside
/// it, flushed, renamed. A device or pipe is written directly instead, since it
/// must not be replaced by a file.
class OutputFile {
public:
  explicit OutputFile(const std::string &path);
  /// Removes the unfinished file if commit() was not reached.
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  /// Appends bytes.
  void write(const void *data, size_t bytes);
  /// Appends text.
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Bytes written so far.
  size_t size() const { return written; }
  /// Flushes and gives the file its name.
  void commit();

private:
  std::string target, temporary;
  FileDescriptor file;
  size_t written = 0;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_FILE_H
