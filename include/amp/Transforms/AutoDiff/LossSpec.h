//===- LossSpec.h - What a user says about the loss -------------*- C++ -*-===//
//
// The text "[NAME:]KIND[,output=NAME][,target=NAME][,key=value...]", parsed.
// Several stand between semicolons: terms of one name add up to a loss, terms
// of different names are losses of their own.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TRANSFORMS_AUTODIFF_LOSSSPEC_H
#define AMP_TRANSFORMS_AUTODIFF_LOSSSPEC_H

#include "llvm/ADT/SmallVector.h"
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

/// A term of a loss and its parameters, with PyTorch's names and defaults.
struct LossSpec {
  LossKind kind = LossKind::SoftmaxCrossEntropy;
  /// The loss it is a term of; empty: there is only one.
  std::string name;
  /// Factor of the term in its loss.
  double weight = 1.0;
  /// Name of the model's output; none given: the only one possible.
  std::optional<std::string> output;
  /// Name of the target; an input of that name is used, else one is added.
  std::optional<std::string> target;
  /// The same number as target everywhere, instead of an argument.
  std::optional<double> targetValue;
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
  /// Reads all terms. Either all have a name or none has; means and sums do
  /// not mix, since a micro-batch or a batch of an evaluation weighs
  /// differently in them.
  static llvm::Expected<llvm::SmallVector<LossSpec, 1>>
  parseAll(llvm::StringRef text);
  /// The text that `parse` reads back, with every value written out.
  std::string text() const;
  /// The text that `parseAll` reads back.
  static std::string textOf(llvm::ArrayRef<LossSpec> terms);
  /// True if the loss compares with something that the model does not make.
  bool hasTarget() const { return kind != LossKind::GraphOutput; }
  /// Target's name, or the name it gets if none was given.
  std::string targetName() const { return target.value_or("target"); }
};

/// Names of the losses, in the order in which they appear first; one empty text
/// where they have none.
llvm::SmallVector<llvm::StringRef, 2> lossNames(llvm::ArrayRef<LossSpec> terms);

/// The word for a kind, as `--loss` has it.
llvm::StringRef lossKindName(LossKind kind);

} // namespace amp

#endif // AMP_TRANSFORMS_AUTODIFF_LOSSSPEC_H
