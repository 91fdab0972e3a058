//===- Schedule.h - Learning-rate schedule as the step wants it -*- C++ -*-===//
//
// Parses --lr-schedule into the eight numbers of the `schedule` argument. The
// rate itself is computed inside the step, from the number of applied updates.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_SCHEDULE_H
#define AMP_RUNTIME_TRAINER_SCHEDULE_H

#include <array>
#include <cstdint>
#include <string>

namespace amp::runtime {

/// Shape of the learning rate over the run.
struct Schedule {
  /// Codes are those of the `schedule` argument (docs/Runtime.md).
  enum class Kind { Constant = 0, Step, Cosine, Linear };

  Kind kind = Kind::Constant;
  int64_t warmup = 0;
  int64_t period = 0;
  double gamma = 0.1;
  int64_t total = 0; ///< 0: the planned length of the run
  double minimum = 0;

  /// KIND[,key=value..]; throws Error(Usage) listing the known keys.
  static Schedule parse(const std::string &text);

  /// The argument for a base rate and a planned number of steps.
  std::array<float, 8> encode(double baseRate, int64_t plannedSteps) const;
};

/// Parses a finite number that fills the whole text; throws Error(Usage) that
/// names `what`. "a/b" is accepted.
double parseNumber(const std::string &text, const std::string &what);

/// Parses an integer within [lowest, highest]; throws Error(Usage).
int64_t parseInteger(const std::string &text, const std::string &what,
                     int64_t lowest, int64_t highest);

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_SCHEDULE_H
