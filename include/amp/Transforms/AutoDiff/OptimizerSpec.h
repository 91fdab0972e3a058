//===- OptimizerSpec.h - What a user says about the optimizer ---*- C++ -*-===//
//
// The text "[NAME:]KIND[,key=value...]" with PyTorch's names and defaults,
// parsed. Several stand between semicolons, each with its own parameters.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TRANSFORMS_AUTODIFF_OPTIMIZERSPEC_H
#define AMP_TRANSFORMS_AUTODIFF_OPTIMIZERSPEC_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Transforms/AutoDiff/LossSpec.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace amp {

/// An optimizer and its hyperparameters.
struct OptimizerSpec {
  OptimizerKind kind = OptimizerKind::SGD;
  /// Its name where there are several, or where the user gave one.
  std::string name;
  /// Shell patterns of the parameters it updates; none: all that no other
  /// optimizer has.
  std::vector<std::string> params;
  /// Names of the losses whose sum it minimises; none: all.
  std::vector<std::string> losses;
  double lr = 1e-3, momentum = 0, dampening = 0, weightDecay = 0;
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-8, alpha = 0.99;
  double lrDecay = 0, initialAccumulator = 0;
  double momentumDecay = 4e-3;                            // nadam
  double beta2Decay = -0.8, eps2 = 1e-3, updateBound = 1; // adafactor
  bool nesterov = false, amsgrad = false, centered = false;
  bool decoupled = false, biasCorrection = true;

  /// Reads the text of `--optimizer`. An unknown kind, key or value is an
  /// error that lists what is known.
  static llvm::Expected<OptimizerSpec> parse(llvm::StringRef text);
  /// Reads all optimizers. Several need different names, and at most one may
  /// be without `params`; `params` and `loss` need a name.
  static llvm::Expected<llvm::SmallVector<OptimizerSpec, 1>>
  parseAll(llvm::StringRef text);
  /// The text that `parseAll` reads back.
  static std::string textOf(llvm::ArrayRef<OptimizerSpec> groups);
  /// The text that `parse` reads back, with every value written out.
  std::string text() const;
  /// The value a state (see OptimizerStates.h) starts with.
  double fillOf(llvm::StringRef state) const;
  /// The dictionary of `amp.optimizer_step`: the numbers of this kind by the
  /// names of docs/Runtime.md, flags as 0 or 1. The learning rate is not in
  /// it: it comes with every step.
  mlir::DictionaryAttr config(mlir::MLIRContext *context) const;
};

/// An error if an optimizer minimises a loss that is not among the terms.
llvm::Error checkLossNames(llvm::ArrayRef<LossSpec> terms,
                           llvm::ArrayRef<OptimizerSpec> groups);

} // namespace amp

#endif // AMP_TRANSFORMS_AUTODIFF_OPTIMIZERSPEC_H
