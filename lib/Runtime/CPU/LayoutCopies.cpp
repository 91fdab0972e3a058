//===- LayoutCopies.cpp - A parameter's copy in a blocked layout
//-----------===//
//
// The inner block of a layout is the same gather everywhere, so its offsets
// are computed once; for blocks that reach into the padding as often as there
// are ways to.
//
//===----------------------------------------------------------------------===//

#include "LayoutCopies.h"
#include "kernels/Convert.h"
#include <algorithm>
#include <cstring>

namespace amp::runtime {

void PlainCopy::write(const char *master, int64_t begin, int64_t end) const {
  kernels::convertThrough(dtype, through, storage + begin * abi::sizeOf(dtype),
                          from, master + begin * abi::sizeOf(from),
                          end - begin);
}

BlockedCopy::BlockedCopy(char *storage, PackedLayout packed, abi::DType through,
                         abi::DType from)
    : storage(storage), layout(std::move(packed)), through(through), from(from),
      masterStrides(contiguousStrides(layout.dims)) {
  if (layout.innerBlocks.empty())
    splitRuns();
  int64_t rank = static_cast<int64_t>(layout.dims.size());
  uint32_t ragged = 0;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t block = layout.blockOf(dim);
    loops.push_back({dim, layout.paddedDims[dim] / block, block,
                     masterStrides[dim] * block, layout.outerStrides[dim]});
    if (layout.dims[dim] % block)
      ragged |= 1u << dim;
  }
  unit = loops[0].block * masterStrides[0];
  std::stable_sort(
      loops.begin(), loops.end(),
      [](const Loop &a, const Loop &b) { return a.masterStep > b.masterStep; });
  for (int64_t block : layout.innerBlocks)
    innerElements *= block;
  // All subsets of the dimensions that end within a block.
  for (uint32_t partial = ragged;; partial = (partial - 1) & ragged) {
    gathers.emplace(partial, gatherOf(partial));
    if (partial == 0)
      break;
  }
}

/// Without blocks the runs of the copy are blocks: a dimension that is dense
/// there, or a part of the outermost, which threads share.
void BlockedCopy::splitRuns() {
  for (size_t dim = 0; dim < layout.dims.size(); ++dim) {
    int64_t size = layout.dims[dim];
    if (layout.outerStrides[dim] != 1 || size < 2 ||
        layout.paddedDims[dim] != size)
      continue;
    if (dim == 0) {
      int64_t part = 64;
      while (size % part)
        part /= 2;
      size = part;
    }
    layout.innerBlocks = {size};
    layout.innerDims = {static_cast<int64_t>(dim)};
    layout.outerStrides[dim] = size;
    return;
  }
}

BlockedCopy::Gather BlockedCopy::gatherOf(uint32_t partial) const {
  Gather gather;
  size_t rank = layout.dims.size();
  for (int64_t i = 0; i < innerElements; ++i) {
    // Digits from the fastest; the weight of a digit in its dimension is the
    // product of the faster digits of the same dimension.
    std::vector<int64_t> weight(rank, 1), index(rank, 0);
    int64_t rest = i, offset = 0;
    for (size_t level = layout.innerBlocks.size(); level-- > 0;) {
      int64_t dim = layout.innerDims[level], size = layout.innerBlocks[level];
      index[dim] += rest % size * weight[dim];
      weight[dim] *= size;
      rest /= size;
    }
    bool real = true;
    for (size_t dim = 0; dim < rank; ++dim) {
      offset += index[dim] * masterStrides[dim];
      if (partial >> dim & 1)
        real &= index[dim] < layout.dims[dim] % layout.blockOf(dim);
    }
    if (!real)
      continue;
    gather.offsets.push_back(static_cast<int32_t>(offset));
    gather.places.push_back(static_cast<int32_t>(i));
  }
  if (partial == 0)
    gather.places.clear();
  return gather;
}

template <class T>
static void scatter(char *out, const std::vector<int32_t> &places,
                    const char *values) {
  for (size_t i = 0; i < places.size(); ++i)
    reinterpret_cast<T *>(out)[places[i]] =
        reinterpret_cast<const T *>(values)[i];
}

void BlockedCopy::writeBlock(const char *master, const Gather &gather,
                             int64_t first, int64_t position) const {
  size_t size = abi::sizeOf(layout.dtype);
  char *out = storage + position * size;
  auto count = static_cast<int64_t>(gather.offsets.size());
  const char *in = master + first * abi::sizeOf(from);
  if (gather.places.empty())
    return kernels::gatherConvert(layout.dtype, through, out, from, in,
                                  gather.offsets.data(), count);
  // Padding is zero.
  thread_local std::vector<char> values;
  values.resize(std::max(values.size(), innerElements * size));
  kernels::gatherConvert(layout.dtype, through, values.data(), from, in,
                         gather.offsets.data(), count);
  std::memset(out, 0, innerElements * size);
  if (size == sizeof(uint16_t))
    scatter<uint16_t>(out, gather.places, values.data());
  else
    scatter<uint32_t>(out, gather.places, values.data());
}

void BlockedCopy::write(const char *master, int64_t begin, int64_t end) const {
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
  while (true) {
    int64_t position = 0, first = 0;
    uint32_t partial = 0;
    bool outside = false;
    for (int64_t i = 0; i < rank; ++i) {
      const Loop &loop = loops[i];
      outside |= counter[i] * loop.block >= layout.dims[loop.dim];
      first += counter[i] * loop.masterStep;
      position += counter[i] * loop.copyStep;
      if ((counter[i] + 1) * loop.block > layout.dims[loop.dim])
        partial |= 1u << loop.dim;
    }
    if (outside)
      std::memset(storage + position * abi::sizeOf(layout.dtype), 0,
                  innerElements * abi::sizeOf(layout.dtype));
    else
      writeBlock(master, gathers.at(partial), first, position);
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
