//===- Turns.h - Optimizers that take turns in a step -----------*- C++ -*-===//

#ifndef AMP_RUNTIME_TRAINER_TURNS_H
#define AMP_RUNTIME_TRAINER_TURNS_H

#include "amp/Runtime/Session.h"
#include "amp/Runtime/Trainer/PackageInfo.h"

namespace amp::runtime {

/// What the turns of a step but the last one write, kept so that it can be
/// taken back: with `--skip all` a step in which one optimizer overflows
/// changes nothing, and the turns before that one have updated already.
/// Counters of steps and the state of loss scalers are no part of it: they tell
/// of the skipped step.
class EarlierTurns {
public:
  /// `updateEntries`: the entry points that update, in order. Throws
  /// Error(BadInput) if the package lists one that it does not have.
  EarlierTurns(Session &session, const PackageInfo &info,
               const std::vector<std::string> &updateEntries);

  /// Before the first turn; copies as many bytes as the parameters, moments and
  /// statistics of these turns have.
  void keep();
  /// After the last one.
  void takeBack();

private:
  Session &session;
  std::vector<std::pair<int, std::vector<char>>> values; ///< by variable
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_TURNS_H
