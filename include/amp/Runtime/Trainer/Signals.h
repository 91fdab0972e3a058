//===- Signals.h - SIGINT and SIGTERM as a question -------------*- C++ -*-===//
//
// The first signal asks the run to stop at the next safe point; a second one
// ends the process at once.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_SIGNALS_H
#define AMP_RUNTIME_TRAINER_SIGNALS_H

namespace amp::runtime {

/// Catches SIGINT and SIGTERM from now on.
void watchSignals();
/// True once one of them arrived.
bool stopRequested();

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_SIGNALS_H
