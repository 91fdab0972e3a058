//===- Gather.cpp - Rows at indices, and the gradient ---------------------===//
//
// The gradient sorts positions by row (counting sort) and lets one unit add all
// positions of a row in ascending order: no atomics, the same bits always.
//
//===----------------------------------------------------------------------===//

#include "kernels/Convert.h"
#include "kernels/Kernels.h"
#include "kernels/common/Storage.h"
#include "kernels/common/Tree.h"

#include <algorithm>

using namespace amp;
using namespace amp::kernels;

namespace {

/// Positions added one after another before the tree takes over.
constexpr int64_t kSequential = 32;
/// Columns of one unit: rows of usual width are one unit, and a frequent row
/// of a wide table is shared by several threads.
constexpr int64_t kGradientBlock = 512;

struct Add {
  V8 operator()(V8 a, V8 b) const { return _mm256_add_ps(a, b); }
};

/// Calls fn with the indices as an array of their type.
template <class Fn>
auto withIndices(abi::DType type, const void *indices, Fn fn) {
  return type == abi::DType::i32 ? fn(static_cast<const int32_t *>(indices))
                                 : fn(static_cast<const int64_t *>(indices));
}

/// sum += rows of dy at `n` positions, from column `column` on.
template <class T>
void addRows(float *sum, const T *dy, int64_t inner, const int64_t *positions,
             int64_t n, int64_t column, int64_t width) {
  int64_t vectors = width / kLanes, rest = width % kLanes;
  for (int64_t p = 0; p < n; ++p) {
    const T *row = dy + positions[p] * inner + column;
    float *at = sum;
    for (int64_t v = 0; v < vectors; ++v, at += kLanes, row += kLanes)
      store8(at, _mm256_add_ps(load8(at), load8(row)));
    for (int64_t i = 0; i < rest; ++i)
      at[i] += load1(row + i);
  }
}

/// to = sum of rows of dy at `n` positions, columns [column, column + width).
template <class T>
void gatherGradRow(int64_t inner, const T *dy, const int64_t *positions,
                   int64_t n, int64_t column, int64_t width, float *to) {
  std::fill_n(to, width, 0.0f);
  if (n <= kSequential)
    return addRows(to, dy, inner, positions, n, column, width);
  for (int64_t c = 0; c < width; c += kTreeColumns) {
    int64_t part = std::min(kTreeColumns, width - c);
    RowTree<Add> tree(part);
    for (int64_t p = 0; p < n; p += kSequential) {
      std::fill_n(tree.next(), kTreeColumns, 0.0f);
      addRows(tree.next(), dy, inner, positions + p,
              std::min(kSequential, n - p), column + c, part);
      tree.push();
    }
    std::copy_n(tree.finish(), part, to + c);
  }
}

template <class T>
void gatherGrad(const GatherShape &shape, const T *dy, const int64_t *starts,
                const int64_t *positions, float *ddata, int64_t begin,
                int64_t end) {
  int64_t blocks = shape.blocks();
  int64_t block = begin % blocks, row = begin / blocks % shape.rows;
  int64_t outer = begin / blocks / shape.rows;
  for (int64_t unit = begin; unit < end; ++unit) {
    int64_t column = block * kGradientBlock;
    int64_t width = std::min(kGradientBlock, shape.inner - column);
    gatherGradRow(shape.inner, dy + outer * shape.count * shape.inner,
                  positions + starts[row], starts[row + 1] - starts[row],
                  column, width,
                  ddata + (outer * shape.rows + row) * shape.inner + column);
    if (++block < blocks)
      continue;
    block = 0;
    if (++row < shape.rows)
      continue;
    row = 0;
    ++outer;
  }
}

} // namespace

int64_t GatherShape::blocks() const {
  return std::max<int64_t>(1, (inner + kGradientBlock - 1) / kGradientBlock);
}

