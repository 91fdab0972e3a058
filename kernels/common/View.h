//===- View.h - Shape and strides of an operand -----------------*- C++ -*-===//
//
// What a kernel knows of a tensor beside its address, and how loops over
// several dimensions are merged and walked.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_KERNELS_COMMON_VIEW_H
#define AMP_KERNELS_COMMON_VIEW_H

#include "amp/ABI/DType.h"
#include <cstdint>

namespace amp::kernels {

/// Most dimensions a view can have.
inline constexpr int kMaxRank = 16;

/// Element type, dimensions and strides (in elements) of a tensor.
struct View {
  abi::DType dtype = abi::DType::f32;
  int rank = 0;
  int64_t dims[kMaxRank] = {};
  int64_t strides[kMaxRank] = {};

  /// Product of the dimensions.
  int64_t elements() const {
    int64_t n = 1;
    for (int i = 0; i < rank; ++i)
      n *= dims[i];
    return n;
  }
  /// Row-major without gaps; dimensions of size one may have any stride.
  bool isDense() const {
    int64_t expected = 1;
    for (int i = rank - 1; i >= 0; --i) {
      if (dims[i] != 1 && strides[i] != expected)
        return false;
      expected *= dims[i];
    }
    return true;
  }
};

/// A nest of loops over two operands, outermost first.
struct LoopNest {
  int rank = 0;
  int64_t dims[kMaxRank] = {};
  int64_t a[kMaxRank] = {}; ///< strides of the first operand
  int64_t b[kMaxRank] = {}; ///< strides of the second operand

  /// Appends a loop; size one is dropped.
  void add(int64_t dim, int64_t strideA, int64_t strideB) {
    if (dim == 1)
      return;
    dims[rank] = dim;
    a[rank] = strideA;
    b[rank] = strideB;
    ++rank;
  }
  /// Takes loop `i` out.
  void remove(int i) {
    for (--rank; i < rank; ++i) {
      dims[i] = dims[i + 1];
      a[i] = a[i + 1];
      b[i] = b[i + 1];
    }
  }
  /// Iterations of the whole nest.
  int64_t iterations() const {
    int64_t n = 1;
    for (int i = 0; i < rank; ++i)
      n *= dims[i];
    return n;
  }

  /// Orders the loops by falling stride of the second operand (the first one
  /// where these are equal) and merges loops that step through both operands
  /// as one.
  void canonicalize();
};

/// Walks a LoopNest from any iteration, keeping both offsets.
class Odometer {
public:
  Odometer(const LoopNest &nest, int64_t start) : nest(nest) {
    for (int i = nest.rank - 1; i >= 0; --i) {
      at[i] = start % nest.dims[i];
      start /= nest.dims[i];
      offsetA += at[i] * nest.a[i];
      offsetB += at[i] * nest.b[i];
    }
  }
  int64_t a() const { return offsetA; }
  int64_t b() const { return offsetB; }
  /// Goes to the next iteration, from the last to the first.
  void step() {
    for (int i = nest.rank - 1; i >= 0; --i) {
      offsetA += nest.a[i];
      offsetB += nest.b[i];
      if (++at[i] < nest.dims[i])
        return;
      offsetA -= nest.dims[i] * nest.a[i];
      offsetB -= nest.dims[i] * nest.b[i];
      at[i] = 0;
    }
  }

private:
  const LoopNest &nest;
  int64_t at[kMaxRank] = {};
  int64_t offsetA = 0, offsetB = 0;
};

} // namespace amp::kernels

#endif // AMP_KERNELS_COMMON_VIEW_H
