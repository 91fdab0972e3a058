//===- Options.h - Command line of the trainer ------------------*- C++ -*-===//
//
// All options as values; parsing and checking of what can be checked without
// data.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_OPTIONS_H
#define AMP_RUNTIME_TRAINER_OPTIONS_H

#include "amp/Runtime/Trainer/BatchPlan.h"
#include "amp/Runtime/Trainer/DataSet.h"
#include "amp/Runtime/Trainer/PackageInfo.h"
#include "amp/Runtime/Trainer/Schedule.h"

namespace CLI {
class App;
} // namespace CLI

namespace amp::runtime {

/// What the program was asked to do.
enum class Mode { Train, Eval, Predict, ExportOnly, PrintInfo };

/// What happens when a step is not finite, beside being skipped.
enum class DetectAnomaly {
  Off,
  Stop,  ///< name the op that began it, end with exit code 5
  Report ///< name it and go on
};

/// The command line.
struct Options {
  Mode mode = Mode::Train;

  DataOptions data;
  std::vector<std::string> validation;
  std::string predictOutput, exportOutput, metrics;

  std::optional<int64_t> epochs, steps;
  bool shuffle = true;
  uint64_t seed = 0;
  LastBatch lastBatch = LastBatch::Drop;
  int64_t gradAccum = 1;

  std::optional<double> lr;
  /// The same for single optimizers, by name.
  std::map<std::string, double> groupLr;
  Schedule schedule;
  std::string scheduleText = "constant";
  std::optional<double> clip;

  DetectAnomaly detectAnomaly = DetectAnomaly::Off;
  int64_t evalEvery = 0;
  int64_t maxBadSteps = 0;
  /// Skipped steps in a row that end the run, 0 never; unset: as compiled.
  std::optional<int64_t> abortAfterSkips;
  int64_t logEvery = 0;

  std::string checkpointDir;
  int64_t checkpointEvery = 0;
  int keep = 3;
  bool resume = false;
  std::string resumePath;

  SessionOptions session;
  bool dropout = true;
  int verbosity = 1; ///< 0 quiet, 1 normal, 2 verbose
  /// What was given and has no effect, for the standard error.
  std::vector<std::string> warnings;
};

/// Parses the command line. Returns nothing if a text such as --help was
/// printed instead. Throws Error(Usage). `info` may be null (--help without a
/// package).
std::optional<Options> parseOptions(int argc, const char *const *argv,
                                    const PackageInfo *info);

/// Throws Error(Usage) if --lr names an optimizer that the package lacks.
void checkRates(const Options &options, const PackageInfo &info);

/// The part of the options that other programs which train take as well: data
/// and their order, steps, learning rate, dropout, device.
class StepOptions {
public:
  StepOptions();
  ~StepOptions();

  /// Declares them; `steps` is the default of --steps. Parsing throws
  /// Error(Usage) for values that make no sense.
  void addTo(CLI::App &app, int64_t steps);
  /// After parsing. Throws Error(Usage).
  void finish();

  Options options;

private:
  struct State;
  std::unique_ptr<State> state;
};

/// The value of --package, which has to be known before all others.
std::string packageOption(int argc, const char *const *argv);

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_OPTIONS_H
