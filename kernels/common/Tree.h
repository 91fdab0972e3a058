//===- Tree.h - Balanced combination in a fixed order -----------*- C++ -*-===//
//
// Combines partial results as a balanced binary tree while they arrive one
// after another. The shape of the tree depends on the number of values only,
// never on threads, and the rounding error grows with its logarithm.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_KERNELS_COMMON_TREE_H
#define AMP_KERNELS_COMMON_TREE_H

#include "kernels/common/Storage.h"

namespace amp::kernels {

/// Deepest tree; enough for 2^31 values.
inline constexpr int kTreeLevels = 32;

/// Combines scalars. `Op` has `T operator()(T, T)`.
template <class T, class Op>
class ScalarTree {
public:
  explicit ScalarTree(Op op = Op()) : op(op) {}

  /// Adds the next value.
  void push(T value) {
    int level = 0;
    for (uint64_t bits = count++; bits & 1; bits >>= 1)
      value = op(levels[level++], value);
    levels[level] = value;
  }

  /// The result; `empty` if nothing was added.
  T finish(T empty) const {
    T value = empty;
    bool any = false;
    int level = 0;
    for (uint64_t bits = count; bits; bits >>= 1, ++level)
      if (bits & 1) {
        value = any ? op(levels[level], value) : levels[level];
        any = true;
      }
    return value;
  }

private:
  Op op;
  uint64_t count = 0;
  T levels[kTreeLevels];
};

/// Columns of one RowTree.
inline constexpr int64_t kTreeColumns = 256;

/// Combines rows of up to kTreeColumns float32 values lane by lane. `Op` has
/// `V8 operator()(V8, V8)`.
template <class Op>
class RowTree {
public:
  /// `columns` is rounded up to whole vectors.
  explicit RowTree(int64_t columns)
      : vectors((columns + kLanes - 1) / kLanes) {}

  /// Where the caller writes the next row before push().
  float *next() { return incoming; }

  /// Adds the row that lies at next().
  void push() {
    int level = 0;
    for (uint64_t bits = count++; bits & 1; bits >>= 1, ++level)
      combine(levels[level], incoming);
    std::memcpy(levels[level], incoming, vectors * kLanes * sizeof(float));
  }

  /// The combined row; only after at least one push().
  const float *finish() {
    bool any = false;
    int level = 0;
    for (uint64_t bits = count; bits; bits >>= 1, ++level) {
      if (!(bits & 1))
        continue;
      if (any)
        combine(levels[level], incoming);
      else
        std::memcpy(incoming, levels[level], vectors * kLanes * sizeof(float));
      any = true;
    }
    return incoming;
  }

private:
  /// into = earlier (op) into
  void combine(const float *earlier, float *into) {
    Op op;
    for (int64_t i = 0; i < vectors; ++i)
      store8(into + i * kLanes,
             op(load8(earlier + i * kLanes), load8(into + i * kLanes)));
  }

  int64_t vectors;
  uint64_t count = 0;
  alignas(32) float incoming[kTreeColumns];
  alignas(32) float levels[kTreeLevels][kTreeColumns];
};

} // namespace amp::kernels

#endif // AMP_KERNELS_COMMON_TREE_H
