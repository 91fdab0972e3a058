//===- Reduce.cpp - Reductions over any axes ------------------------------===//
//
// Two shapes of the same work. Rows: a run of reduced elements becomes one
// value. Columns: rows of kept elements are combined lane by lane. Long
// reductions are cut into chunks of fixed size whose partial results a second
// pass combines as a tree, so that thread count never shows and the error of a
// sum grows with the logarithm of its length.
//
//===----------------------------------------------------------------------===//

#include "kernels/common/ReduceOps.h"
#include "kernels/common/Tree.h"

#include <algorithm>
#include <cstdlib>

using namespace amp;
using namespace amp::kernels;

namespace {

/// Elements of one chunk of a row reduction.
constexpr int64_t kRunChunk = 16384;
/// Rows of one chunk of a column reduction, and columns of one block.
constexpr int64_t kRowChunk = 256;
constexpr int64_t kColumnBlock = 1024;
/// Rows added one after another before their sum is added to the chunk's; one
/// row at a time is what the prefetchers like best.
constexpr int64_t kRowGroup = 16;

float finishValue(const ReducePlan &plan, float value) {
  return plan.kind == ReduceKind::mean ? value / static_cast<float>(plan.count)
                                       : value;
}

/// A run with gaps: 32 one after another, the blocks as a tree.
template <class T, class Op>
float reduceStrided(const T *x, int64_t stride, int64_t n, Op op) {
  ScalarTree<float, Op> tree;
  for (int64_t i = 0; i < n; i += 32) {
    float part = Op::neutral;
    for (int64_t j = i, e = std::min(n, i + 32); j < e; ++j)
      part = op(part, load1(x + j * stride));
    tree.push(part);
  }
  return tree.finish(Op::neutral);
}

/// Chunk `chunk` of the result whose elements start at `x`.
template <class T, class Op>
float reduceChunk(const ReducePlan &plan, const T *x, int64_t chunk, Op op) {
  auto run = [&](int64_t offset, int64_t first, int64_t n) {
    const T *at = x + offset + first * plan.lanesFrom;
    return plan.lanesFrom == 1 ? reduceRun(at, n, op)
                               : reduceStrided(at, plan.lanesFrom, n, op);
  };
  if (plan.piecesPerRun > 1) {
    int64_t first = chunk % plan.piecesPerRun * plan.chunkSize;
    Odometer at(plan.reduced, chunk / plan.piecesPerRun);
    return run(at.a(), first, std::min(plan.chunkSize, plan.lanes - first));
  }
  int64_t runs = plan.reduced.iterations();
  int64_t first = chunk * plan.chunkSize;
  int64_t n = std::min(plan.chunkSize, runs - first);
  if (n == 1 && plan.reduced.rank == 0)
    return run(0, 0, plan.lanes);
  ScalarTree<float, Op> tree;
  Odometer at(plan.reduced, first);
  for (int64_t i = 0; i < n; ++i, at.step())
    tree.push(run(at.a(), 0, plan.lanes));
  return tree.finish(Op::neutral);
}

template <class T, class Y, class Op>
void reduceRows(const ReducePlan &plan, const T *x, Y *y, float *partials,
                int64_t begin, int64_t end, Op op) {
  Odometer at(plan.kept, begin / plan.chunks);
  int64_t chunk = begin % plan.chunks;
  for (int64_t unit = begin; unit < end; ++unit) {
    float value = reduceChunk(plan, x + at.a(), chunk, op);
    if (partials)
      partials[unit] = value;
    else
      store1(y + at.b(), finishValue(plan, value));
    if (++chunk == plan.chunks) {
      chunk = 0;
      at.step();
    }
  }
}

/// into = into (op) row.
template <class T, class Op>
void addRow(float *into, const T *row, int64_t stride, int64_t n, Op op) {
  int64_t i = 0;
  if (stride == 1)
    for (; i + kLanes <= n; i += kLanes)
      store8(into + i, op(load8(into + i), load8(row + i)));
  for (; i < n; ++i)
    into[i] = op(into[i], load1(row + i * stride));
}

/// Stores a row of results.
template <class Y>
void storeColumns(const ReducePlan &plan, const float *from, int64_t n, Y *y) {
  for (int64_t i = 0; i < n; ++i)
    store1(y + i * plan.lanesTo, finishValue(plan, from[i]));
}

template <class T, class Y, class Op>
void reduceColumns(const ReducePlan &plan, const T *x, Y *y, float *partials,
                   int64_t begin, int64_t end, Op op) {
  alignas(32) float sum[kColumnBlock], group[kColumnBlock];
  int64_t rows = plan.reduced.iterations();
  for (int64_t unit = begin; unit < end; ++unit) {
    int64_t column = unit % plan.blocks * kColumnBlock;
    int64_t chunk = unit / plan.blocks % plan.chunks;
    int64_t outer = unit / plan.blocks / plan.chunks;
    int64_t n = std::min(kColumnBlock, plan.lanes - column);
    Odometer kept(plan.kept, outer);
    int64_t first = chunk * kRowChunk, last = std::min(first + kRowChunk, rows);
    Odometer at(plan.reduced, first);
    const T *from = x + kept.a() + column * plan.lanesFrom;
    std::fill_n(sum, n, Op::neutral);
    for (int64_t r = first; r < last; r += kRowGroup) {
      std::fill_n(group, n, Op::neutral);
      for (int64_t i = r, e = std::min(r + kRowGroup, last); i < e; ++i) {
        addRow(group, from + at.a(), plan.lanesFrom, n, op);
        at.step();
      }
      addRow(sum, group, 1, n, op);
    }
    if (partials)
      std::copy_n(sum, n,
                  partials + (outer * plan.chunks + chunk) * plan.lanes +
                      column);
    else
      storeColumns(plan, sum, n, y + kept.b() + column * plan.lanesTo);
  }
}

/// Rows of `columns` floats as a tree, for columns [column, column + n).
template <class Op>
const float *treeOfRows(RowTree<Op> &tree, const float *rows, int64_t count,
                        int64_t columns, int64_t column, int64_t n) {
  for (int64_t r = 0; r < count; ++r) {
    std::copy_n(rows + r * columns + column, n, tree.next());
    tree.push();
  }
  return tree.finish();
}

} // namespace

