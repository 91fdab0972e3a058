//===- amp-bisect.cpp - The nodes that low precision spoils ---------------===//

#include "Bisection.h"
#include "amp/Runtime/Parallel.h"
#include "amp/Runtime/Trainer/File.h"
#include <cstdio>
#include <fmt/format.h>
#include <optional>

using namespace amp;

namespace {

constexpr const char *kPurpose =
    "Finds the smallest set of ONNX nodes to keep in float32 so that a low-\n"
    "precision run agrees with the float32 one, and writes it as a precision\n"
    "config.\n"
    "\n"
    "  amp-bisect cnn.onnx --batch 64 --loss softmax_cross_entropy \\\n"
    "      --optimizer sgd,lr=0.05 --precision fp16 --data train.npz \\\n"
    "      --metric loss-gap --tolerance 0.25% -o keep.yaml\n"
    "  amp-compile cnn.onnx --batch 64 --loss softmax_cross_entropy \\\n"
    "      --precision fp16 --precision-config keep.yaml -o train_cnn\n"
    "\n"
    "  amp-bisect cnn.onnx --batch 64 --loss mse --precision bf16 \\\n"
    "      --data train.npz --metric gradient --tolerance 5% --start policy\n";

constexpr const char *kFooter =
    "k nodes of n take about k (log2 n + 2) runs; every run trains (or\n"
    "evaluates) --steps batches. A dynamic loss scale has settled before the\n"
    "first step. Data: as for the compiled program.\n"
    "Exit codes: 0 ok, 2 usage, 3 bad input, 4 unsupported, 5 internal error,\n"
    "6 cannot write, 7 no set of nodes makes it pass";

constexpr std::pair<const char *, Metric::Kind> kMetrics[] = {
    {"loss-gap", Metric::Kind::LossGap},
    {"gradient", Metric::Kind::Gradient},
    {"output", Metric::Kind::Output}};

/// The options, and what they mean together.
class BisectFlags {
public:
  explicit BisectFlags(CLI::App &app);
  void finish();

  CompileFlags compile;
  runtime::StepOptions steps;
  BisectOptions options;
  std::string output, json;

private:
  CLI::App &app;
  std::string start;
};

BisectFlags::BisectFlags(CLI::App &app) : app(app) {
  compile.request.precision = "fp16";
  compile.addTo(app);
  const char *group = "Search";
  app.add_option(
         "--metric", options.metricName,
         "loss-gap: mean relative gap of the losses of a training run,\n"
         "over its second half; gradient, output: ||a - b|| / ||b|| of\n"
         "all gradients or outputs, the worst of the batches")
      ->check(CLI::IsMember({"loss-gap", "gradient", "output"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--tolerance", options.toleranceText,
                 "Largest distance that passes, as 0.25% or 0.0025")
      ->capture_default_str()
      ->group(group);
  app.add_option("--start", start,
                 "all-low: everything low at first, rounded after every op,\n"
                 "range evidence off; policy: as the precision options say\n"
                 "(default if one of them is given)")
      ->check(CLI::IsMember({"all-low", "policy"}))
      ->group(group);
  app.add_option("--max-runs", options.maxRuns,
                 "Programs to run at most, the float32 one and the last check\n"
                 "included")
      ->check(CLI::Range(3, 1000000))
      ->capture_default_str()
      ->group(group);
  app.add_option("-o,--output", output,
                 "File for the precision config (default: standard output)");
  app.add_option("--json", json, "File for the result as JSON");
  app.add_flag("-q,--quiet", options.quiet, "No progress");
  steps.addTo(app, /*steps=*/10);
}

void BisectFlags::finish() {
  compile.finish();
  steps.finish();
  CompileRequest &request = compile.request;
  if (request.precision != "bf16" && request.precision != "fp16")
    throw CLI::ValidationError("--precision", "is fp16 or bf16 here, not " +
                                                  request.precision);
  if (request.target != "cpu")
    throw CLI::ValidationError("--target", "is cpu here: programs are run");
  if (!request.policy.dumpTo.empty())
    throw CLI::ValidationError("--dump-precision-config",
                               "excludes amp-bisect: -o has the config");
  for (auto &[name, kind] : kMetrics)
    if (options.metricName == name)
      options.metric = kind;
  if (options.metric != Metric::Kind::Output && request.loss.empty())
    throw CLI::ValidationError("--metric",
                               options.metricName + " needs --loss");
  options.tolerance = parseTolerance(options.toleranceText, "--tolerance");
  const char *decisive[] = {"--policy", "--assign", "--range-evidence",
                            "--ranges", "--precision-config"};
  options.allLow = start == "all-low";
  if (start.empty())
    options.allLow = std::none_of(
        std::begin(decisive), std::end(decisive),
        [&](const char *name) { return app.get_option(name)->count() > 0; });
}

int bisect(BisectFlags &flags) {
  flags.finish();
  // A path that cannot be written should not cost a search.
  std::optional<runtime::OutputFile> json, output;
  if (!flags.json.empty())
    json.emplace(flags.json);
  if (!flags.output.empty())
    output.emplace(flags.output);
  Bisection bisection(flags.compile.request, flags.options,
                      flags.steps.options);
  BisectReport report = bisection.run();
  if (json) {
    json->write(report.json(flags.options));
    json->commit();
  }
  // Without -o the standard output holds the config alone.
  fmt::print(output ? stdout : stderr, "{}", report.text(flags.options));
  if (!report.search.passes)
    return int(runtime::ExitCode::NumericCheck);
  if (!output) {
    fmt::print("{}", report.config);
    return 0;
  }
  output->write(report.config);
  output->commit();
  fmt::print("wrote {}\n", flags.output);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  runtime::ensureThreadEnvironment(argc, argv);
  CLI::App app(kPurpose, "amp-bisect");
  app.set_version_flag("--version", "amp-bisect " AMP_VERSION " (MLIR 22.1)");
  app.footer(kFooter);
  BisectFlags flags(app);
  return runTool(app, argc, argv, [&] { return bisect(flags); });
}
