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
  /// `session` must outlive it.
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
  /// The scaler of one loss, or with an empty name that of all. Variables are
  /// -1 where it has none.
  struct Scaler {
    std::string name;
    int scale = -1, hysteresis = -1, overflows = -1;
    double least = 0;       ///< min_scale, 0: none
    int64_t abortAfter = 0; ///< overflows of its own in a row, 0: never
    int64_t atFloor = 0;    ///< of those in a row, at the minimum
    bool floor = false;     ///< it is at its minimum
    bool warned = false;
  };
  template <typename T>
  T read(int variable) const;
  bool isAtFloor(const Scaler &scaler) const;
  void look(Scaler &scaler, const StepRecord &record,
            const std::function<void(const std::string &)> &warn,
            const std::function<void(const std::string &)> &diverged);
  void note(int64_t step, float scale);
  std::string history() const;

  const Session &session;
  int64_t badLimit;
  /// --abort-after-skips, which counts every skipped step and takes the place
  /// of what was compiled in.
  std::optional<int64_t> ownLimit;
  std::vector<Scaler> scalers;
  int64_t inARow = 0; ///< steps skipped up to now
  struct Change {
    int64_t step;
    float scale;
  };
  Change first = {-1, 0};
  std::vector<Change> changes; ///< the last few
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_SCALERWATCH_H
