//===- LossSpec.h - What a user says about the loss -------------*- C++ -*-===//
//
// The text "KIND[,output=NAME][,target=NAME][,key=value...]", parsed.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TRANSFORMS_AUTODIFF_LOSSSPEC_H
#define AMP_TRANSFORMS_AUTODIFF_LOSSSPEC_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace amp {

/// The losses that `--loss` knows.
enum class LossKind {
  SoftmaxCrossEntropy,
  MSE,
  L1,
  SmoothL1,
  BCEWithLogits,
  GraphOutput
};

/// A loss and its parameters, with PyTorch's names and defaults.
struct LossSpec {
  LossKind kind = LossKind::SoftmaxCrossEntropy;
  /// Name of the model's output; none given: the only one possible.
  std::optional<std::string> output;
  /// Name of the target; an input of that name is used, else one is added.
  std::optional<std::string> target;
  /// Dimension of the classes; negative counts from the end.
  std::optional<int64_t> classAxis;
  /// Targets with this value do not count.
  int64_t ignoreIndex = -100;
  /// Share of the target distribution that is spread over all classes.
  double labelSmoothing = 0.0;
  /// smooth_l1: below this difference the loss is quadratic.
  double beta = 1.0;
  /// True: sum over the elements; false: mean. Not set: mean.
  std::optional<bool> sum;

  /// Reads the text of `--loss`. An unknown kind, key or value is an error
  /// that lists what is known.
  static llvm::Expected<LossSpec> parse(llvm::StringRef text);
  /// The text that `parse` reads back, with every value written out.
  std::string text() const;
  /// True if a target belongs to this loss.
  bool hasTarget() const { return kind != LossKind::GraphOutput; }
  /// Target's name, or the name it gets if none was given.
  std::string targetName() const { return target.value_or("target"); }
};

/// The word for a kind, as `--loss` has it.
llvm::StringRef lossKindName(LossKind kind);

} // namespace amp

#endif // AMP_TRANSFORMS_AUTODIFF_LOSSSPEC_H