int64_t kernels::findBadIndex(const GatherShape &shape, abi::DType indexType,
                              const void *indices) {
  return withIndices(indexType, indices, [&](auto *at) -> int64_t {
    for (int64_t i = 0; i < shape.count; ++i)
      if (at[i] < -shape.rows || at[i] >= shape.rows)
        return i;
    return -1;
  });
}

void kernels::runGatherConvert(const GatherShape &shape, abi::DType from,
                               abi::DType to, abi::DType indexType,
                               const void *data, const void *indices, void *y,
                               int64_t begin, int64_t end) {
  int64_t rowBytes = shape.inner * static_cast<int64_t>(abi::sizeOf(from));
  int64_t outBytes = shape.inner * static_cast<int64_t>(abi::sizeOf(to));
  withIndices(indexType, indices, [&](auto *at) {
    for (int64_t unit = begin; unit < end; ++unit) {
      int64_t row = at[unit % shape.count];
      row += unit / shape.count * shape.rows + (row < 0 ? shape.rows : 0);
      convert(to, static_cast<char *>(y) + unit * outBytes, from,
              static_cast<const char *>(data) + row * rowBytes, shape.inner);
    }
  });
}

void kernels::runGather(const GatherShape &shape, size_t elementBytes,
                        abi::DType indexType, const void *data,
                        const void *indices, void *y, int64_t begin,
                        int64_t end) {
  if (begin >= end)
    return;
  withIndices(indexType, indices, [&](auto *at) {
    // Counted, not divided: single elements would be dominated by it.
    int64_t position = begin % shape.count;
    int64_t base = begin / shape.count * shape.rows;
    auto nextRow = [&] {
      int64_t row = at[position];
      row += base + (row < 0 ? shape.rows : 0);
      if (++position == shape.count) {
        position = 0;
        base += shape.rows;
      }
      return row;
    };
    auto single = [&](auto tag) {
      using T = typename decltype(tag)::Type;
      auto *from = static_cast<const T *>(data);
      auto *to = static_cast<T *>(y);
      for (int64_t unit = begin; unit < end; ++unit)
        to[unit] = from[nextRow()];
    };
    int64_t bytes = shape.inner * static_cast<int64_t>(elementBytes);
    if (bytes == 2)
      return single(TypeTag<uint16_t>());
    if (bytes == 4)
      return single(TypeTag<uint32_t>());
    if (bytes == 8)
      return single(TypeTag<uint64_t>());
    for (int64_t unit = begin; unit < end; ++unit)
      std::memcpy(static_cast<char *>(y) + unit * bytes,
                  static_cast<const char *>(data) + nextRow() * bytes, bytes);
  });
}

void kernels::sortByRow(const GatherShape &shape, abi::DType indexType,
                        const void *indices, int64_t *starts,
                        int64_t *positions) {
  withIndices(indexType, indices, [&](auto *at) {
    auto rowOf = [&](int64_t i) {
      return at[i] < 0 ? at[i] + shape.rows : int64_t(at[i]);
    };
    // starts[r + 1] first counts row r, then is where the next one goes, and
    // in the end where row r ends.
    std::fill_n(starts, shape.rows + 1, 0);
    for (int64_t i = 0; i < shape.count; ++i)
      ++starts[rowOf(i) + 1];
    int64_t sum = 0;
    for (int64_t r = 1; r <= shape.rows; ++r) {
      int64_t n = starts[r];
      starts[r] = sum;
      sum += n;
    }
    for (int64_t i = 0; i < shape.count; ++i)
      positions[starts[rowOf(i) + 1]++] = i;
  });
}

void kernels::runGatherGrad(const GatherShape &shape, abi::DType type,
                            const void *dy, const int64_t *starts,
                            const int64_t *positions, float *ddata,
                            int64_t begin, int64_t end) {
  withStorage(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    gatherGrad(shape, static_cast<const T *>(dy), starts, positions, ddata,
               begin, end);
  });
}
