//===- DerivedCopies.cpp - Copies of a parameter, written with it
//----------===//
//
// The description of layouts, and the unit in which all copies of a variable
// can be written.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/DerivedCopies.h"
#include "amp/Runtime/Builtin.h"
#include <algorithm>
#include <numeric>

namespace amp::runtime {

bool PackedLayout::operator==(const PackedLayout &other) const {
  return dtype == other.dtype && dims == other.dims &&
         paddedDims == other.paddedDims && outerStrides == other.outerStrides &&
         innerBlocks == other.innerBlocks && innerDims == other.innerDims;
}

int64_t PackedLayout::paddedElements() const {
  return std::accumulate(paddedDims.begin(), paddedDims.end(), int64_t(1),
                         std::multiplies<int64_t>());
}

int64_t PackedLayout::blockOf(int64_t dim) const {
  int64_t block = 1;
  for (size_t i = 0; i < innerDims.size(); ++i)
    if (innerDims[i] == dim)
      block *= innerBlocks[i];
  return block;
}

PackedLayout PackedLayout::plain(abi::DType dtype, std::vector<int64_t> dims) {
  PackedLayout layout;
  layout.dtype = dtype;
  layout.outerStrides = contiguousStrides(dims);
  layout.paddedDims = dims;
  layout.dims = std::move(dims);
  return layout;
}

void DerivedCopies::add(std::shared_ptr<LayoutCopy> copy,
                        int64_t elementBytes) {
  // Small enough to stay in a core's cache, large enough not to be noticed.
  constexpr int64_t target = 16384;
  step = std::lcm(step, copy->unitElements());
  unit = step * std::max<int64_t>(1, target / step);
  bytes += elementBytes;
  copies.push_back(std::move(copy));
}

void DerivedCopies::write(int64_t begin, int64_t end) const {
  int64_t first = begin * unit, last = std::min(end * unit, elements);
  if (first >= last)
    return;
  for (const std::shared_ptr<LayoutCopy> &copy : copies)
    copy->write(master, first, last);
}

} // namespace amp::runtime
