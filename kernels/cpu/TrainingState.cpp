//===- TrainingState.cpp - Learning rate ----------------------------------===//

#include "kernels/Kernels.h"

#include <algorithm>
#include <cmath>

using namespace amp;
using namespace amp::kernels;

float kernels::learningRate(const float *schedule, int64_t applied) {
  const double kPi = 3.14159265358979323846;
  double base = schedule[1], warmUp = schedule[2], period = schedule[3];
  double gamma = schedule[4], total = schedule[5], minimum = schedule[6];
  double step = static_cast<double>(applied);
  if (step < warmUp)
    return static_cast<float>(base * ((step + 1) / warmUp));
  step -= warmUp;
  double span = total - warmUp;
  double progress = span > 0 ? std::min(1.0, step / span) : 1.0;
  double rate = base;
  // Compared, not converted: a damaged schedule must not be undefined.
  if (schedule[0] == 1 && period > 0)
    rate = base * std::pow(gamma, std::floor(step / period));
  else if (schedule[0] == 2)
    rate = minimum + (base - minimum) * (1 + std::cos(kPi * progress)) / 2;
  else if (schedule[0] == 3)
    rate = base + (minimum - base) * progress;
  return static_cast<float>(rate);
}
