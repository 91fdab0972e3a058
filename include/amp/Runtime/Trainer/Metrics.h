//===- Metrics.h - The log of a run, one JSON object a line -----*- C++ -*-===//
//
// metrics.jsonl: a record for each step and one for each evaluation. Floats
// are written with the fewest digits that read back the same; a value that is
// not finite is the string "nan", "inf" or "-inf".
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_METRICS_H
#define AMP_RUNTIME_TRAINER_METRICS_H

#include "amp/Runtime/Trainer/File.h"
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace amp::runtime {

/// One step. `applied` and `skipped` are totals after it.
struct StepRecord {
  int64_t step = 0, applied = 0, skipped = 0;
  float loss = 0, lr = 0, lossScale = 1, gradNorm = 0;
  bool foundInf = false;
  /// What several losses and optimizers add: KEY/NAME and its value, where
  /// KEY is loss, grad_norm, found_inf, lr or loss_scale.
  std::vector<std::pair<std::string, float>> named;
  double stepMilliseconds = 0, samplesPerSecond = 0;
  uint64_t peakBytes = 0;
};

/// One evaluation after `step` steps. No accuracy where nothing is counted.
struct EvalRecord {
  int64_t step = 0;
  float loss = 0;
  int64_t rows = 0;
  bool hasAccuracy = false;
  int64_t correct = 0, counted = 0;
  /// Part of the counted targets that were predicted right.
  double accuracy() const;
};

/// JSON text of a number, as the head of this file says.
std::string jsonNumber(float value);
std::string jsonNumber(double value);

/// One line, with its end.
std::string render(const StepRecord &record);
std::string render(const EvalRecord &record);

/// The number of leading bytes of a log that belong to a run resumed at
/// `step`: whole lines of earlier steps and of evaluations up to this one
/// (without one at `step` itself if `evalPending`).
size_t keptBytes(std::string_view log, int64_t step, bool evalPending);

/// Appends lines; each is in the file when append returns.
class MetricsFile {
public:
  /// Starts an empty log.
  explicit MetricsFile(const std::string &path);
  /// Continues a log, cut back to the step.
  MetricsFile(const std::string &path, int64_t step, bool evalPending);

  /// Appends one line; a line that does not fit is taken back.
  void append(const std::string &line);
  /// Flushes to the disk, before a checkpoint relies on it.
  void sync();

private:
  std::string path;
  FileDescriptor file;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_METRICS_H
