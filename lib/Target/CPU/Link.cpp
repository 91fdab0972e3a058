//===- Link.cpp - Objects to a shared object ------------------------------===//

#include "amp/Target/Link.h"
#include "lld/Common/Driver.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>
#include <string>

LLD_HAS_DRIVER(elf)

using namespace amp;

namespace {
/// A private directory that is removed with all it holds.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    error = llvm::sys::fs::createUniqueDirectory("amp-link", path);
  }
  ~TemporaryDirectory() {
    if (!error)
      llvm::sys::fs::remove_directories(path);
  }
  std::string file(const llvm::Twine &name) const {
    llvm::SmallString<128> full(path);
    llvm::sys::path::append(full, name);
    return std::string(full);
  }

  llvm::SmallString<128> path;
  std::error_code error;
};

llvm::Error writeFile(const std::string &name, llvm::ArrayRef<char> bytes) {
  std::error_code error;
  llvm::raw_fd_ostream out(name, error);
  if (!error) {
    out.write(bytes.data(), bytes.size());
    out.close();
    error = out.error();
    out.clear_error();
  }
  if (error)
    return llvm::createStringError(error, "cannot write '%s' to link: %s",
                                   name.c_str(), error.message().c_str());
  return llvm::Error::success();
}
} // namespace

/// LLD keeps state in globals, so that one link runs at a time.
static std::mutex &linkMutex() {
  static std::mutex mutex;
  return mutex;
}

llvm::Expected<std::vector<char>>
amp::linkSharedObject(llvm::ArrayRef<std::vector<char>> objects) {
  TemporaryDirectory directory;
  if (directory.error)
    return llvm::createStringError(
        directory.error, "cannot make a temporary directory to link in: %s",
        directory.error.message().c_str());
  std::vector<std::string> names;
  for (size_t i = 0; i < objects.size(); ++i) {
    names.push_back(directory.file("k" + llvm::Twine(i) + ".o"));
    if (llvm::Error error = writeFile(names.back(), objects[i]))
      return error;
  }
  std::string output = directory.file("code.so");
  std::vector<const char *> arguments = {"ld.lld",
                                         "-shared",
                                         "-o",
                                         output.c_str(),
                                         "--build-id=none",
                                         "-z",
                                         "noexecstack",
                                         "-z",
                                         "relro",
                                         "--hash-style=gnu",
                                         "-s",
                                         "--threads=1",
                                         "--no-undefined-version"};
  for (const std::string &name : names)
    arguments.push_back(name.c_str());

  std::string messages;
  llvm::raw_string_ostream stream(messages);
  {
    std::lock_guard<std::mutex> lock(linkMutex());
    lld::Result result = lld::lldMain(arguments, llvm::nulls(), stream,
                                      {{lld::Gnu, &lld::elf::link}});
    if (result.retCode != 0)
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "linking kernels failed: %s",
                                     messages.c_str());
  }
  auto buffer = llvm::MemoryBuffer::getFile(output, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError(buffer.getError(),
                                   "cannot read back the linked kernels: %s",
                                   buffer.getError().message().c_str());
  return std::vector<char>((*buffer)->getBufferStart(),
                           (*buffer)->getBufferEnd());
}
