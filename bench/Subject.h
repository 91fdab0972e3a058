//===- Subject.h - A package that is timed ----------------------*- C++ -*-===//
//
// A session with random data in its arguments, and the time of one step.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_BENCH_SUBJECT_H
#define AMP_BENCH_SUBJECT_H

#include "amp/Runtime/Session.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace amp::bench {

/// How a subject is run and what it is fed with.
struct SubjectOptions {
  std::string entry = "train_step";
  int threads = 0;         ///< 0: as many as there are cores
  uint64_t seed = 1;       ///< of the random data
  int64_t intBelow = 2;    ///< integer arguments are drawn from [0, intBelow)
  double learningRate = 0; ///< small enough that the loss stays finite
};

/// The least time of one launch over the profiled steps.
struct LaunchCost {
  std::string symbol, node, phase;
  std::string shapes;     ///< operands, inputs first
  bool generated = false; ///< by our compiler for this model
  double seconds = 0;
  double bytes = 0; ///< of its operands
};

/// A loaded package whose arguments hold random numbers (zeros would make the
/// processor faster than it is on real data).
class Subject {
public:
  Subject(const std::string &path, const SubjectOptions &options);

  const std::string &path() const { return file; }
  int threads() const { return session->threads(); }
  runtime::Session::Memory memory() const { return session->memory(); }

  /// Runs one step and returns its seconds.
  double step();
  /// Loss of the last step; 0 if the entry has none.
  double loss();
  /// Runs `steps` with a clock around each launch.
  std::vector<LaunchCost> profile(int steps);

private:
  void fillArguments(const SubjectOptions &options);

  std::string file;
  std::string entry;
  std::unique_ptr<runtime::Session> session;
};

} // namespace amp::bench

#endif // AMP_BENCH_SUBJECT_H
