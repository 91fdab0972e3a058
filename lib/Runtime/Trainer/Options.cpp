//===- Options.cpp - Command line of the trainer --------------------------===//
//
// Declares the options with CLI11. Values are read as text and parsed by our
// own functions, so that every message says what would be accepted.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Options.h"
#include "amp/Runtime/Error.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <limits>

using namespace amp::runtime;

namespace {

constexpr int64_t kMost = int64_t(1) << 40;

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

/// Declares options on an app and keeps the parsers next to them.
class Declarations {
public:
  explicit Declarations(CLI::App &app) : app(app) {}

  /// An option whose text goes through `accept`.
  CLI::Option *value(const std::string &name, const std::string &placeholder,
                     const std::string &help,
                     std::function<void(const std::string &)> accept) {
    CLI::Option *option = app.add_option_function<std::vector<std::string>>(
        name,
        [accept](const std::vector<std::string> &texts) {
          for (const std::string &text : texts)
            accept(text);
        },
        help);
    option->type_name(placeholder)->type_size(1)->expected(1);
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    // Repeatable, but each occurrence takes no more than its own value.
    option->allow_extra_args(false);
    return option->group(group);
  }

  template <typename T>
  CLI::Option *integer(const std::string &name, const std::string &help,
                       T &target, int64_t lowest, int64_t highest) {
    return value(name, "N", help, [=, &target](const std::string &text) {
      target = parseInteger(text, name, lowest, highest);
    });
  }

  CLI::Option *number(const std::string &name, const std::string &help,
                      std::optional<double> &target, double lowest) {
    return value(name, "X", help, [=, &target](const std::string &text) {
      double parsed = parseNumber(text, name);
      if (parsed < lowest)
        throw Error(ExitCode::Usage,
                    fmt::format("{} must be at least {}, not '{}'", name,
                                lowest, text));
      target = parsed;
    });
  }

  CLI::Option *text(const std::string &name, const std::string &placeholder,
                    const std::string &help, std::string &target) {
    return value(name, placeholder, help,
                 [&target](const std::string &text) { target = text; });
  }

  CLI::Option *flag(const std::string &name, const std::string &help,
                    std::function<void()> action) {
    return app.add_flag_callback(name, action, help)->group(group);
  }

  std::string group;

private:
  CLI::App &app;
};

/// Splits "KEY=VALUE" at the last (or only) sign.
std::pair<std::string, std::string> splitPair(const std::string &text,
                                              const char *option) {
  size_t equal = text.rfind('=');
  if (equal == std::string::npos || equal == 0 || equal + 1 == text.size())
    throw Error(ExitCode::Usage,
                fmt::format("{} takes NAME=VALUE, not '{}'", option, text));
  return {text.substr(0, equal), text.substr(equal + 1)};
}

void forEachPair(const std::string &text, const char *option,
                 const std::function<void(const std::string &,
                                          const std::string &)> &accept) {
  for (size_t start = 0; start <= text.size();) {
    size_t comma = std::min(text.find(',', start), text.size());
    auto [key, value] = splitPair(text.substr(start, comma - start), option);
    accept(key, value);
    start = comma + 1;
  }
}

LastBatch parseLastBatch(const std::string &text) {
  for (LastBatch mode : {LastBatch::Drop, LastBatch::Wrap, LastBatch::Pad})
    if (text == nameOf(mode))
      return mode;
  throw Error(ExitCode::Usage,
              fmt::format("--last-batch '{}' is unknown, expected drop, wrap "
                          "or pad",
                          text));
}

bool parseSwitch(const std::string &text, const char *option) {
  if (text != "on" && text != "off")
    throw Error(ExitCode::Usage,
                fmt::format("{} is on or off, not '{}'", option, text));
  return text == "on";
}

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
  bool shuffle = false, noShuffle = false;
  std::optional<double> clipNorm, clipValue;
};

void declareData(Declarations &d, Options &o, Seen &seen) {
  d.group = "Data";
  d.value("--data", "SOURCE", "FILE or NAME=FILE[,NAME=FILE..]; repeatable",
          [&](const std::string &text) { o.data.sources.push_back(text); });
  d.value("--val", "SOURCE", "the same, for evaluation",
          [&](const std::string &text) { o.validation.push_back(text); });
  d.value("--map", "KEY=NAME", "feed array KEY of a file to input NAME",
          [&](const std::string &text) {
            forEachPair(text, "--map", [&](auto &key, auto &name) {
              o.data.renames[key] = name;
            });
          });
  d.value("--scale", "NAME=X", "multiply a float input by X, such as 1/255",
          [&](const std::string &text) {
            forEachPair(text, "--scale", [&](auto &name, auto &value) {
              size_t slash = value.find('/');
              Scaling scaling;
              scaling.factor = parseNumber(value.substr(0, slash), "--scale");
              if (slash != std::string::npos)
                scaling.divisor =
                    parseNumber(value.substr(slash + 1), "--scale");
              if (scaling.divisor == 0)
                throw Error(ExitCode::Usage, "--scale divides by zero");
              o.data.scalings[name] = scaling;
            });
          });
  d.flag("--shuffle", "new order each epoch (default with --epochs)",
         [&] { seen.shuffle = true; });
  d.flag("--no-shuffle", "file order (default with --steps alone)",
         [&] { seen.noShuffle = true; });
  d.value("--seed", "N", "seed of order and dropout, default 0",
          [&](const std::string &text) {
            o.seed = uint64_t(parseInteger(
                text, "--seed", 0, std::numeric_limits<int64_t>::max()));
          });
  d.value("--last-batch", "drop|wrap|pad",
          "rows that fill no batch: left out (default), filled up with the "
          "next epoch's, or with rows that do not count",
          [&](const std::string &text) { o.lastBatch = parseLastBatch(text); });
}

