//===- LossBuilder.h - The ops of a loss ------------------------*- C++ -*-===//
//
// Resolves a LossSpec against the outputs of a model and makes its ops.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_AUTODIFF_LOSSBUILDER_H
#define AMP_LIB_TRANSFORMS_AUTODIFF_LOSSBUILDER_H

#include "FunctionDraft.h"
#include "amp/Transforms/AutoDiff/LossSpec.h"

namespace amp {

/// Name of the attribute of @loss that holds the resolved specifications.
inline constexpr llvm::StringLiteral kLossAttr = "amp.loss";

/// What the ops of a loss give; the counts only where they were asked for.
struct LossValues {
  mlir::Value loss;    ///< float32 scalar
  mlir::Value correct; ///< samples whose largest logit is at the target
  mlir::Value counted; ///< targets or rows that count
};

/// Fills in what the specification leaves open (output, class axis) from the
/// outputs of the function; errors are reported at it.
mlir::LogicalResult resolveLoss(LossSpec &spec, FunctionDraft &draft);

/// The loss of a resolved specification.
class LossBuilder {
public:
  LossBuilder(const LossSpec &spec, FunctionDraft &draft);

  /// Type of the target that belongs to the output.
  mlir::RankedTensorType targetType() const;
  /// The number that is the target everywhere or the target argument: an input
  /// of that name, or a new one. Null, and an error at the function, if the
  /// input does not fit.
  mlir::Value target();
  /// The weighted loss over all rows or, with `valid`, over that many first
  /// rows and with the counts.
  mlir::FailureOr<LossValues> build(mlir::Value valid = {});

private:
  mlir::FailureOr<LossValues> unweighted(mlir::Value valid);
  LossValues crossEntropy(mlir::Value target, mlir::Value valid);
  LossValues elementwise(mlir::Value target, mlir::Value valid);
  LossValues graphOutput(mlir::Value valid);
  mlir::Value terms(mlir::Value target);
  mlir::Value reduced(mlir::Value terms, bool sum);
  mlir::Value reducedOnRows(mlir::Value terms, mlir::Value valid);
  mlir::Value rowMask(llvm::ArrayRef<int64_t> shape, mlir::Value valid);
  mlir::Value scalar(double value);
  mlir::Value asFloat32(mlir::Value value);

  const LossSpec &spec;
  FunctionDraft &draft;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Value output;
};

/// All losses of a step.
struct LossSums {
  /// The sum of all terms.
  mlir::Value total;
  /// The losses by name; empty if they have none.
  llvm::SmallVector<std::pair<std::string, mlir::Value>, 2> named;
  /// The terms one by one; where there are several, a mean over a data set is
  /// one of each.
  llvm::SmallVector<LossValues, 2> terms;
  /// Counts of the only cross-entropy; else none right among all rows.
  mlir::Value correct, counted;
};

/// Resolves the terms, builds them and adds them up by name.
mlir::FailureOr<LossSums> buildLosses(llvm::MutableArrayRef<LossSpec> terms,
                                      FunctionDraft &draft,
                                      mlir::Value valid = {});

/// Appends the results `loss` and `loss/NAME`.
void addLossResults(const LossSums &losses, FunctionDraft &draft);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_AUTODIFF_LOSSBUILDER_H
