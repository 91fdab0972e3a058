//===- Options.cpp - Command line of the trainer --------------------------===//
//
// Declares the options with CLI11. Values are read as text and parsed by our
// own functions, so that every message says what would be accepted.
//
//===----------------------------------------------------------------------===//

#include "Declarations.h"
#include "amp/ABI/EmptyValues.h"
#include <algorithm>
#include <iostream>
#include <limits>

using namespace amp::runtime;

namespace {

constexpr const char *kPurpose =
    "Trains, evaluates and runs the model that was compiled into this program.";

constexpr const char *kExamples = R"(Examples:
  train --data train.npz --val test.npz --epochs 10 --checkpoint-dir ckpt
  train --data input=images-idx3-ubyte.gz,target=labels-idx1-ubyte.gz \
        --epochs 2 --export trained.onnx
  train --data train.npz --epochs 10 --checkpoint-dir ckpt --resume
  train --eval --data test.npz --resume=ckpt
  train --predict --data test.npz --resume=ckpt -o out.npz

Data: FILE is .npz (arrays by name), .npy or IDX, plain or .gz; NAME=FILE names
the array of a .npy or IDX file. Axis 0 counts the rows. Element types may
widen (int32 to int64, uint8 or float64 to float32), never narrow. The bytes of
IDX files are divided by 255 for a float input, unless --scale says otherwise;
--scale input=1 leaves them as they are.

Exit codes: 0 done, 2 usage, 3 bad data or checkpoint, 4 unsupported,
5 diverged, 6 cannot write, 75 interrupted (run again with --resume).
)";

DetectAnomaly parseDetectAnomaly(const std::string &text) {
  if (text.empty() || text == "stop")
    return DetectAnomaly::Stop;
  if (text == "report")
    return DetectAnomaly::Report;
  throw Error(
      ExitCode::Usage,
      fmt::format("--detect-anomaly is stop or report, not '{}'", text));
}

/// State of the parse that is no option itself.
struct Seen {
  bool eval = false, predict = false, printInfo = false;
  Order order;
  std::optional<double> clipNorm, clipValue;
};

void declareData(Declarations &d, Options &o, Seen &seen) {
  declareRows(d, o, seen.order);
  d.value("--val", "SOURCE", "the same, for evaluation",
          [&](const std::string &text) { o.validation.push_back(text); });
}

void declareTraining(Declarations &d, Options &o, Seen &seen) {
  d.group = "Training";
  declareSteps(d, o);
  d.integer("--epochs", "passes over the data, default 1", o.epochs, 0,
            1000000);
  d.number("--clip-norm", "bound of the gradient norm, if compiled with it",
           seen.clipNorm, 0);
  d.number("--clip-value", "bound of each gradient, if compiled with it",
           seen.clipValue, 0);
  d.integer("--eval-every",
            "evaluate on --val each N steps (default: each epoch)", o.evalEvery,
            1, kMostSteps);
  d.integer("--max-bad-steps",
            "give up after N steps in a row without a finite loss, or skipped "
            "at the minimal loss scale, default 20, 0 never",
            o.maxBadSteps, 0, kMostSteps);
  d.value("--detect-anomaly", "[stop|report]",
          "repeat a step whose loss or gradients are not finite and name the "
          "op that began it; then stop (default) or go on",
          [&](const std::string &text) {
            o.detectAnomaly = parseDetectAnomaly(text);
          })
      ->expected(0, 1);
  d.value("--abort-after-skips", "N",
          "give up after N skipped steps in a row, 0 never (default: the loss "
          "scaler's abort_after)",
          [&](const std::string &text) {
            o.abortAfterSkips =
                parseInteger(text, "--abort-after-skips", 0, kMostSteps);
          });
}

void declareFiles(Declarations &d, Options &o) {
  d.group = "Files";
  d.text("--metrics", "FILE", "log as one JSON object a line", o.metrics);
  d.text("--checkpoint-dir", "DIR", "folder for checkpoints", o.checkpointDir);
  d.integer("--checkpoint-every",
            "steps between checkpoints (default: only the last)",
            o.checkpointEvery, 1, kMostSteps);
  d.integer("--keep", "checkpoints to keep, default 3, 0 all", o.keep, 0,
            1 << 20);
  d.value("--resume", "[PATH]",
          "go on from the newest checkpoint in --checkpoint-dir, if there is "
          "one; with =PATH from that one",
          [&](const std::string &text) {
            o.resume = true;
            o.resumePath = text;
          })
      ->expected(0, 1);
  d.text("--export", "OUT.onnx", "write the model with the trained weights",
         o.exportOutput);
  d.text("-o,--output", "OUT.npz", "file for --predict", o.predictOutput);
}

