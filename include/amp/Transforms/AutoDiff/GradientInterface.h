//===- GradientInterface.h - What autodiff asks of an op --------*- C++ -*-===//
//
// The interface of gradient rules, the map they fill, and their registration.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TRANSFORMS_AUTODIFF_GRADIENTINTERFACE_H
#define AMP_TRANSFORMS_AUTODIFF_GRADIENTINTERFACE_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace amp {

/// How gradients pass through an op.
enum class GradientAnswer {
  /// `buildGradient` knows.
  Rule,
  /// The derivative is zero or there is none (integers, comparisons): the path
  /// ends here without complaint.
  None,
  /// A path through this op is an error.
  MustNotBeAsked
};

/// The terms that make up the gradient of each value. Rules add to it.
class GradientMap {
public:
  /// `active` holds the values whose gradient somebody needs.
  explicit GradientMap(llvm::DenseSet<mlir::Value> active)
      : active(std::move(active)) {}

  /// True if a rule should compute the gradient of `value`.
  bool wants(mlir::Value value) const {
    return value && active.contains(value);
  }

  /// Adds a term, of `value`'s shape, to the gradient of `value`. An op that
  /// reads a value twice adds twice.
  void add(mlir::Value value, mlir::Value term) {
    terms[value].push_back(term);
  }

  /// The sum of the terms of `value`: null without any, the term itself if
  /// there is one, else an `amp.fan_in_sum` in float32. The terms are replaced
  /// by the sum, so asking again costs nothing.
  mlir::Value total(mlir::Value value, mlir::OpBuilder &builder,
                    mlir::Location loc);

private:
  llvm::DenseSet<mlir::Value> active;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> terms;
};

} // namespace amp

#include "amp/Transforms/AutoDiff/GradientInterface.h.inc"

namespace amp {

/// Attaches gradient rules to all ops of the dialect when it is loaded.
void registerGradientModels(mlir::DialectRegistry &registry);

} // namespace amp

#endif // AMP_TRANSFORMS_AUTODIFF_GRADIENTINTERFACE_H