ReducePlan kernels::planReduce(const View &x, const bool *axes, const View &y,
                               ReduceKind kind) {
  ReducePlan plan;
  plan.kind = kind;
  plan.from = x.dtype;
  plan.to = y.dtype;
  bool keeps = x.rank == y.rank;
  for (int i = 0, j = 0; i < x.rank; ++i) {
    if (axes[i]) {
      plan.count *= x.dims[i];
      plan.reduced.add(x.dims[i], x.strides[i], x.strides[i]);
      j += keeps;
    } else {
      plan.kept.add(x.dims[i], x.strides[i], y.strides[j++]);
    }
  }
  int64_t results = y.elements();
  if (results == 0)
    return plan;
  plan.kept.canonicalize();
  if (plan.count == 0) {
    // Nothing to walk: every result is the neutral element.
    plan.reduced = LoopNest();
    plan.lanes = 0;
    plan.units = results;
    plan.unitBytes = sizeof(float);
    return plan;
  }
  plan.reduced.canonicalize();

  // Lanes run along whichever loop has the smaller stride in x.
  auto innermost = [](const LoopNest &nest) {
    int best = -1;
    for (int i = 0; i < nest.rank; ++i)
      if (best < 0 || nest.a[i] < nest.a[best])
        best = i;
    return best;
  };
  int k = innermost(plan.kept), r = innermost(plan.reduced);
  plan.columns = k >= 0 && (r < 0 || plan.kept.a[k] < plan.reduced.a[r]);
  int64_t bytes = abi::sizeOf(x.dtype);
  if (plan.columns) {
    plan.lanes = plan.kept.dims[k];
    plan.lanesFrom = plan.kept.a[k];
    plan.lanesTo = plan.kept.b[k];
    plan.kept.remove(k);
    int64_t rows = plan.reduced.iterations();
    plan.chunkSize = kRowChunk;
    plan.chunks = std::max<int64_t>(1, (rows + kRowChunk - 1) / kRowChunk);
    plan.blocks = (plan.lanes + kColumnBlock - 1) / kColumnBlock;
    plan.units = plan.kept.iterations() * plan.chunks * plan.blocks;
    plan.unitBytes = std::min(plan.lanes, kColumnBlock) *
                     std::min(rows + 1, kRowChunk) * bytes;
    int64_t combineBlocks = (plan.lanes + kTreeColumns - 1) / kTreeColumns;
    plan.combineUnits = plan.kept.iterations() * combineBlocks;
    plan.combineBytes =
        std::min(plan.lanes, kTreeColumns) * plan.chunks * sizeof(float);
  } else {
    if (r >= 0) {
      plan.lanes = plan.reduced.dims[r];
      plan.lanesFrom = plan.reduced.a[r];
      plan.reduced.remove(r);
    }
    int64_t runs = plan.reduced.iterations();
    if (plan.lanes > kRunChunk) {
      plan.chunkSize = kRunChunk;
      plan.piecesPerRun = (plan.lanes + kRunChunk - 1) / kRunChunk;
      plan.chunks = runs * plan.piecesPerRun;
    } else {
      plan.chunkSize =
          std::max<int64_t>(1, kRunChunk / std::max<int64_t>(1, plan.lanes));
      plan.chunks =
          std::max<int64_t>(1, (runs + plan.chunkSize - 1) / plan.chunkSize);
    }
    plan.units = results * plan.chunks;
    plan.unitBytes = std::min(plan.count, kRunChunk) * bytes + sizeof(float);
    plan.combineUnits = results;
    plan.combineBytes = plan.chunks * sizeof(float);
  }
  if (plan.chunks > 1)
    plan.partials = results * plan.chunks;
  return plan;
}

