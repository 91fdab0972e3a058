//===- ConvGeometry.h - The shape of a convolution --------------*- C++ -*-===//
//
// Checks the operands of the three convolution routines, and brings them to
// the two or three spatial dimensions the library has.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_CPU_CONVGEOMETRY_H
#define AMP_LIB_RUNTIME_CPU_CONVGEOMETRY_H

#include "amp/Runtime/Builtin.h"

namespace amp::runtime {

/// y[n, o, ..] = sum over c, k of x[n, c, ..] w[o, c, k..]. With groups `w` is
/// [G, O/G, C/G, K..]. One spatial dimension became two, the first of size 1.
struct ConvGeometry {
  BoundTensor x, w, y;
  std::vector<int64_t> strides;
  std::vector<int64_t> dilations; ///< 0 is dense, as the library counts
  std::vector<int64_t> padBegin, padEnd;

  /// Whether there is nothing to compute: no output, or nothing to sum.
  bool isEmpty() const {
    return x.elements() == 0 || w.elements() == 0 || y.elements() == 0;
  }
};

/// Throws Error(BadInput) unless the tensors and attributes of the call fit
/// together.
ConvGeometry convGeometry(const BuiltinCall &call, const BoundTensor &x,
                          const BoundTensor &w, const BoundTensor &y);

/// The strides of a dense channels-last tensor of these dimensions.
std::vector<int64_t> channelsLastStrides(const std::vector<int64_t> &dims);

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_CPU_CONVGEOMETRY_H
