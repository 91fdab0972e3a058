//===- Curve.h - A training run as numbers ----------------------*- C++ -*-===//
//
// Trains a package for some steps, as the trainer would, and keeps what each
// step reported; and how far two such runs are apart.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_SUPPORT_CURVE_H
#define AMP_TOOLS_SUPPORT_CURVE_H

#include "amp/Runtime/Trainer/TrainingRun.h"

namespace amp {

struct Curve {
  std::vector<runtime::StepRecord> steps;
  /// Why the run ended early (divergence); empty if it did not.
  std::string problem;

  /// Skipped steps in all.
  int64_t skipped() const { return steps.empty() ? 0 : steps.back().skipped; }
};

/// Trains on a session of its own. Steps that are skipped or not finite never
/// end the run but where the loss scaler says so. Throws runtime::Error for
/// data that does not fit.
Curve trainCurve(std::shared_ptr<const runtime::Package> package,
                 runtime::Options options, runtime::RunHooks hooks = {});

/// |a - b| / |b|: 0 where both are equal, inf where one is not finite.
double relativeGap(double a, double b);

/// A number of each step, such as its loss.
using StepNumber = float runtime::StepRecord::*;

/// Mean of the relative gaps over the second half of the steps; inf for a run
/// that ended early.
double meanGap(const Curve &curve, const Curve &reference,
               StepNumber number = &runtime::StepRecord::loss);

/// "0.042 %", "inf".
std::string percent(double gap);

/// "0.25%" or "0.0025"; throws runtime::Error (Usage) that names `option`.
double parseTolerance(const std::string &text, const std::string &option);

} // namespace amp

#endif // AMP_TOOLS_SUPPORT_CURVE_H
