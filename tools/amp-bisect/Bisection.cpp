//===- Bisection.cpp - Which nodes have to stay float32 -------------------===//

#include "Bisection.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <set>

namespace amp {

using runtime::Error;
using runtime::ExitCode;

Bisection::Bisection(const CompileRequest &request,
                     const BisectOptions &options,
                     const runtime::Options &steps)
    : request(request), options(options), metric(options.metric, steps) {
  CompileRequest &r = this->request;
  r.emit = EmitStage::Package;
  r.entries = {metric.entry(!r.loss.empty())};
  r.probes = false;
  r.accumulate = steps.gradAccum > 1;
  if (r.accumulate && options.metric == Metric::Kind::LossGap)
    r.entries = {"accumulate", "apply"};
}

/// What the user says about precision, tried on the model in the user's own
/// words: later all of it is part of a config that nobody has seen.
void Bisection::checkRequest() const {
  CompileRequest own = request;
  own.emit = EmitStage::Precision;
  CompileResult result = compileModel(own);
  if (result.exitCode)
    throw Error(ExitCode(result.exitCode), result.message);
  for (const std::string &warning : result.import.warnings)
    std::fprintf(stderr, "warning: %s\n", warning.c_str());
}

std::string Bisection::configFor(const Search::Set &kept) const {
  std::vector<std::string> names;
  for (size_t i : kept)
    names.push_back(candidates[i]);
  std::string text, message;
  if (int code =
          configKeeping(request.policy, names, options.allLow, text, message))
    throw Error(ExitCode(code), message);
  return text;
}

/// With a config and nothing else said about precision. Unless the program is
/// wanted as it will be used, everything low means rounded after every op: what
/// a node does must not depend on which others share its kernel.
CompiledPackage Bisection::compile(const std::string &config,
                                   bool asUsed) const {
  CompileRequest own = request;
  own.policy = PolicyRequest();
  // A file without text is none.
  if (!config.empty()) {
    own.policy.configFile = "config under test";
    own.policy.configText = config;
  }
  own.strictRounding |= options.allLow && !asUsed;
  return compilePackage(own, /*quiet=*/true);
}

double Bisection::gapOf(const CompiledPackage &compiled) {
  runtime::PackageInfo info(compiled.package->get());
  std::string key = info.identity() + info.codeDigest();
  auto found = gaps.find(key);
  if (found != gaps.end())
    return found->second;
  ++runs;
  return gaps[key] = metric.measure(compiled.package);
}

void Bisection::tell(const std::string &text) {
  if (!options.quiet)
    std::fprintf(stderr, "%s\n", text.c_str());
}

bool Bisection::test(const Search::Set &kept) {
  double gap =
      kept.empty() ? lowGap : gapOf(compile(configFor(kept), /*asUsed=*/false));
  bool passes = gap <= options.tolerance;
  std::chrono::duration<double> taken = Clock::now() - begin;
  std::string ahead;
  if (!kept.empty() && search->testsLeft() > 1)
    ahead = fmt::format(", {} more for this node, {:.1f} s",
                        search->testsLeft() - 1,
                        taken.count() / double(std::max<size_t>(runs, 1)) *
                            double(search->testsLeft() - 1));
  tell(fmt::format("run {:>3}  {:>4} of {} nodes float32  {} {}  {}{}", runs,
                   kept.size(), candidates.size(), options.metricName,
                   percent(gap), passes ? "passes" : "fails", ahead));
  return passes;
}

/// The iterations of a loop count as the node that they are of.
static bool isNode(const ImportedNode &node, const std::string &name) {
  return node.name == name || node.original == name;
}

/// What the program to begin with computes low.
void Bisection::findCandidates() {
  first = compile(configFor({}), /*asUsed=*/false);
  nodes = first->nodes;
  for (const std::string &name : first->summary.lowNodes)
    if (std::any_of(nodes.begin(), nodes.end(), [&](const ImportedNode &node) {
          return isNode(node, name);
        }))
      candidates.push_back(name);
}

BisectReport Bisection::run() {
  checkRequest();
  CompileRequest wide = request;
  wide.precision = "fp32";
  wide.lossScaler = "none";
  wide.policy = PolicyRequest();
  wide.ranges.clear();
  wide.state = StateStorage();
  metric.setReference(compilePackage(wide, /*quiet=*/true).package);
  ++runs;
  findCandidates();
  lowGap = gapOf(*first);

  // The low program was run; the last check is still to come.
  size_t spent = runs - 1 + (options.allLow ? 1 : 0);
  size_t budget = options.maxRuns > spent ? options.maxRuns - spent : 1;
  search.emplace(
      candidates.size(), [this](const Search::Set &kept) { return test(kept); },
      budget);
  BisectReport report;
  report.search = search->run();
  std::set<std::string> whole;
  for (const ImportedNode &node : nodes)
    whole.insert(node.original.empty() ? node.name : node.original);
  report.nodes = whole.size();
  report.candidates = candidates.size();
  report.lowGap = lowGap;
  if (report.search.passes) {
    for (size_t i : report.search.kept) {
      auto node = std::find_if(
          nodes.begin(), nodes.end(),
          [&](const ImportedNode &one) { return isNode(one, candidates[i]); });
      report.kept.push_back({candidates[i], node->opType});
    }
    std::string config = configFor(report.search.kept);
    report.finalGap = gapOf(compile(config, /*asUsed=*/true));
    report.search.passes = report.finalGap <= options.tolerance;
    report.onlyStrict = !report.search.passes;
    report.runs = runs;
    report.config = header(report) + config;
  }
  report.runs = runs;
  if (!report.search.passes)
    report.config.clear();
  return report;
}

std::string Bisection::header(const BisectReport &report) const {
  std::string model = llvm::sys::path::filename(request.model).str();
  for (char &c : model)
    if (static_cast<unsigned char>(c) < 0x20)
      c = '?';
  return fmt::format(
      "# amp-bisect {}, {}: {} of {} nodes in float32, {} {} (without: {}),\n"
      "# tolerance {}, {} runs\n",
      model, request.precision, report.kept.size(), report.nodes,
      options.metricName, percent(report.finalGap), percent(report.lowGap),
      options.toleranceText, report.runs);
}

} // namespace amp
