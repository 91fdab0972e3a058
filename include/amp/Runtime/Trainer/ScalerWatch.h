//===- ScalerWatch.h - When skipped steps end a run -------------*- C++ -*-===//
//
// A skipped step is no error: the scale comes down and training goes on. This
// tells when it cannot go on, and why: too many in a row, a scaler that gave
// up, or gradients that overflow at a scale that will not change any more.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_SCALERWATCH_H
#define AMP_RUNTIME_TRAINER_SCALERWATCH_H

#include "amp/Runtime/Trainer/Metrics.h"
#include "amp/Runtime/Trainer/Options.h"
#include <functional>

namespace amp::runtime {

class ScalerWatch {
public:
  /// `session` and `info` must outlive it.
  ScalerWatch(const Session &session, const PackageInfo &info,
              const Options &options);

  /// Reads where a resumed run stands; after the checkpoint was loaded.
  void start();

  /// Looks at a step that was run. Throws Error(Diverged) if no later one can
  /// be expected to succeed; warns once when the scale reaches its minimum.
  /// `diagnose` tells which value was not finite first; it may give nothing.
  void step(const StepRecord &record,
            const std::function<void(const std::string &)> &warn,
            const std::function<std::string()> &diagnose);

private:
  /// A variable of each scaler; `name` is empty where all losses share one.
  struct Part {
    int index;
    std::string name;
  };
  std::vector<Part> find(const std::string &stem) const;
  template <typename T>
  T read(const Part &part) const;
  /// The minimum of a scaler that has come down to it.
  std::optional<float> minimumReached() const;
  void note(int64_t step, float scale);
  std::string history() const;

  const Session &session;
  const PackageInfo &info;
  int64_t abortAfter, badLimit;
  bool fromCommandLine;
  std::vector<Part> scales, hysteresis;

  int64_t inARow = 0;         ///< steps skipped up to now
  int64_t atFloor = 0;        ///< of these, at the minimum
  std::optional<float> floor; ///< reached before the step
  bool warned = false;
  struct Change {
    int64_t step;
    float scale;
  };
  Change first = {-1, 0};
  std::vector<Change> changes; ///< the last few
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_SCALERWATCH_H
