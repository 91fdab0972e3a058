//===- ModuleLoader.cpp - Generated code, loaded from memory
//---------------===//
//
// dlopen needs a file name: an anonymous memory file has one under /proc; a
// temporary file serves where that is not allowed.
//
//===----------------------------------------------------------------------===//

#include "ModuleLoader.h"
#include "amp/Runtime/Error.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace amp::runtime {

namespace {

/// A file that is gone when the object is.
class ScratchFile {
public:
  ~ScratchFile() {
    if (descriptor >= 0)
      close(descriptor);
    if (!path.empty())
      unlink(path.c_str());
  }

  bool createInMemory() {
    descriptor = memfd_create("amp-kernels", MFD_CLOEXEC);
    name = fmt::format("/proc/self/fd/{}", descriptor);
    return descriptor >= 0;
  }

  bool createOnDisk() {
    const char *folder = std::getenv("TMPDIR");
    path = fmt::format("{}/amp-kernels-XXXXXX", folder ? folder : "/tmp");
    descriptor = mkostemp(path.data(), O_CLOEXEC);
    if (descriptor < 0)
      path.clear();
    name = path;
    return descriptor >= 0;
  }

  bool write(const char *data, size_t bytes) {
    while (bytes > 0) {
      ssize_t written = ::write(descriptor, data, bytes);
      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        return false;
      data += written;
      bytes -= static_cast<size_t>(written);
    }
    return true;
  }

  /// Leaves the open file to the caller.
  int release() { return std::exchange(descriptor, -1); }

  std::string name;

private:
  int descriptor = -1;
  std::string path;
};

} // namespace

static void checkHeader(const char *code, size_t bytes) {
  Elf64_Ehdr header;
  if (bytes >= sizeof(header)) {
    std::memcpy(&header, code, sizeof(header));
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
        header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_type == ET_DYN &&
        header.e_machine == EM_X86_64)
      return;
  }
  throw Error(ExitCode::BadInput,
              "the code in the package is no x86-64 shared object");
}

LoadedModule::LoadedModule(const char *code, size_t bytes) {
  checkHeader(code, bytes);
  std::string reason;
  for (bool inMemory : {true, false}) {
    ScratchFile file;
    if (!(inMemory ? file.createInMemory() : file.createOnDisk()) ||
        !file.write(code, bytes)) {
      reason = std::strerror(errno);
      continue;
    }
    handle = dlopen(file.name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle) {
      descriptor = file.release();
      return;
    }
    const char *message = dlerror();
    reason = message ? message : "unknown reason";
  }
  throw Error(
      ExitCode::BadInput,
      fmt::format("the code in the package cannot be loaded: {}", reason));
}

LoadedModule::~LoadedModule() {
  if (handle)
    dlclose(handle);
  if (descriptor >= 0)
    close(descriptor);
}

KernelFunction LoadedModule::find(const std::string &name) const {
  return reinterpret_cast<KernelFunction>(dlsym(handle, name.c_str()));
}

} // namespace amp::runtime
