//===- Differentiate.h - Reverse mode over one block ------------*- C++ -*-===//
//
// Appends the gradient of one value, with respect to others, to a block.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TRANSFORMS_AUTODIFF_DIFFERENTIATE_H
#define AMP_TRANSFORMS_AUTODIFF_DIFFERENTIATE_H

#include "amp/Dialect/Amp/IR/Amp.h"

namespace amp {

/// Where a gradient enters: the gradient of `value` is `gradient`.
struct GradientSeed {
  mlir::Value value;
  mlir::Value gradient;
};

/// Makes the ops that compute the gradient of the seeds with respect to
/// `sources`, at the builder's insertion point, which the seeds' values
/// dominate. Gives one value a source: null where no path leads from it to a
/// seed. Every op made carries phase and location of the backward part. An op
/// on a path that must not be asked is an error, which calls the two ends of
/// the path `ends`.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
differentiate(mlir::Block &block, mlir::OpBuilder &builder,
              llvm::ArrayRef<GradientSeed> seeds,
              llvm::ArrayRef<mlir::Value> sources,
              llvm::StringRef ends = "a trained parameter and the loss");

} // namespace amp

#endif // AMP_TRANSFORMS_AUTODIFF_DIFFERENTIATE_H
