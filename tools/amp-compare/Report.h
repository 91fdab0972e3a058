//===- Report.h - Runs side by side -----------------------------*- C++ -*-===//

#ifndef AMP_TOOLS_AMP_COMPARE_REPORT_H
#define AMP_TOOLS_AMP_COMPARE_REPORT_H

#include "Curve.h"
#include "ValueTable.h"

namespace amp {

/// One precision's run.
struct ComparedRun {
  std::string precision;
  Curve curve;
  int64_t arenaBytes = 0;
  double stepMilliseconds = 0; ///< median
  /// Distances of single values from the first run; empty without --values.
  ValueTable values;
};

/// The first run is what the others are compared with.
using ComparedRuns = std::vector<ComparedRun>;

/// A row for each `every`-th step and the last, then one for each run.
std::string tableText(const ComparedRuns &runs, int64_t every);
/// The same for programs, all steps.
std::string jsonText(const ComparedRuns &runs, const std::string &model);
/// A line for each step of each run.
std::string csvText(const ComparedRuns &runs);

} // namespace amp

#endif // AMP_TOOLS_AMP_COMPARE_REPORT_H
