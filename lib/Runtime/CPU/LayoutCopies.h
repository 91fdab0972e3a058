//===- LayoutCopies.h - A parameter's copy in a blocked layout --*- C++ -*-===//
//
// Writes a row-major master into any layout that PackedLayout can describe,
// with contiguous stores.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_CPU_LAYOUTCOPIES_H
#define AMP_LIB_RUNTIME_CPU_LAYOUTCOPIES_H

#include "amp/Runtime/DerivedCopies.h"
#include "amp/Runtime/Device.h"
#include <map>

namespace amp::runtime {

/// Row-major in another (or the same) type, at an address of its own or in the
/// storage of a shadow variable.
class PlainCopy : public LayoutCopy {
public:
  /// Values of the type `from` are rounded to `through`, then stored as
  /// `dtype`.
  PlainCopy(char *storage, abi::DType dtype, abi::DType through,
            abi::DType from)
      : storage(storage), dtype(dtype), through(through), from(from) {}

  char *data() const override { return storage; }
  int64_t unitElements() const override { return 1; }
  void write(const char *master, int64_t begin, int64_t end) const override;

private:
  char *storage;
  abi::DType dtype, through, from;
};

/// A blocked layout.
class BlockedCopy : public LayoutCopy {
public:
  /// `storage` has layout.paddedElements() elements.
  BlockedCopy(char *storage, PackedLayout layout, abi::DType through,
              abi::DType from);

  char *data() const override { return storage; }
  int64_t unitElements() const override { return unit; }
  void write(const char *master, int64_t begin, int64_t end) const override;

private:
  /// One loop over the blocks of a dimension.
  struct Loop {
    int64_t dim, count, block, masterStep, copyStep;
  };
  /// What an inner block takes from the master: the offset of each of its
  /// elements, and where in the block it goes if padding stands between them.
  struct Gather {
    std::vector<int32_t> offsets, places;
  };
  void splitRuns();
  /// The gather of blocks of which the dimensions in `partial` (bits) hold
  /// fewer elements than a block.
  Gather gatherOf(uint32_t partial) const;
  /// Writes the inner block whose first element is this one of the master.
  void writeBlock(const char *master, const Gather &gather, int64_t first,
                  int64_t position) const;

  char *storage;
  PackedLayout layout;
  abi::DType through, from;
  std::vector<int64_t> masterStrides;
  std::vector<Loop> loops; ///< in the order of the master
  int64_t unit = 1;
  int64_t innerElements = 1;
  /// By the dimensions that end within the block.
  std::map<uint32_t, Gather> gathers;
};

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_CPU_LAYOUTCOPIES_H
