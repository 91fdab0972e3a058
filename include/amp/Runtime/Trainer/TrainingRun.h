//===- TrainingRun.h - The training loop ------------------------*- C++ -*-===//
//
// Steps over the data with everything around them: resume, metrics,
// evaluation, checkpoints, signals, divergence.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_TRAININGRUN_H
#define AMP_RUNTIME_TRAINER_TRAININGRUN_H

#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/Anomaly.h"
#include "amp/Runtime/Trainer/Checkpoint.h"
#include "amp/Runtime/Trainer/Options.h"
#include "amp/Runtime/Trainer/Progress.h"
#include "amp/Runtime/Trainer/Runner.h"
#include "amp/Runtime/Trainer/ScalerWatch.h"
#include "amp/Runtime/Trainer/Turns.h"

namespace amp::runtime {

/// Copies the tensors of a checkpoint into the variables of a session. Throws
/// Error(BadInput) if it belongs to another program.
void restore(Session &session, const Checkpoint &checkpoint);

/// The checkpoint --resume asks for, or nothing for a fresh start; says which
/// through `warn`.
std::optional<Checkpoint>
findCheckpoint(const Options &options,
               const std::function<void(const std::string &)> &warn);

/// What a program that trains for a purpose of its own adds to a run.
struct RunHooks {
  /// Called after each step, before the run judges it.
  std::function<void(const StepRecord &)> onStep;
  /// Is shown every value of every step.
  Observer *observer = nullptr;
  /// Begin at a loss scale at which the gradients of the first batch are
  /// finite, so that a run is not behind another one by the steps that a
  /// dynamic scale takes to come down.
  bool settleScale = false;
};

/// A run of --epochs or --steps.
class TrainingRun {
public:
  TrainingRun(Session &session, const Options &options, RunHooks hooks = {});
  ~TrainingRun();

  /// Trains; Ok, or Interrupted after a signal.
  ExitCode run();

private:
  void loadData();
  void start();
  void prepareArguments();
  /// Base learning rate of an optimizer, which may have no name, and all of
  /// them in words.
  double rateOf(const std::string &group) const;
  std::string rateText() const;
  Manifest describe(int64_t step, bool evalPending) const;
  void checkAgreement(const Manifest &manifest);
  StepRecord runStep(const Batch &batch);
  void runEntry(const std::string &entry);
  void settleScale(const Batch &batch);
  void watchDivergence(const StepRecord &record, const Batch &batch);
  /// Repeats the last step and says where the first value began that was not
  /// finite; variables are as before the call afterwards.
  std::string diagnose(const Batch &batch);
  void watchAnomaly(const StepRecord &record, const Batch &batch);
  bool evaluateAt(int64_t step);
  void save(int64_t step, bool evalPending);
  void openMetrics(const Checkpoint *checkpoint);
  ExitCode interrupted(int64_t step, bool evalPending);
  int64_t counter(const char *name) const;

  Session &session;
  const Options &options;
  RunHooks hooks;
  PackageInfo info;
  ScalerWatch scaler;
  bool accumulating;
  int64_t lossDivisor = 1; ///< of a micro-batch's loss: 1 if losses add up
  /// What a step runs with each batch: one entry point, or one for each
  /// optimizer where they take turns; and by the same number what updates then.
  std::vector<std::string> computeEntries, updateEntries;
  std::optional<EarlierTurns> earlierTurns; ///< with --skip all
  std::string identity, codeDigest;         ///< of the package, for checkpoints
  int64_t batchRows = 0;
  int64_t evalEvery = 0;
  std::optional<int64_t> padTarget;

  std::optional<DataSet> training, validation;
  std::optional<BatchPlan> plan;
  std::unique_ptr<CheckpointStore> store;
  std::unique_ptr<MetricsFile> metrics;
  std::unique_ptr<Progress> progress;

  StepSnapshot beforeStep;
  int64_t firstStep = 0, totalSteps = 0;
  int64_t savedStep = -1, evaluatedStep = -1;
  int64_t badSteps = 0;
  bool evalDue = false;
  uint64_t peakBytes = 0;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_TRAININGRUN_H
