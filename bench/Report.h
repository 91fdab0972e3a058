//===- Report.h - What a benchmark prints -----------------------*- C++ -*-===//
//
// Quantiles of times and of paired ratios, and the table of launches.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_BENCH_REPORT_H
#define AMP_BENCH_REPORT_H

#include "Subject.h"
#include <vector>

namespace amp::bench {

/// The value below which a share `part` of `values` lies (0.5: the median).
double quantile(std::vector<double> values, double part);

/// times[i][k]: seconds of subject i in round k.
using Times = std::vector<std::vector<double>>;

/// Median over the rounds of times[first][k] / times[second][k].
double pairedRatio(const Times &times, size_t first, size_t second);

/// Prints minimum, quartile and median of each subject and its memory, and the
/// ratio of the first subject to each other one.
void printTimes(const std::vector<std::unique_ptr<Subject>> &subjects,
                const Times &times);

/// Prints the sums by routine and phase, and the `count` dearest launches.
void printProfile(const Subject &subject, std::vector<LaunchCost> costs,
                  size_t count);

/// The same figures for programs.
void writeJson(const std::string &path,
               const std::vector<std::unique_ptr<Subject>> &subjects,
               const Times &times);

} // namespace amp::bench

#endif // AMP_BENCH_REPORT_H
