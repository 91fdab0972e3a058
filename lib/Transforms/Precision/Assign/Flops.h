//===- Flops.h - How much arithmetic a contraction does ---------*- C++ -*-===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_ASSIGN_FLOPS_H
#define AMP_LIB_TRANSFORMS_PRECISION_ASSIGN_FLOPS_H

#include "mlir/IR/Operation.h"

namespace amp {

/// Multiplications and additions of a matrix product, a convolution or a
/// gradient of one; 0 for other ops.
int64_t flopsOf(mlir::Operation *op);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_ASSIGN_FLOPS_H