void declareGeneral(Declarations &d, Options &o, Seen &seen) {
  d.group = "Other";
  d.flag("--eval", "only evaluate --val or --data", [&] { seen.eval = true; });
  d.flag("--predict", "only run the model over --data",
         [&] { seen.predict = true; });
  d.flag("--print-info", "show entry points, variables, memory and options",
         [&] { seen.printInfo = true; });
  declareDevice(d, o);
  d.integer("--log-every", "steps between lines of progress", o.logEvery, 1,
            kMostSteps);
  d.flag("-q,--quiet", "print errors only", [&] { o.verbosity = 0; });
  d.flag("-v,--verbose", "print more", [&] { o.verbosity = 2; });
  d.value("--package", "FILE", "use the package of this file",
          [](const std::string &) {});
}

/// What depends on several options at once.
void settle(Options &o, const Seen &seen, const PackageInfo *info) {
  auto usage = [](const std::string &text) {
    throw Error(ExitCode::Usage, text);
  };
  if (int(seen.eval) + int(seen.predict) + int(seen.printInfo) > 1)
    usage("--eval, --predict and --print-info exclude each other");
  settleOrder(o, seen.order);
  bool trains = o.steps || o.epochs;
  if (!trains)
    o.epochs = 1;
  if (seen.clipNorm && seen.clipValue)
    usage("--clip-norm and --clip-value exclude each other");
  std::string clip = info ? info->meta("clip.mode", "none") : "none";
  if (seen.clipNorm && clip != "norm")
    usage("--clip-norm needs a model compiled with --clip-norm");
  if (seen.clipValue && clip != "value")
    usage("--clip-value needs a model compiled with --clip-value");
  o.clip = seen.clipNorm ? seen.clipNorm : seen.clipValue;
  if (info)
    checkRates(o, *info);
  if (o.resume && o.resumePath.empty() && o.checkpointDir.empty())
    usage("--resume needs --checkpoint-dir DIR or --resume=PATH");
  if (o.checkpointEvery && o.checkpointDir.empty())
    usage("--checkpoint-every needs --checkpoint-dir DIR");

  if (seen.printInfo)
    o.mode = Mode::PrintInfo;
  else if (seen.eval)
    o.mode = Mode::Eval;
  else if (seen.predict)
    o.mode = Mode::Predict;
  else if (o.data.sources.empty() && !trains && !o.exportOutput.empty())
    o.mode = Mode::ExportOnly;
  if (o.mode == Mode::Predict && o.predictOutput.empty())
    usage("--predict needs -o OUT.npz");
  // Who names a file expects it.
  if (o.mode != Mode::Predict && !o.predictOutput.empty())
    usage("-o is the file of --predict");
  if (o.mode != Mode::Train && o.mode != Mode::ExportOnly &&
      !o.exportOutput.empty())
    usage("--export goes with training; without --data it writes the weights "
          "of --resume");
  bool needsData = o.mode == Mode::Train || o.mode == Mode::Predict ||
                   (o.mode == Mode::Eval && o.validation.empty());
  if (needsData && o.data.sources.empty())
    usage("no data; give --data FILE (--help shows how)");
}

} // namespace

std::string amp::runtime::packageOption(int argc, const char *const *argv) {
  const std::string name = "--package";
  for (int i = 1; i < argc; ++i) {
    std::string text = argv[i];
    if (text == name && i + 1 < argc)
      return argv[i + 1];
    if (text.rfind(name + "=", 0) == 0)
      return text.substr(name.size() + 1);
  }
  return "";
}

std::optional<Options> amp::runtime::parseOptions(int argc,
                                                  const char *const *argv,
                                                  const PackageInfo *info) {
  Options options;
  options.maxBadSteps = 20;
  Seen seen;
  std::string description = kPurpose;
  if (info)
    description += "\n\nThe model:\n" + info->summary();
  CLI::App app(description);
  app.name(argc > 0 ? argv[0] : "amp-trainer");
  app.footer(kExamples);
  app.set_help_flag("-h,--help", "print this text");
  app.set_version_flag("--version", "amp-trainer " AMP_VERSION);
  app.get_formatter()->column_width(34);
  Declarations declarations(app);
  declareData(declarations, options, seen);
  declareTraining(declarations, options, seen);
  declareFiles(declarations, options);
  declareGeneral(declarations, options, seen);
  try {
    app.parse(argc, argv);
    amp::abi::refuseEmptyValues(app);
  } catch (const CLI::Success &success) {
    app.exit(success, std::cout, std::cerr);
    return std::nullopt;
  } catch (const CLI::ParseError &error) {
    throw Error(ExitCode::Usage,
                fmt::format("{} (--help lists the options)", error.what()));
  }
  settle(options, seen, info);
  options.warnings = unusedOptions(app, options);
  return options;
}
