//===- amp-compare.cpp - Training in several precisions, side by side -----===//

#include "CompileToPackage.h"
#include "Report.h"
#include "amp/Runtime/Parallel.h"
#include "amp/Runtime/Trainer/File.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <optional>

using namespace amp;

namespace {

constexpr const char *kPurpose =
    "Trains a model in several precisions on the same data and lays the runs\n"
    "side by side: losses, gaps, gradient norms, loss scales, skipped steps.\n"
    "\n"
    "  amp-compare cnn.onnx --batch 64 --loss softmax_cross_entropy \\\n"
    "      --optimizer sgd,lr=0.05 --data train.npz --steps 100\n"
    "  amp-compare cnn.onnx --batch 64 --loss mse --data train.npz \\\n"
    "      --precision fp32,bf16 --steps 20 --values --json runs.json\n"
    "  amp-compare cnn.onnx --batch 64 --loss mse --data train.npz \\\n"
    "      --tolerance 0.25%\n";

constexpr const char *kFooter =
    "Exit codes: 0 ok, 2 usage, 3 bad input, 4 unsupported, 5 internal error,\n"
    "6 cannot write, 7 a run is beyond --tolerance";

class CompareFlags {
public:
  explicit CompareFlags(CLI::App &app);
  void finish();

  CompileFlags compile;
  runtime::StepOptions steps;
  std::vector<std::string> precisions = {"fp32", "bf16", "fp16"};
  std::string json, csv;
  std::optional<double> tolerance;
  int64_t every = 0;
  bool values = false, quiet = false;

private:
  CLI::App &app;
  std::string toleranceText;
};

CompareFlags::CompareFlags(CLI::App &app) : app(app) {
  compile.addTo(app);
  app.remove_option(app.get_option("--precision"));
  app.add_option("--precision", precisions,
                 "Precisions to train in; gaps are from the first")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"fp32", "bf16", "fp16", "tf32"}))
      ->capture_default_str()
      ->group("Precision");
  const char *group = "Comparison";
  app.add_option("--every", every,
                 "Print every N-th step; default: about 20 rows")
      ->check(CLI::Range((int64_t)1, (int64_t)1 << 40))
      ->group(group);
  app.add_flag("--values", values,
               "Also compare every value of the first step, forward and\n"
               "backward, without keeping any, with a tolerance by precision\n"
               "and class of op, and print the one that would be needed")
      ->group(group);
  app.add_option("--tolerance", toleranceText,
                 "Fail if a mean gap is larger, as 0.25% or 0.0025; with\n"
                 "--values also if a value is beyond its tolerance")
      ->group(group);
  app.add_option("--json", json, "File for everything as JSON");
  app.add_option("--csv", csv, "File for a line for each step of each run");
  app.add_flag("-q,--quiet", quiet, "Print no table");
  steps.addTo(app, /*steps=*/20);
}

void CompareFlags::finish() {
  compile.finish();
  steps.finish();
  if (compile.request.loss.empty())
    throw CLI::ValidationError("--loss", "is needed: runs are trained");
  if (compile.request.target != "cpu")
    throw CLI::ValidationError("--target", "is cpu here: programs are run");
  if (!compile.request.policy.dumpTo.empty())
    throw CLI::ValidationError("--dump-precision-config",
                               "is of amp-compile: here are several");
  std::vector<std::string> sorted = precisions;
  std::sort(sorted.begin(), sorted.end());
  auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    throw CLI::ValidationError("--precision", "names " + *twice + " twice");
  if (precisions.size() < 2)
    throw CLI::ValidationError("--precision",
                               "needs at least two, such as fp32,bf16");
  if (!toleranceText.empty())
    tolerance = parseTolerance(toleranceText, "--tolerance");
  if (!every)
    every = std::max<int64_t>(1, (steps.options.steps.value_or(1) + 19) / 20);
}

/// One side of the comparison.
class Comparison {
public:
  explicit Comparison(CompareFlags &flags) : flags(flags) {}
  ComparedRuns run();

private:
  CompileRequest requestFor(const std::string &precision) const;
  ComparedRun train(const std::string &precision);
  SummaryObserver observe(CompileRequest request, std::string &scales);

  CompareFlags &flags;
};

CompileRequest Comparison::requestFor(const std::string &precision) const {
  CompileRequest request = flags.compile.request;
  request.precision = precision;
  request.emit = EmitStage::Package;
  request.accumulate = flags.steps.options.gradAccum > 1;
  request.entries = {"train_step"};
  if (request.accumulate)
    request.entries = {"accumulate", "apply"};
  request.probes = flags.values;
  // A scaler, config or storage that was asked for is one of low precision.
  if (precision == "fp32" || precision == "tf32") {
    request.lossScaler = "none";
    request.policy = PolicyRequest();
    request.state = StateStorage();
    request.ranges.clear();
  }
  return request;
}

