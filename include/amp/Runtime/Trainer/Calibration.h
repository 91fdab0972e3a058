//===- Calibration.h - Ranges of values over real steps ---------*- C++ -*-===//
//
// Trains a float32 program for some steps on real data and keeps statistics of
// every value, forward and gradient. The updates are made, so that ranges are
// those of training and not of the first step only. Memory does not depend on
// the number of steps: one set of statistics per value, one batch of data.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_CALIBRATION_H
#define AMP_RUNTIME_TRAINER_CALIBRATION_H

#include "amp/Runtime/Observer.h"
#include "amp/Runtime/Session.h"
#include "amp/Runtime/Trainer/DataSet.h"
#include "amp/Runtime/ValueStats.h"
#include <map>

namespace amp::runtime {

/// Keeps statistics by key (see Analysis/ValueKeys.h of the compiler).
class RangeRecorder : public Observer {
public:
  void begin(const ObservedLaunch &launch) override { current = &launch; }
  void value(int op, const BoundTensor &tensor) override;
  /// A value that no launch makes: an argument or a variable.
  void add(const std::string &key, const BoundTensor &tensor);

  const std::map<std::string, ValueStats> &values() const { return stats; }

private:
  const ObservedLaunch *current = nullptr;
  std::map<std::string, ValueStats> stats;
};

struct CalibrationOptions {
  /// Data files, one after the other; each is split along the batch, and the
  /// last batch of a file is filled up with its first rows.
  std::vector<std::string> files;
  /// Steps over all files; 0: every row once.
  int64_t steps = 0;
  uint64_t seed = 0; ///< of dropout
};

/// What was run.
struct CalibrationRun {
  int64_t steps = 0, rows = 0;
  int64_t skipped = 0; ///< steps whose gradients were not finite
};

/// Runs `train_step` on the data. Throws Error as the trainer does for data
/// that does not fit, naming the array, its shape and the one expected.
CalibrationRun calibrate(Session &session, const CalibrationOptions &options,
                         RangeRecorder &recorder);

/// The statistics as JSON, one value a line, the keys sorted, with the name of
/// the model and a digest of its graph, which --ranges compares:
///
///   {"format": "amp-ranges", "version": 1, "model": "m.onnx",
///    "fingerprint": "9f86...", "steps": 20,
///    "rows": 640, "skipped_steps": 0, "values": {
///     "Relu_2|relu|forward|0|0": {"count": 1280, "min": 0.0, "max": 3.5,
///       "max_abs": 3.5, "min_abs": 1e-06, "zeros": 600, "nonfinite": 0,
///       "nan": 0, "lost_f16": 0.01, "zero_in_f16": 12, "inf_in_f16": 0,
///       "lost_bf16": 0.0, "zero_in_bf16": 0, "inf_in_bf16": 0,
///       "exponents": {"-20": 1, "1": 679}}}}
///
/// min, max, max_abs and min_abs (smallest that is not zero) are of finite
/// elements, 0 where there are none; zero_in_* and inf_in_* count elements that
/// rounding to the type turns into zero or inf, lost_* is their share of count;
/// exponents counts magnitudes in [2^e, 2^(e + 1)), subnormal ones under -127.
std::string renderRanges(const RangeRecorder &recorder,
                         const CalibrationRun &run, const std::string &model,
                         const std::string &fingerprint);

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_CALIBRATION_H
