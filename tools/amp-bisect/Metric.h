//===- Metric.h - How far a low program is from float32 ---------*- C++ -*-===//

#ifndef AMP_TOOLS_AMP_BISECT_METRIC_H
#define AMP_TOOLS_AMP_BISECT_METRIC_H

#include "Curve.h"

namespace amp {

/// Runs programs on the same data and compares them with the first one.
class Metric {
public:
  enum class Kind {
    LossGap,  ///< mean relative gap of the losses of a training run, 2nd half
    Gradient, ///< ||g - g'|| / ||g|| over all parameters, the worst batch
    Output    ///< the same of the outputs
  };

  Metric(Kind kind, const runtime::Options &options)
      : kind(kind), options(options) {}

  /// The entry point a compile has to make; a model without loss only predicts.
  std::string entry(bool hasLoss) const;
  /// Makes a program the reference. Throws runtime::Error (NumericCheck) if
  /// that one is not finite.
  void setReference(std::shared_ptr<const runtime::Package> package);
  /// 0 if a program gives what the reference gave, inf if it is not finite.
  double measure(std::shared_ptr<const runtime::Package> package) const;

private:
  /// The compared numbers of each batch.
  using Batches = std::vector<std::vector<float>>;
  Batches compute(std::shared_ptr<const runtime::Package> package) const;
  Curve train(std::shared_ptr<const runtime::Package> package) const;

  Kind kind;
  const runtime::Options &options;
  Curve curve;
  Batches batches;
};

} // namespace amp

#endif // AMP_TOOLS_AMP_BISECT_METRIC_H
