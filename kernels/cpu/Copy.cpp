//===- Copy.cpp - Strided copies, transposes, conversion ------------------===//
//
// Sorts and merges the dimensions, then copies long runs, or transposes blocks
// where source and target run along different dimensions.
//
//===----------------------------------------------------------------------===//

#include "kernels/Kernels.h"
#include "kernels/common/Transpose.h"

#include <algorithm>
#include <cstring>

using namespace amp;
using namespace amp::kernels;

namespace {

/// Side of a transposed block. It goes through a buffer: both sides are then
/// touched in whole lines, however unlucky their strides are for the caches.
constexpr int64_t kBlock = 128;
/// Fewer elements than this are not worth a block.
constexpr int64_t kShort = 8;
/// Elements of a run in one unit.
constexpr int64_t kRunPart = 16384;

/// source[i * runFrom + j] to target[j * rowsTo + i] for i < run, j < columns.
template <class T>
void transposeStrip(const CopyPlan &plan, const char *source, char *target,
                    int64_t columns) {
  alignas(64) T block[kBlock * kBlock];
  int64_t step = plan.runFrom * static_cast<int64_t>(abi::sizeOf(plan.from));
  int64_t bytes = columns * static_cast<int64_t>(abi::sizeOf(plan.from));
  for (int64_t i = 0; i < plan.run; i += kBlock) {
    int64_t rows = std::min(kBlock, plan.run - i);
    for (int64_t r = 0; r < rows; ++r) {
      const char *row = source + (i + r) * step;
      // The hardware does not foresee the jump to the next block of rows.
      if (i + r + kBlock < plan.run)
        for (int64_t b = 0; b < bytes; b += 64)
          __builtin_prefetch(row + kBlock * step + b);
      convertRun(plan.from, row, 1, plan.to, block + r * kBlock, 1, columns);
    }
    transposeBlock(block, kBlock, reinterpret_cast<T *>(target) + i,
                   plan.rowsTo, rows, columns);
  }
}

void transposeStrip(const CopyPlan &plan, const char *source, char *target,
                    int64_t columns) {
  switch (abi::sizeOf(plan.to)) {
  case 1:
    return transposeStrip<uint8_t>(plan, source, target, columns);
  case 2:
    return transposeStrip<uint16_t>(plan, source, target, columns);
  case 4:
    return transposeStrip<uint32_t>(plan, source, target, columns);
  default:
    return transposeStrip<uint64_t>(plan, source, target, columns);
  }
}

template <class T>
void moveRun(const char *from, int64_t fromStride, char *to, int64_t toStride,
             int64_t n) {
  auto *source = reinterpret_cast<const T *>(from);
  auto *target = reinterpret_cast<T *>(to);
  if (fromStride == 0 && toStride == 1)
    std::fill_n(target, n, *source);
  else if (toStride == 1)
    for (int64_t i = 0; i < n; ++i)
      target[i] = source[i * fromStride];
  else
    for (int64_t i = 0; i < n; ++i)
      target[i * toStride] = source[i * fromStride];
}

/// Between `size` and twice as many bytes: its first and its last ones, which
/// may overlap.
template <size_t size>
void moveEnds(const char *from, char *to, int64_t bytes) {
  char head[size], tail[size];
  std::memcpy(head, from, size);
  std::memcpy(tail, from + bytes - size, size);
  std::memcpy(to, head, size);
  std::memcpy(to + bytes - size, tail, size);
}

/// Short dense runs: a call of memcpy for each would cost more than the move.
bool copyShortRun(const char *from, char *to, int64_t bytes) {
  if (bytes < 4 || bytes > 128)
    return false;
  if (bytes <= 8)
    moveEnds<4>(from, to, bytes);
  else if (bytes <= 16)
    moveEnds<8>(from, to, bytes);
  else if (bytes <= 32)
    moveEnds<16>(from, to, bytes);
  else if (bytes <= 64)
    moveEnds<32>(from, to, bytes);
  else
    moveEnds<64>(from, to, bytes);
  return true;
}

void copyRun(const CopyPlan &plan, const char *from, char *to, int64_t n) {
  bool dense = plan.runFrom == 1 && plan.runTo == 1;
  if (dense && plan.from == plan.to &&
      copyShortRun(from, to, n * abi::sizeOf(plan.to)))
    return;
  if (plan.from != plan.to || dense)
    return convertRun(plan.from, from, plan.runFrom, plan.to, to, plan.runTo,
                      n);
  switch (abi::sizeOf(plan.to)) {
  case 1:
    return moveRun<uint8_t>(from, plan.runFrom, to, plan.runTo, n);
  case 2:
    return moveRun<uint16_t>(from, plan.runFrom, to, plan.runTo, n);
  case 4:
    return moveRun<uint32_t>(from, plan.runFrom, to, plan.runTo, n);
  default:
    return moveRun<uint64_t>(from, plan.runFrom, to, plan.runTo, n);
  }
}

} // namespace

