//===- OptimizerSpec.h - What a user says about the optimizer ---*- C++ -*-===//
//
// The text "KIND[,key=value...]" with PyTorch's names and defaults, parsed.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TRANSFORMS_AUTODIFF_OPTIMIZERSPEC_H
#define AMP_TRANSFORMS_AUTODIFF_OPTIMIZERSPEC_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>

namespace amp {

/// A state tensor that an optimizer keeps for each parameter.
struct OptimizerState {
  /// PyTorch's name: the variable is called PARAMETER.NAME.
  llvm::StringRef name;
  /// Value it starts with.
  double fill = 0.0;
};

/// An optimizer and its hyperparameters.
struct OptimizerSpec {
  OptimizerKind kind = OptimizerKind::SGD;
  double lr = 1e-3, momentum = 0, dampening = 0, weightDecay = 0;
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-8, alpha = 0.99;
  double lrDecay = 0, initialAccumulator = 0;
  bool nesterov = false, amsgrad = false, centered = false;

  /// Reads the text of `--optimizer`. An unknown kind, key or value is an
  /// error that lists what is known.
  static llvm::Expected<OptimizerSpec> parse(llvm::StringRef text);
  /// The text that `parse` reads back, with every value written out.
  std::string text() const;
  /// State tensors of a parameter, in the order `amp.optimizer_step` has.
  llvm::SmallVector<OptimizerState, 3> states() const;
  /// The dictionary of `amp.optimizer_step`: the numbers of this kind by the
  /// names of docs/Runtime.md, flags as 0 or 1. The learning rate is not in
  /// it: it comes with every step.
  mlir::DictionaryAttr config(mlir::MLIRContext *context) const;
};

} // namespace amp

#endif // AMP_TRANSFORMS_AUTODIFF_OPTIMIZERSPEC_H
