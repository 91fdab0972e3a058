//===- TrainingPlan.h - Losses, optimizers and scalers ----------*- C++ -*-===//
//
// What a request says about training, parsed and checked against itself.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DRIVER_TRAININGPLAN_H
#define AMP_LIB_DRIVER_TRAININGPLAN_H

#include "amp/Driver/Compile.h"
#include "amp/Transforms/AutoDiff/OptimizerSpec.h"
#include "amp/Transforms/Precision/ScalerSpec.h"
#include <map>

namespace amp {

struct TrainingPlan {
  llvm::SmallVector<LossSpec, 1> losses; ///< terms; none: inference only
  llvm::SmallVector<OptimizerSpec, 1> optimizers;
  /// By loss; one with an empty name for all of them.
  llvm::SmallVector<std::pair<std::string, ScalerSpec>, 1> scalers;

  /// An error is one of usage.
  static llvm::Expected<TrainingPlan> parse(const CompileRequest &request);

  /// True if losses have scales of their own.
  bool separate() const { return !scalers.front().first.empty(); }
  /// True if the optimizers have names.
  bool grouped() const { return !optimizers.front().name.empty(); }
  /// The scalers as the precision stage takes them.
  std::string scalerText() const;
  /// Entries of a package from which the trainer learns all this
  /// (docs/Runtime.md).
  void describe(std::map<std::string, std::string> &meta) const;
};

} // namespace amp

#endif // AMP_LIB_DRIVER_TRAININGPLAN_H
