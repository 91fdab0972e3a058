//===- UnusedOptions.cpp - Options a mode has no use for ------------------===//
//
// A command line that was written for training is handy for an evaluation, too,
// so what says nothing there is no error; but it is said.
//
//===----------------------------------------------------------------------===//

#include "Declarations.h"

using namespace amp::runtime;

namespace {

enum Modes : unsigned {
  kTrain = 1,
  kEval = 2,
  kPredict = 4,
  kExport = 8,
  kInfo = 16
};

/// Options that not every mode uses, and those that do.
constexpr struct {
  const char *name;
  unsigned modes;
} kUses[] = {
    {"--data", kTrain | kEval | kPredict},
    {"--map", kTrain | kEval | kPredict},
    {"--scale", kTrain | kEval | kPredict},
    {"--val", kTrain | kEval},
    {"--shuffle", kTrain},
    {"--no-shuffle", kTrain},
    {"--seed", kTrain},
    {"--last-batch", kTrain},
    {"--steps", kTrain},
    {"--epochs", kTrain},
    {"--lr", kTrain},
    {"--lr-schedule", kTrain},
    {"--grad-accum", kTrain},
    {"--dropout", kTrain},
    {"--clip-norm", kTrain},
    {"--clip-value", kTrain},
    {"--eval-every", kTrain},
    {"--max-bad-steps", kTrain},
    {"--detect-anomaly", kTrain},
    {"--abort-after-skips", kTrain},
    {"--metrics", kTrain | kEval},
    {"--checkpoint-dir", kTrain | kEval | kPredict | kExport},
    {"--checkpoint-every", kTrain},
    {"--keep", kTrain},
    {"--resume", kTrain | kEval | kPredict | kExport},
    {"--log-every", kTrain},
};

struct ModeName {
  unsigned bit;
  const char *name;
};

ModeName describe(Mode mode) {
  switch (mode) {
  case Mode::Eval:
    return {kEval, "--eval"};
  case Mode::Predict:
    return {kPredict, "--predict"};
  case Mode::ExportOnly:
    return {kExport, "--export without training"};
  case Mode::PrintInfo:
    return {kInfo, "--print-info"};
  case Mode::Train:
    break;
  }
  return {kTrain, "training"};
}

} // namespace

std::vector<std::string> amp::runtime::unusedOptions(const CLI::App &app,
                                                     const Options &options) {
  auto given = [&](const char *name) { return app.count(name) > 0; };
  ModeName mode = describe(options.mode);
  std::string unused;
  for (const auto &use : kUses)
    if (!(use.modes & mode.bit) && given(use.name))
      unused += (unused.empty() ? "" : ", ") + std::string(use.name);
  std::vector<std::string> warnings;
  if (!unused.empty())
    warnings.push_back(fmt::format("{} has no use for {}", mode.name, unused));
  bool restores = options.mode == Mode::Eval || options.mode == Mode::Predict ||
                  options.mode == Mode::ExportOnly;
  if (restores && given("--checkpoint-dir") && !options.resume)
    warnings.push_back(fmt::format(
        "{} uses the weights in the program; --resume takes those in "
        "--checkpoint-dir",
        mode.name));
  if (options.mode == Mode::Eval && given("--val") && given("--data"))
    warnings.push_back("--eval evaluates --val alone, not --data");
  if (options.mode == Mode::Train && given("--eval-every") && !given("--val"))
    warnings.push_back("--eval-every has nothing to evaluate without --val");
  if (options.mode == Mode::Train && given("--keep") &&
      !given("--checkpoint-dir"))
    warnings.push_back("--keep has nothing to keep without --checkpoint-dir");
  return warnings;
}