ComparedRun Comparison::train(const std::string &precision) {
  ComparedRun run;
  run.precision = precision;
  CompiledPackage compiled = compilePackage(requestFor(precision), flags.quiet);
  for (const EntrySummary &entry : compiled.summary.entries)
    run.arenaBytes = std::max(run.arenaBytes, entry.arena);
  run.curve = trainCurve(compiled.package, flags.steps.options);
  std::vector<double> times;
  for (const runtime::StepRecord &record : run.curve.steps)
    times.push_back(record.stepMilliseconds);
  if (!times.empty()) {
    auto middle = times.begin() + std::ptrdiff_t(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    run.stepMilliseconds = *middle;
  }
  return run;
}

/// The loss scaler that has the scales of a step for ever.
std::string fixedScales(const runtime::StepRecord &record) {
  const std::string prefix = "loss_scale/";
  std::string text;
  for (const auto &[key, value] : record.named)
    if (key.rfind(prefix, 0) == 0)
      text += fmt::format("{}{}:static,scale={}", text.empty() ? "" : ";",
                          key.substr(prefix.size()), value);
  if (!text.empty())
    return text;
  return record.lossScale == 1
             ? "none"
             : fmt::format("static,scale={}", record.lossScale);
}

/// The values of one step; `scales` is a loss scaler that gives them the scales
/// they have.
SummaryObserver Comparison::observe(CompileRequest request,
                                    std::string &scales) {
  SummaryObserver observer;
  runtime::RunHooks hooks;
  hooks.observer = &observer;
  hooks.settleScale = true;
  runtime::Options options = flags.steps.options;
  options.steps = 1;
  Curve curve = trainCurve(compilePackage(request, /*quiet=*/true).package,
                           options, std::move(hooks));
  scales = curve.steps.empty() ? "none" : fixedScales(curve.steps[0]);
  return observer;
}

ComparedRuns Comparison::run() {
  ComparedRuns runs;
  for (const std::string &precision : flags.precisions)
    runs.push_back(train(precision));
  if (!flags.values)
    return runs;
  for (size_t i = 1; i < runs.size(); ++i) {
    std::string scales, same;
    SummaryObserver low = observe(requestFor(runs[i].precision), scales);
    // The reference has its gradients multiplied by the same numbers.
    CompileRequest wide = requestFor(runs[0].precision);
    wide.lossScaler = scales;
    SummaryObserver reference = observe(wide, same);
    runs[i].values = compareValues(reference, low, runs[i].precision);
  }
  return runs;
}

int compareRuns(CompareFlags &flags) {
  flags.finish();
  // Paths that cannot be written should not cost a training.
  std::optional<runtime::OutputFile> json, csv;
  if (!flags.json.empty())
    json.emplace(flags.json);
  if (!flags.csv.empty())
    csv.emplace(flags.csv);
  ComparedRuns runs = Comparison(flags).run();
  std::string model =
      llvm::sys::path::filename(flags.compile.request.model).str();
  if (json) {
    json->write(jsonText(runs, model));
    json->commit();
  }
  if (csv) {
    csv->write(csvText(runs));
    csv->commit();
  }
  if (!flags.quiet) {
    fmt::print("{}", tableText(runs, flags.every));
    for (size_t i = 1; flags.values && i < runs.size(); ++i)
      fmt::print("\n{}", valuesText(runs[i].values, runs[0].precision,
                                    runs[i].precision));
  }
  if (!flags.tolerance)
    return 0;
  bool passes = true;
  double needed = 0;
  for (size_t i = 1; i < runs.size(); ++i) {
    double gap = meanGap(runs[i].curve, runs[0].curve);
    needed = std::max(needed, gap);
    passes &= gap <= *flags.tolerance && runs[i].values.passes();
  }
  if (!flags.quiet)
    fmt::print("{}: tolerance {}, smallest that would pass {}\n",
               passes ? "ok" : "FAILED", percent(*flags.tolerance),
               percent(needed));
  return passes ? 0 : int(runtime::ExitCode::NumericCheck);
}

} // namespace

int main(int argc, char **argv) {
  runtime::ensureThreadEnvironment(argc, argv);
  CLI::App app(kPurpose, "amp-compare");
  app.set_version_flag("--version", "amp-compare " AMP_VERSION " (MLIR 22.1)");
  app.footer(kFooter);
  CompareFlags flags(app);
  return runTool(app, argc, argv, [&] { return compareRuns(flags); });
}
