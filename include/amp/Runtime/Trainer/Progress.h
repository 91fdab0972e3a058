//===- Progress.h - What a run tells while it runs --------------*- C++ -*-===//
//
// A bar on a terminal, a line each N steps otherwise, nothing when quiet.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_PROGRESS_H
#define AMP_RUNTIME_TRAINER_PROGRESS_H

#include "amp/Runtime/Trainer/Metrics.h"
#include <chrono>

namespace amp::runtime {

/// Prints to the standard output.
class Progress {
public:
  /// `every` is the distance of lines; 0 chooses about twenty lines a run.
  Progress(int verbosity, int64_t first, int64_t total, int64_t every);

  /// One step was done.
  void step(const StepRecord &record);
  /// Prints a line of its own, if the verbosity is at least `level`.
  void note(const std::string &text, int level = 1);
  /// Prints a warning to the standard error; --quiet does not silence it, a
  /// verbosity below 0 (another program looks at the run) does.
  void warn(const std::string &text);

private:
  void clearBar();

  int verbosity;
  bool bar;
  bool barShown = false;
  int64_t total, every;
  /// Since the last output: a single step's speed says little.
  double samples = 0, seconds = 0;
  std::chrono::steady_clock::time_point lastDraw;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_PROGRESS_H
