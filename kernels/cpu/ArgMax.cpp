//===- ArgMax.cpp - Positions of maxima, and counting hits ----------------===//
//
// The first, or last, of equal elements; a NaN comes before everything, as in
// the frameworks that train.
//
//===----------------------------------------------------------------------===//

#include "kernels/common/ReduceOps.h"

#include <algorithm>

using namespace amp;
using namespace amp::kernels;

namespace {

/// Columns searched together where the searched dimension is not the last.
constexpr int64_t kColumns = 256;

/// Few elements: one by one.
template <class T>
int64_t argMaxOfFew(const T *x, int64_t n, bool last) {
  float best = load1(x);
  int64_t at = 0;
  for (int64_t i = 1; i < n; ++i) {
    float v = load1(x + i);
    bool both = (v != v) & (best != best);
    bool take = (v > best) | ((v != v) & !both) | (last & ((v == best) | both));
    best = take ? v : best;
    at = take ? i : at;
  }
  return at;
}

/// Finds the maximum eight lanes at a time, then where it is.
template <class T>
int64_t argMaxOfRun(const T *x, int64_t n, bool last) {
  if (n < 2 * kLanes)
    return argMaxOfFew(x, n, last);
  float best = reduceRun(x, n, MaxOp());
  bool isNaN = best != best;
  auto hit = [&](int64_t i) {
    float v = load1(x + i);
    return isNaN ? v != v : v == best;
  };
  if (last) {
    for (int64_t i = n - 1; i >= 0; --i)
      if (hit(i))
        return i;
  } else {
    for (int64_t i = 0; i < n; ++i)
      if (hit(i))
        return i;
  }
  return 0;
}

template <class T>
void argMaxOfColumns(const T *x, int64_t n, int64_t inner, int64_t width,
                     bool last, int64_t *index) {
  float best[kColumns];
  std::fill_n(index, width, 0);
  for (int64_t c = 0; c < width; ++c)
    best[c] = load1(x + c);
  for (int64_t i = 1; i < n; ++i)
    for (int64_t c = 0; c < width; ++c) {
      float v = load1(x + i * inner + c);
      // `best` is NaN: only another NaN may follow, and only as the last one.
      bool both = (v != v) & (best[c] != best[c]);
      bool take =
          (v > best[c]) | ((v != v) & !both) | (last & ((v == best[c]) | both));
      best[c] = take ? v : best[c];
      index[c] = take ? i : index[c];
    }
}

} // namespace

void kernels::runArgMax(abi::DType type, const void *x, int64_t n,
                        int64_t inner, bool selectLast, int64_t *index,
                        int64_t begin, int64_t end) {
  withStorage(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    for (int64_t outer = begin; outer < end; ++outer) {
      const T *from = static_cast<const T *>(x) + outer * n * inner;
      int64_t *to = index + outer * inner;
      if (inner == 1) {
        *to = argMaxOfRun(from, n, selectLast);
        continue;
      }
      for (int64_t c = 0; c < inner; c += kColumns)
        argMaxOfColumns(from + c, n, inner, std::min(kColumns, inner - c),
                        selectLast, to + c);
    }
  });
}

Counts kernels::countCorrect(abi::DType type, const void *logits,
                             int64_t classes, const int64_t *targets,
                             int64_t ignored, int64_t begin, int64_t end) {
  Counts counts;
  withStorage(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    for (int64_t row = begin; row < end; ++row) {
      if (targets[row] == ignored)
        continue;
      ++counts.counted;
      const T *from = static_cast<const T *>(logits) + row * classes;
      counts.correct += argMaxOfRun(from, classes, false) == targets[row];
    }
  });
  return counts;
}