void kernels::runReduce(const ReducePlan &plan, const void *x, void *y,
                        float *partials, int64_t begin, int64_t end) {
  if (plan.partials == 0)
    partials = nullptr;
  withReduceOp(plan.kind, [&](auto op) {
    withStorage(plan.from, [&](auto from) {
      withStorage(plan.to, [&](auto to) {
        using T = typename decltype(from)::Type;
        using Y = typename decltype(to)::Type;
        auto *source = static_cast<const T *>(x);
        auto *target = static_cast<Y *>(y);
        if (plan.columns)
          reduceColumns(plan, source, target, partials, begin, end, op);
        else
          reduceRows(plan, source, target, partials, begin, end, op);
      });
    });
  });
}

void kernels::runReduceCombine(const ReducePlan &plan, const float *partials,
                               void *y, int64_t begin, int64_t end) {
  withReduceOp(plan.kind, [&](auto op) {
    using Op = decltype(op);
    withStorage(plan.to, [&](auto to) {
      using Y = typename decltype(to)::Type;
      auto *target = static_cast<Y *>(y);
      int64_t blocks =
          plan.columns ? (plan.lanes + kTreeColumns - 1) / kTreeColumns : 1;
      for (int64_t unit = begin; unit < end; ++unit) {
        Odometer kept(plan.kept, unit / blocks);
        if (!plan.columns) {
          ScalarTree<float, Op> tree;
          for (int64_t c = 0; c < plan.chunks; ++c)
            tree.push(partials[unit * plan.chunks + c]);
          store1(target + kept.b(),
                 finishValue(plan, tree.finish(Op::neutral)));
          continue;
        }
        int64_t column = unit % blocks * kTreeColumns;
        int64_t n = std::min(kTreeColumns, plan.lanes - column);
        RowTree<Op> tree(n);
        std::fill_n(tree.next(), kTreeColumns, Op::neutral);
        const float *row = treeOfRows(
            tree, partials + unit / blocks * plan.chunks * plan.lanes,
            plan.chunks, plan.lanes, column, n);
        storeColumns(plan, row, n, target + kept.b() + column * plan.lanesTo);
      }
    });
  });
}

void kernels::runCombineRows(const float *partials, int64_t rows,
                             int64_t columns, abi::DType to, void *y,
                             int64_t begin, int64_t end) {
  withStorage(to, [&](auto tag) {
    using Y = typename decltype(tag)::Type;
    for (int64_t unit = begin; unit < end; ++unit) {
      int64_t column = unit * kCombineColumns;
      int64_t n = std::min(kCombineColumns, columns - column);
      RowTree<SumOp> tree(n);
      std::fill_n(tree.next(), kTreeColumns, 0.0f);
      const float *sum =
          rows ? treeOfRows(tree, partials, rows, columns, column, n)
               : tree.next();
      auto *target = static_cast<Y *>(y) + column;
      for (int64_t i = 0; i < n; i += kLanes)
        storeUpTo8(target + i, load8(sum + i), n - i);
    }
  });
}
