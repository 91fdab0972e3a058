//===- DerivedCopies.h - Copies of a parameter, written with it *- C++ -*-===//
//
// A variable of floats may have copies: shadow variables in another type, and
// the same, or itself, in a blocked layout that a library call reads. The
// writer of the variable (the `update` routine) writes them unit by unit, while
// the values are in cache:
//
//   const DerivedCopies &copies = context.derivedFrom(parameter.variable());
//   // in run():
//   int64_t size = copies.unitElements();   // of the row-major master
//   parallel.forRange(copies.units(), 10 * size, [&](b, e, thread) {
//     for (int64_t u = b; u < e; ++u) {
//       updateElements(u * size, std::min((u + 1) * size, elements));
//       copies.write(u, u + 1);
//     }
//   });
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_DERIVEDCOPIES_H
#define AMP_RUNTIME_DERIVEDCOPIES_H

#include "amp/ABI/DType.h"
#include <cstdint>
#include <memory>
#include <vector>

namespace amp::runtime {

/// A blocked layout of a dense row-major tensor: the element at index
/// (i0, i1, ..) lies at sum(outerStrides[d] * (i_d / block_d)) plus its
/// position in the inner block, whose digits are innerBlocks over the
/// dimensions innerDims, the last the fastest. Padding is zero.
struct PackedLayout {
  abi::DType dtype = abi::DType::f32; ///< storage type of the copy
  std::vector<int64_t> dims;
  std::vector<int64_t> paddedDims;
  std::vector<int64_t> outerStrides;
  std::vector<int64_t> innerBlocks;
  std::vector<int64_t> innerDims;

  bool operator==(const PackedLayout &other) const;
  /// Elements with padding.
  int64_t paddedElements() const;
  /// Product of the inner blocks of a dimension.
  int64_t blockOf(int64_t dim) const;
  /// Row-major, no blocks.
  static PackedLayout plain(abi::DType dtype, std::vector<int64_t> dims);
};

/// One copy; defined by the device.
class LayoutCopy {
public:
  virtual ~LayoutCopy() = default;
  /// First byte; fixed.
  virtual char *data() const = 0;
  /// Elements of the master that one step of write() covers.
  virtual int64_t unitElements() const = 0;
  /// Writes the elements [begin, end) of the master; both are multiples of
  /// unitElements() or the end. Other ranges may be written at the same time.
  /// `master` has the type of the variable, which the device knows.
  virtual void write(const char *master, int64_t begin, int64_t end) const = 0;
};

/// All copies of one variable of f32, bf16 or f16.
class DerivedCopies {
public:
  DerivedCopies(const char *master, int64_t elements)
      : master(master), elements(elements) {}

  bool empty() const { return copies.empty(); }
  /// Elements of the row-major master in one unit (the last may have fewer).
  int64_t unitElements() const { return unit; }
  int64_t units() const { return (elements + unit - 1) / unit; }
  /// Bytes all copies take per element of the master, about.
  int64_t bytesPerElement() const { return bytes; }
  /// Writes these units of all copies from the master.
  void write(int64_t begin, int64_t end) const;

  /// Called by the device.
  void add(std::shared_ptr<LayoutCopy> copy, int64_t elementBytes);

private:
  const char *master;
  int64_t elements;
  int64_t step = 1; ///< common multiple of what the copies need
  int64_t unit = 16384;
  int64_t bytes = 0;
  std::vector<std::shared_ptr<LayoutCopy>> copies;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_DERIVEDCOPIES_H