CopyPlan kernels::planCopy(const View &from, const View &to) {
  CopyPlan plan;
  plan.from = from.dtype;
  plan.to = to.dtype;
  LoopNest &nest = plan.outer;
  for (int i = 0; i < to.rank; ++i)
    nest.add(to.dims[i], from.strides[i], to.strides[i]);
  if (to.elements() == 0)
    return plan;
  nest.canonicalize();
  int64_t elementBytes = abi::sizeOf(from.dtype) + abi::sizeOf(to.dtype);
  if (nest.rank > 0) {
    int last = nest.rank - 1;
    plan.run = nest.dims[last];
    plan.runFrom = nest.a[last];
    plan.runTo = nest.b[last];
    nest.remove(last);
  }
  // The source may run along another dimension than the target. Blocks pay
  // where both have enough elements; else the longer run is taken as it is.
  int other = -1;
  for (int i = 0; i < nest.rank && plan.runFrom != 1; ++i)
    if (nest.a[i] == 1)
      other = i;
  if (other >= 0 && nest.dims[other] >= kShort) {
    int64_t dim = nest.dims[other], to = nest.b[other];
    nest.remove(other);
    if (plan.runTo == 1 && plan.run >= kShort) {
      plan.transposes = true;
      plan.rows = dim;
      plan.rowsFrom = 1;
      plan.rowsTo = to;
    } else if (plan.run < kShort) {
      nest.add(plan.run, plan.runFrom, plan.runTo);
      plan.run = dim;
      plan.runFrom = 1;
      plan.runTo = to;
    } else {
      nest.add(dim, 1, to);
    }
  }
  int64_t whole = plan.transposes ? plan.rows : plan.run;
  plan.part = std::min(whole, plan.transposes ? kBlock : kRunPart);
  plan.parts = (whole + plan.part - 1) / plan.part;
  plan.units = nest.iterations() * plan.parts;
  plan.unitBytes = plan.part * (plan.transposes ? plan.run : 1) * elementBytes;
  return plan;
}

void kernels::runCopy(const CopyPlan &plan, const void *from, void *to,
                      int64_t begin, int64_t end) {
  if (begin >= end)
    return;
  int64_t stepFrom = abi::sizeOf(plan.from), stepTo = abi::sizeOf(plan.to);
  Odometer at(plan.outer, begin / plan.parts);
  int64_t part = begin % plan.parts;
  int64_t whole = plan.transposes ? plan.rows : plan.run;
  int64_t partFrom = plan.transposes ? plan.rowsFrom : plan.runFrom;
  int64_t partTo = plan.transposes ? plan.rowsTo : plan.runTo;
  for (int64_t unit = begin; unit < end; ++unit) {
    int64_t first = part * plan.part;
    int64_t n = std::min(plan.part, whole - first);
    auto *source = static_cast<const char *>(from) +
                   (at.a() + first * partFrom) * stepFrom;
    auto *target = static_cast<char *>(to) + (at.b() + first * partTo) * stepTo;
    if (plan.transposes)
      transposeStrip(plan, source, target, n);
    else
      copyRun(plan, source, target, n);
    if (++part == plan.parts) {
      part = 0;
      at.step();
    }
  }
}