void declareTraining(Declarations &d, Options &o, Seen &seen) {
  d.group = "Training";
  d.integer("--epochs", "passes over the data, default 1", o.epochs, 0,
            1000000);
  d.integer("--steps", "updates in total, resumed ones included", o.steps, 0,
            kMost);
  d.value("--lr", "[NAME:]X",
          "base learning rate instead of the compiled one; with NAME of one "
          "optimizer of several",
          [&](const std::string &text) {
            size_t colon = text.rfind(':');
            bool named = colon != std::string::npos;
            std::string number = named ? text.substr(colon + 1) : text;
            double rate = parseNumber(number, "--lr");
            if (rate < 0)
              throw Error(
                  ExitCode::Usage,
                  fmt::format("--lr must be at least 0, not '{}'", number));
            if (named)
              o.groupLr[text.substr(0, colon)] = rate;
            else
              o.lr = rate;
          });
  d.value("--lr-schedule", "KIND[,key=value..]",
          "constant | step,period=N,gamma=X | cosine[,total=N,min=X] | "
          "linear[,total=N,min=X]; each with ,warmup=N",
          [&](const std::string &text) {
            o.schedule = Schedule::parse(text);
            o.scheduleText = text;
          });
  d.number("--clip-norm", "bound of the gradient norm, if compiled with it",
           seen.clipNorm, 0);
  d.number("--clip-value", "bound of each gradient, if compiled with it",
           seen.clipValue, 0);
  d.integer("--grad-accum", "batches per update, if compiled with --accumulate",
            o.gradAccum, 1, 1 << 20);
  d.value("--dropout", "on|off", "default on", [&](const std::string &text) {
    o.dropout = parseSwitch(text, "--dropout");
  });
  d.integer("--eval-every",
            "evaluate on --val each N steps (default: each epoch)", o.evalEvery,
            1, kMost);
  d.integer("--max-bad-steps",
            "give up after N steps in a row without a finite loss, or skipped "
            "at the minimal loss scale, default 20, 0 never",
            o.maxBadSteps, 0, kMost);
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
                parseInteger(text, "--abort-after-skips", 0, kMost);
          });
}

void declareFiles(Declarations &d, Options &o) {
  d.group = "Files";
  d.text("--metrics", "FILE", "log as one JSON object a line", o.metrics);
  d.text("--checkpoint-dir", "DIR", "folder for checkpoints", o.checkpointDir);
  d.integer("--checkpoint-every",
            "steps between checkpoints (default: only the last)",
            o.checkpointEvery, 1, kMost);
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
  d.text("--device", "NAME", "default cpu", o.session.device);
  d.integer("--threads", "default: one per core", o.session.threads, 1, 4096);
  d.integer("--log-every", "steps between lines of progress", o.logEvery, 1,
            kMost);
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
  if (seen.shuffle && seen.noShuffle)
    usage("--shuffle and --no-shuffle exclude each other");
  o.shuffle = seen.shuffle || (!seen.noShuffle && !(o.steps && !o.epochs));
  if (!o.steps && !o.epochs)
    o.epochs = 1;
  if (seen.clipNorm && seen.clipValue)
    usage("--clip-norm and --clip-value exclude each other");
  std::string clip = info ? info->meta("clip.mode", "none") : "none";
  if (seen.clipNorm && clip != "norm")
    usage("--clip-norm needs a model compiled with --clip-norm");
  if (seen.clipValue && clip != "value")
    usage("--clip-value needs a model compiled with --clip-value");
  o.clip = seen.clipNorm ? seen.clipNorm : seen.clipValue;
  std::vector<std::string> groups =
      info ? info->list("optimizer.groups") : std::vector<std::string>();
  for (const auto &[name, rate] : o.groupLr)
    if (info && std::find(groups.begin(), groups.end(), name) == groups.end())
      usage(fmt::format("--lr names the optimizer '{}', but {}", name,
                        groups.empty() ? std::string("the model's has no name")
                                       : fmt::format("the optimizers are: {}",
                                                     fmt::join(groups, ", "))));
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
  else if (o.data.sources.empty() && !o.exportOutput.empty())
    o.mode = Mode::ExportOnly;
  if (o.mode == Mode::Predict && o.predictOutput.empty())
    usage("--predict needs -o OUT.npz");
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
  } catch (const CLI::Success &success) {
    app.exit(success, std::cout, std::cerr);
    return std::nullopt;
  } catch (const CLI::ParseError &error) {
    throw Error(ExitCode::Usage,
                fmt::format("{} (--help lists the options)", error.what()));
  }
  settle(options, seen, info);
  return options;
}
