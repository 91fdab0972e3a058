//===- FaultShim.cpp - Makes the n-th file operation fail -----------------===//
//
// Preloaded into the trainer. AMP_FAULT_AT counts the calls that write; the
// n-th one fails with the error number AMP_FAULT_ERROR (0: it writes only one
// byte), and the file AMP_FAULT_MARK appears, so that the test knows.
//
//===----------------------------------------------------------------------===//

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int calls = 0;

/// True if this call is the one that fails; errno is set then.
static bool strikes(bool &shortWrite) {
  const char *at = std::getenv("AMP_FAULT_AT");
  const char *error = std::getenv("AMP_FAULT_ERROR");
  const char *mark = std::getenv("AMP_FAULT_MARK");
  if (!at || !error || !mark || ++calls != std::atoi(at))
    return false;
  auto fd =
      int(::syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT, 0666));
  ::syscall(SYS_close, fd);
  shortWrite = std::atoi(error) == 0;
  errno = std::atoi(error);
  return true;
}

template <typename Function>
static Function next(const char *name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

extern "C" ssize_t write(int fd, const void *data, size_t bytes) {
  bool shortWrite = false;
  if (strikes(shortWrite)) {
    if (!shortWrite)
      return -1;
    bytes = bytes > 0 ? 1 : 0;
  }
  return next<ssize_t (*)(int, const void *, size_t)>("write")(fd, data, bytes);
}

extern "C" int fsync(int fd) {
  bool shortWrite = false;
  if (strikes(shortWrite) && !shortWrite)
    return -1;
  return next<int (*)(int)>("fsync")(fd);
}

extern "C" int rename(const char *from, const char *to) {
  bool shortWrite = false;
  if (strikes(shortWrite) && !shortWrite)
    return -1;
  return next<int (*)(const char *, const char *)>("rename")(from, to);
}

extern "C" int open(const char *path, int flags, ...) {
  std::va_list list;
  va_start(list, flags);
  auto mode = flags & O_CREAT ? va_arg(list, mode_t) : mode_t(0);
  va_end(list);
  bool shortWrite = false;
  if ((flags & O_CREAT) && strikes(shortWrite) && !shortWrite)
    return -1;
  return next<int (*)(const char *, int, ...)>("open")(path, flags, mode);
}
