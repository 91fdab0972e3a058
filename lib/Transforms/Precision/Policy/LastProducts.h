//===- LastProducts.h - Contractions in front of the loss -------*- C++ -*-===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_POLICY_LASTPRODUCTS_H
#define AMP_LIB_TRANSFORMS_PRECISION_POLICY_LASTPRODUCTS_H

#include "NodeVerdicts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace amp {

/// The nodes whose products and convolutions no other contraction reads, in
/// every function that has the node: the last layer of a network, its heads.
/// They are kept if in each function they take no more than `share` of the
/// arithmetic of all contractions of forward, and only in networks without
/// batch norms (docs/Rationale.md P16). Ops without the name of a node are not
/// judged: their gradients could not follow.
NodeVerdicts lastProducts(llvm::ArrayRef<mlir::func::FuncOp> functions,
                          double share);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_POLICY_LASTPRODUCTS_H
