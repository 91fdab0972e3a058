//===- StepResults.h - One record from several entry points -----*- C++ -*-===//
//
// Collects the scalars of a step: of one entry point, of the micro-batches of a
// window, or of optimizers that take turns.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_STEPRESULTS_H
#define AMP_RUNTIME_TRAINER_STEPRESULTS_H

#include "amp/Runtime/Trainer/Runner.h"
#include <map>

namespace amp::runtime {

class StepResults {
public:
  StepResults(Session &session, const PackageInfo &info)
      : session(session), info(info) {}

  /// Adds the losses that the entry point has computed, times `share`.
  void addLosses(const std::string &entry, double share);
  /// Takes the results about updates: found_inf, loss_scale, grad_norm, lr.
  void addUpdate(const std::string &entry);
  /// What was collected: where losses or optimizers have names, the loss is the
  /// sum, the norm that of all gradients, and learning rate and scale are the
  /// first ones.
  StepRecord record() const;

private:
  /// Calls visit(name, value) for the scalars of an entry point, `key` or
  /// `key/NAME`.
  template <typename Visit>
  void visitScalars(const std::string &entry, Visit visit) const;

  Session &session;
  const PackageInfo &info;
  std::vector<std::pair<std::string, double>> losses;
  std::map<std::string, std::string> sources; ///< entry point by loss
  std::vector<std::pair<std::string, float>> metrics;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_STEPRESULTS_H
