//===- Anomaly.h - Where NaN and inf began ----------------------*- C++ -*-===//
//
// Repeats a step whose gradients or loss were not finite, launch by launch,
// and names the op that made the first such value out of finite ones. Values
// may be infinite on purpose (masks), so what counts is where the values in
// the loss and the gradients come from.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_ANOMALY_H
#define AMP_RUNTIME_TRAINER_ANOMALY_H

#include "amp/Runtime/Observer.h"
#include "amp/Runtime/Session.h"
#include "amp/Runtime/ValueStats.h"
#include <functional>
#include <map>
#include <optional>

namespace amp::runtime {

/// An op and the values around it.
struct Finding {
  /// ONNX node(s), op ("mul"), the op of the graph it is a step of, phase.
  std::string node, op, graphOp, phase;
  /// Name and values of each operand that is a float tensor.
  std::vector<std::pair<std::string, ValueStats>> inputs;
  ValueStats value;
  std::string type; ///< how the value is stored, "f16"
  /// True for data or a variable that was not finite to begin with: there is
  /// no op, and `node` is its name.
  bool given = false;

  /// One sentence: "forward op 'mul' at 'Mul_3' made 4 inf of 128 ...".
  std::string text() const;
};

/// What a repeated step showed.
struct Diagnosis {
  /// The origin of what reached the loss or the gradients.
  Finding first;
  /// The first op that made NaN out of that, if it is another one.
  std::optional<Finding> firstNaN;
  /// False if it reached neither: a value that nothing in use depends on.
  bool reached = false;

  std::string text() const;
};

/// Follows values that are not finite through a run.
class AnomalyObserver : public Observer {
public:
  bool wantsInputs() const override { return true; }
  void begin(const ObservedLaunch &launch) override;
  void input(int number, const BoundTensor &tensor) override;
  void value(int op, const BoundTensor &tensor) override;
  bool end(const ObservedLaunch &launch) override;

  /// After the run; nothing if every value was finite.
  std::optional<Diagnosis> diagnosis() const;

private:
  struct Origin {
    Finding finding;
    std::optional<Finding> firstNaN;
    bool reached = false; ///< the loss or a gradient
  };
  struct Seen {
    bool known = false;    ///< statistics were taken
    int origin = -1;       ///< of values that are not finite
    bool harmless = false; ///< a constant that is not finite
    ValueStats stats;
    std::string type;
  };

  Seen resolve(const ObservedLaunch &launch, int number) const;
  Finding describe(const ObservedLaunch &launch, int op) const;
  void follow(const ObservedLaunch &launch, int op);

  std::vector<Origin> origins;
  std::map<Place, int> originAt;
  const ObservedLaunch *current = nullptr;
  std::vector<Seen> inputs, ops;
};

/// Variables a step changes, so that it can be repeated.
class StepSnapshot {
public:
  /// Counters: counters, scalers and random state, all that a step changes
  /// whose update is skipped. All: every variable but copies.
  enum class Scope { Counters, All };

  /// Taking again with the same scope reuses the memory.
  void take(const Session &session, Scope scope);
  /// Restores what was taken.
  void restore(Session &session) const;

private:
  std::optional<Scope> taken;
  std::vector<std::pair<int, std::vector<char>>> values;
};

/// One run of an entry point within a step: sets its arguments, if they are
/// no longer there.
struct EntryRun {
  std::string entry;
  std::function<void()> setArguments;
};

/// Goes back to `before` and repeats the runs of a step (train_step, or
/// accumulate.. and apply) until one shows an anomaly. Variables are then as
/// after the step, if all runs were repeated, else in between: for a program
/// that goes on, take a snapshot first.
std::optional<Diagnosis> diagnoseStep(Session &session,
                                      const StepSnapshot &before,
                                      const std::vector<EntryRun> &runs);

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_ANOMALY_H
