//===- ModuleLoader.h - Generated code, loaded from memory ------*- C++ -*-===//
//
// Turns the ELF shared object inside a package into callable functions.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_CPU_MODULELOADER_H
#define AMP_LIB_RUNTIME_CPU_MODULELOADER_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace amp::runtime {

/// A generated function (docs/Runtime.md).
using KernelFunction = void (*)(void **args, int64_t begin, int64_t end,
                                void *scratch);

/// A loaded shared object; closed with the object.
class LoadedModule {
public:
  /// Throws Error(BadInput) if the bytes are no loadable x86-64 object.
  LoadedModule(const char *code, size_t bytes);
  ~LoadedModule();
  LoadedModule(const LoadedModule &) = delete;
  LoadedModule &operator=(const LoadedModule &) = delete;

  /// Null if there is no such function.
  KernelFunction find(const std::string &name) const;

private:
  void *handle = nullptr;
  /// Of the file it was loaded from. Held open: the loader knows objects by
  /// name, and the name of a file in memory is the number of its descriptor.
  int descriptor = -1;
};

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_CPU_MODULELOADER_H
