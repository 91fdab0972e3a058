//===- MatmulShape.h - A product of matrices, simplified --------*- C++ -*-===//
//
// Checks the operands of `matmul` and reduces them to the simplest equal
// problem: transposes become strides, batch dimensions are merged or become
// rows.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_RUNTIME_CPU_MATMULSHAPE_H
#define AMP_LIB_RUNTIME_CPU_MATMULSHAPE_H

#include "amp/Runtime/Builtin.h"
#include <optional>

namespace amp::runtime {

/// out[B.., M, N] = lhs[B.., M, K] rhs[B.., K, N] + bias[N]; all of one rank,
/// batch dimensions of lhs and rhs are those of out or 1.
struct MatmulShape {
  BoundTensor lhs, rhs, out;
  std::optional<BoundTensor> bias;

  int64_t rank() const { return out.rank(); }
  int64_t rows() const { return out.dims[rank() - 2]; }
  int64_t columns() const { return out.dims[rank() - 1]; }
  int64_t depth() const { return lhs.dims[rank() - 1]; }
};

/// Throws Error(BadInput) unless the operands fit together.
MatmulShape matmulShape(const BuiltinCall &call);

/// Whether the last two dimensions are a matrix in row or column order.
bool isMatrix(const BoundTensor &tensor);

} // namespace amp::runtime

#endif // AMP_LIB_RUNTIME_CPU_MATMULSHAPE_H
