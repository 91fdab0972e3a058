//===- LayoutCopies.cpp - A parameter's copy in a blocked layout
//-----------===//
//
// The inner block of a layout is the same gather everywhere, so its offsets
// are computed once; blocks that reach into the padding go element by element.
//
//===----------------------------------------------------------------------===//

#include "LayoutCopies.h"
#include "kernels/Convert.h"
#include <algorithm>
#include <cstring>

namespace amp::runtime {

void PlainCopy::write(const float *master, int64_t begin, int64_t end) const {
  kernels::convertThrough(dtype, through, storage + begin * abi::sizeOf(dtype),
                          master + begin, end - begin);
}

BlockedCopy::BlockedCopy(char *storage, PackedLayout packed, abi::DType through)
    : storage(storage), layout(std::move(packed)), through(through),
      masterStrides(contiguousStrides(layout.dims)) {
  int64_t rank = static_cast<int64_t>(layout.dims.size());
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t block = layout.blockOf(dim);
    loops.push_back({dim, layout.paddedDims[dim] / block, block,
                     masterStrides[dim] * block, layout.outerStrides[dim]});
  }
  unit = loops[0].block * masterStrides[0];
  std::stable_sort(
      loops.begin(), loops.end(),
      [](const Loop &a, const Loop &b) { return a.masterStep > b.masterStep; });
  for (int64_t block : layout.innerBlocks)
    innerElements *= block;
  offsets.resize(innerElements);
  for (int64_t i = 0; i < innerElements; ++i) {
    // Digits from the fastest; the weight of a digit in its dimension is the
    // product of the faster digits of the same dimension.
    std::vector<int64_t> weight(rank, 1);
    int64_t rest = i, offset = 0;
    for (size_t level = layout.innerBlocks.size(); level-- > 0;) {
      int64_t dim = layout.innerDims[level], size = layout.innerBlocks[level];
      offset += rest % size * weight[dim] * masterStrides[dim];
      weight[dim] *= size;
      rest /= size;
    }
    offsets[i] = static_cast<int32_t>(offset);
  }
}

void BlockedCopy::writeBlock(const float *master,
                             const std::vector<int64_t> &first,
                             int64_t position) const {
  size_t size = abi::sizeOf(layout.dtype);
  char *out = storage + position * size;
  int64_t rank = static_cast<int64_t>(layout.dims.size()), base = 0;
  bool inside = true;
  for (int64_t dim = 0; dim < rank; ++dim) {
    base += first[dim] * masterStrides[dim];
    inside &= first[dim] + layout.blockOf(dim) <= layout.dims[dim];
  }
  if (inside)
    return kernels::gatherConvert(layout.dtype, through, out, master + base,
                                  offsets.data(), innerElements);
  std::memset(out, 0, innerElements * size);
  for (int64_t i = 0; i < innerElements; ++i) {
    std::vector<int64_t> index = first, weight(rank, 1);
    int64_t rest = i;
    for (size_t level = layout.innerBlocks.size(); level-- > 0;) {
      int64_t dim = layout.innerDims[level], block = layout.innerBlocks[level];
      index[dim] += rest % block * weight[dim];
      weight[dim] *= block;
      rest /= block;
    }
    bool real = true;
    for (int64_t dim = 0; dim < rank; ++dim)
      real &= index[dim] < layout.dims[dim];
    if (real)
      kernels::convertThrough(layout.dtype, through, out + i * size,
                              master + base + offsets[i], 1);
  }
}

void BlockedCopy::write(const float *master, int64_t begin, int64_t end) const {
  int64_t rank = static_cast<int64_t>(layout.dims.size());
  int64_t firstBlock = begin / unit, lastBlock = (end + unit - 1) / unit;
  std::vector<int64_t> counter(rank, 0), low(rank, 0), high(rank, 0);
  for (int64_t i = 0; i < rank; ++i) {
    low[i] = loops[i].dim == 0 ? firstBlock : 0;
    high[i] = loops[i].dim == 0 ? std::min(lastBlock, loops[i].count)
                                : loops[i].count;
    if (low[i] >= high[i])
      return;
    counter[i] = low[i];
  }
  std::vector<int64_t> first(rank, 0);
  while (true) {
    int64_t position = 0;
    for (int64_t i = 0; i < rank; ++i) {
      first[loops[i].dim] = counter[i] * loops[i].block;
      position += counter[i] * loops[i].copyStep;
    }
    writeBlock(master, first, position);
    int64_t level = rank - 1;
    while (level >= 0 && ++counter[level] == high[level]) {
      counter[level] = low[level];
      --level;
    }
    if (level < 0)
      return;
  }
}

} // namespace amp::runtime
