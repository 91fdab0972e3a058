//===- LongRows.cpp - Sums of long rows in chunks -------------------------===//
//
// The error of a sum made one by one grows with its length. A chunk of columns
// is summed in independent lanes; at most kFan partial results are then added
// one by one, and sums of as many of those, so that n columns take
// kRowChunk / lanes + kFan * log_kFan(n / kRowChunk) additions in a row
// (docs/Precision.md states the bound). The order depends on the length only.
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/RowEmitter.h"

using namespace mlir;
using namespace amp;

namespace {
/// Columns summed without an intermediate result: 64 additions per lane.
constexpr int64_t kRowChunk = 4096;
/// Partial results that are added one by one.
constexpr int64_t kFan = 64;

/// The largest unit * kFan^k below `count`.
int64_t stepFor(int64_t count, int64_t unit) {
  while (count > unit * kFan)
    unit *= kFan;
  return unit;
}
} // namespace

SmallVector<Value> RowEmitter::neutrals(const Sweep &sweep) {
  SmallVector<Value> values;
  for (Operation *reduction : sweep.reductions)
    values.push_back(emitReduceNeutral(one, reduction));
  return values;
}

SmallVector<Value> RowEmitter::combine(const Sweep &sweep, ValueRange a,
                                       ValueRange b) {
  SmallVector<Value> sums;
  for (auto [reduction, x, y] : llvm::zip(sweep.reductions, a, b))
    sums.push_back(emitReduceStep(one, reduction, x, y));
  return sums;
}

/// `count` segments from `begin` to `end`.
SmallVector<Value> RowEmitter::emitSegments(const Sweep &sweep,
                                            ColumnRange columns, Value begin,
                                            Value end, int64_t count) {
  if (count <= kFan || sweep.reductions.empty())
    return loop(begin, end, 1, neutrals(sweep),
                [&](Value number, ValueRange carried) {
                  setSegment(number);
                  for (Operation *dropout : sweep.dropouts)
                    emitDraws(dropout, columns);
                  return combine(sweep, carried, emitLong(sweep, columns));
                });
  int64_t step = stepFor(count, 1), whole = count / step * step;
  auto part = [&](Value from, Value to, int64_t size) {
    return emitSegments(sweep, columns, from, to, size);
  };
  Value middle = one.add(begin, one.index(whole));
  SmallVector<Value> sums =
      loop(begin, middle, step, neutrals(sweep), [&](Value at, ValueRange sum) {
        return combine(sweep, sum,
                       part(at, one.add(at, one.index(step)), step));
      });
  return whole == count
             ? sums
             : combine(sweep, sums, part(middle, end, count - whole));
}

/// Columns of a row or segment, in chunks if something sums many of them.
SmallVector<Value> RowEmitter::emitLong(const Sweep &sweep,
                                        ColumnRange columns) {
  int64_t count = columns.length;
  if (count <= kRowChunk || sweep.reductions.empty())
    return emitColumns(sweep, columns);
  int64_t step = stepFor(count, kRowChunk), whole = count / step * step;
  Value middle = one.add(columns.begin, one.index(whole));
  SmallVector<Value> sums =
      loop(columns.begin, middle, step, neutrals(sweep),
           [&](Value at, ValueRange sum) {
             ColumnRange part = {at, one.add(at, one.index(step)), step};
             return combine(sweep, sum, emitLong(sweep, part));
           });
  if (whole == count)
    return sums;
  return combine(sweep, sums,
                 emitLong(sweep, {middle, columns.end, count - whole}));
}
