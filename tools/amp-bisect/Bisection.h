//===- Bisection.h - Which nodes have to stay float32 -----------*- C++ -*-===//

#ifndef AMP_TOOLS_AMP_BISECT_BISECTION_H
#define AMP_TOOLS_AMP_BISECT_BISECTION_H

#include "CompileToPackage.h"
#include "Metric.h"
#include "Search.h"
#include <chrono>

namespace amp {

/// What the user asked for.
struct BisectOptions {
  Metric::Kind metric = Metric::Kind::LossGap;
  std::string metricName = "loss-gap", toleranceText = "0.25%";
  double tolerance = 0.0025;
  /// Everything low at first, rounded after every op; else as the policy says.
  bool allLow = true;
  size_t maxRuns = 100;
  bool quiet = false;
};

/// A node of the result.
struct KeptNode {
  std::string name, opType;
};

struct BisectReport {
  SearchResult search;
  std::vector<KeptNode> kept;
  size_t nodes = 0, candidates = 0; ///< of the model; low at first
  /// Programs that were run, the float32 one and the last check included.
  size_t runs = 0;
  double lowGap = 0;   ///< of the program to begin with
  double finalGap = 0; ///< of the config alone, as amp-compile makes it
  /// The search found a set, but the config alone is beyond the tolerance.
  bool onlyStrict = false;
  std::string config; ///< the file; empty if nothing passes

  std::string text(const BisectOptions &options) const;
  std::string json(const BisectOptions &options) const;
};

/// One search; progress goes to the standard error.
class Bisection {
public:
  /// `request` is the low compile. Throws runtime::Error.
  Bisection(const CompileRequest &request, const BisectOptions &options,
            const runtime::Options &steps);

  BisectReport run();

private:
  using Clock = std::chrono::steady_clock;

  void checkRequest() const;
  std::string configFor(const Search::Set &kept) const;
  CompiledPackage compile(const std::string &config, bool asUsed) const;
  double gapOf(const CompiledPackage &compiled);
  bool test(const Search::Set &kept);
  void findCandidates();
  void tell(const std::string &text);
  std::string header(const BisectReport &report) const;

  CompileRequest request;
  const BisectOptions &options;
  Metric metric;
  std::vector<ImportedNode> nodes;
  std::vector<std::string> candidates;  ///< names, in program order
  std::optional<CompiledPackage> first; ///< nothing kept
  std::optional<Search> search;
  /// Gaps by what a program is: other nodes may make the same one.
  std::map<std::string, double> gaps;
  double lowGap = 0, lastGap = 0;
  size_t runs = 0;
  Clock::time_point begin = Clock::now();
};

} // namespace amp

#endif // AMP_TOOLS_AMP_BISECT_BISECTION_H
