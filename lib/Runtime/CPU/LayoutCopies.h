//===- LayoutCopies.h - A parameter's copy in a blocked layout --*- C++ -*-===//
//
// Writes a row-major float32 master into any layout that PackedLayout can
// describe, with contiguous stores.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_CPU_LAYOUTCOPIES_H
#define AMP_LIB_RUNTIME_CPU_LAYOUTCOPIES_H

#include "amp/Runtime/DerivedCopies.h"
#include "amp/Runtime/Device.h"

namespace amp::runtime {

/// Row-major in another (or the same) type, at an address of its own or in the
/// storage of a shadow variable.
class PlainCopy : public LayoutCopy {
public:
  /// Values are rounded to `through`, then stored as `dtype`.
  PlainCopy(char *storage, abi::DType dtype, abi::DType through)
      : storage(storage), dtype(dtype), through(through) {}

  char *data() const override { return storage; }
  int64_t unitElements() const override { return 1; }
  void write(const float *master, int64_t begin, int64_t end) const override;

private:
  char *storage;
  abi::DType dtype, through;
};

/// A blocked layout.
class BlockedCopy : public LayoutCopy {
public:
  /// `storage` has layout.paddedElements() elements.
  BlockedCopy(char *storage, PackedLayout layout, abi::DType through);

  char *data() const override { return storage; }
  int64_t unitElements() const override { return unit; }
  void write(const float *master, int64_t begin, int64_t end) const override;

private:
  /// One loop over the blocks of a dimension.
  struct Loop {
    int64_t dim, count, block, masterStep, copyStep;
  };
  /// Writes the inner block whose first element has these indices.
  void writeBlock(const float *master, const std::vector<int64_t> &first,
                  int64_t position) const;

  char *storage;
  PackedLayout layout;
  abi::DType through;
  std::vector<int64_t> masterStrides;
  std::vector<Loop> loops; ///< in the order of the master
  int64_t unit = 1;
  int64_t innerElements = 1;
  /// Offset in the master of each element of an inner block.
  std::vector<int32_t> offsets;
};

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_CPU_LAYOUTCOPIES_H
