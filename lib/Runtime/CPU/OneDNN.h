//===- OneDNN.h - The library for contractions ------------------*- C++ -*-===//
//
// Engine, instruction-set cap, choice of implementations and calls with the
// workspace. An implementation whose name contains "ref" is never taken: it is
// a plain loop, a hundred times slower.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_CPU_ONEDNN_H
#define AMP_LIB_RUNTIME_CPU_ONEDNN_H

#include "amp/Runtime/Builtin.h"
#include "amp/Runtime/DerivedCopies.h"
#include <oneapi/dnnl/dnnl.hpp>
#include <optional>

namespace amp::runtime {

class Package;

/// The library's engine and stream of one device.
class OneDNN {
public:
  /// Caps the instruction set to what the package was compiled for. The cap is
  /// the process's: it can be set before the first use of the library only.
  explicit OneDNN(const Package &package);

  /// Whether bf16 products run on bf16 instructions; below AVX512-BF16 the
  /// library emulates them at a third of the speed of f32.
  bool hasBF16() const { return bf16; }

  dnnl::engine engine;
  dnnl::stream stream;

private:
  bool bf16;
};

/// Bytes of the workspace one launch uses, handed out in aligned pieces.
class WorkspacePlan {
public:
  /// Offset of a new piece.
  size_t add(size_t bytes) {
    size_t at = total;
    total += (bytes + 63) / 64 * 64;
    return at;
  }
  size_t bytes() const { return total; }

private:
  size_t total = 0;
};

/// An address: fixed, or an offset into the workspace.
struct Place {
  char *fixed = nullptr;
  size_t offset = 0;
  char *at(char *workspace) const { return fixed ? fixed : workspace + offset; }
};

/// The library's type; none for types it cannot take.
std::optional<dnnl::memory::data_type> libraryType(abi::DType type);
/// Plain descriptor of a tensor, as the type `dtype` with the same strides.
dnnl::memory::desc describe(const BoundTensor &tensor, abi::DType dtype);
/// The layout of a descriptor; none if it is not blocked or has extras.
std::optional<PackedLayout> layoutOf(const dnnl::memory::desc &desc);

/// Attributes every primitive is created with: scratchpad from the caller.
dnnl::primitive_attr userScratchpad();

/// Moves a primitive descriptor on to its first implementation that is no
/// reference loop and not known to be faulty; false if there is none. A hint
/// that the descriptor was made with must still be alive.
template <typename Descriptor>
bool skipReference(Descriptor &descriptor) {
  while (descriptor) {
    std::string name = descriptor.impl_info_str();
    // Crashes on some strided convolutions (oneDNN 2.6.3); the next one in line
    // uses AMX, too.
    bool faulty = name.find("brgconv:avx512_core_amx") != std::string::npos;
    if (!faulty && name.find("ref") == std::string::npos)
      return true;
    if (!descriptor.next_impl())
      return false;
  }
  return false;
}

/// A primitive with its arguments.
class LibraryCall {
public:
  LibraryCall() = default;
  explicit LibraryCall(dnnl::primitive primitive)
      : primitive(std::move(primitive)) {}

  void bind(const OneDNN &library, int argument, const dnnl::memory::desc &desc,
            Place place);
  /// Runs it; `shifts` (one per bound argument, in bytes) move addresses.
  void run(const OneDNN &library, char *workspace,
           const std::vector<int64_t> *shifts = nullptr);
  explicit operator bool() const { return !arguments.empty(); }

private:
  struct Argument {
    dnnl::memory memory;
    Place place;
    char *current;
  };
  dnnl::primitive primitive;
  std::vector<Argument> arguments;
  std::vector<dnnl_exec_arg_t> table;
};

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_CPU_ONEDNN_H
