//===- Calibrate.cpp - Ranges of values before a compile ------------------===//

#include "Calibrate.h"
#include "Output.h"
#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/Calibration.h"
#include "amp/Runtime/Trainer/File.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <fmt/format.h>

namespace amp {

void CalibrateFlags::addTo(CLI::App &app) {
  const char *group = "Precision";
  CLI::Option *data =
      app.add_option("--calibrate", files,
                     "Data to train on in float32 before the compile, as\n"
                     "--data of the program; what ranges values had, forward\n"
                     "and gradient, then counts as evidence. Repeatable: one\n"
                     "file after the other")
          ->allow_extra_args(false)
          ->group(group);
  app.add_option("--calibrate-steps", steps,
                 "Steps of --calibrate; 0: every row once")
      ->check(CLI::Range((int64_t)0, (int64_t)1 << 31))
      ->capture_default_str()
      ->needs(data)
      ->group(group);
  app.add_option("--calibrate-out", output,
                 "Keep the ranges of --calibrate in this file, for --ranges")
      ->needs(data)
      ->group(group);
}

std::string CalibrateFlags::check() const { return checkOutput(output); }

int CalibrateFlags::run(CompileRequest &request, std::FILE *log,
                        std::string &message) {
  using namespace runtime;
  if (request.loss.empty()) {
    message = "--calibrate needs --loss: gradients have ranges, too";
    return int(ExitCode::Usage);
  }
  if (!request.ranges.empty()) {
    message = "--calibrate makes the ranges that --ranges reads; give one";
    return int(ExitCode::Usage);
  }
  try {
    CompileRequest single = request;
    single.precision = "fp32";
    single.lossScaler = "none";
    single.accumulate = false;
    single.probes = true;
    single.target = "cpu";
    single.cpu = "native";
    single.entries = {"train_step"};
    single.emit = EmitStage::Package;
    single.dumpPhasesTo.clear();
    single.report = {};
    CompileResult made = compileModel(single);
    if (made.exitCode) {
      message = made.message;
      return made.exitCode;
    }
    Session session(Package::fromBytes(std::move(made.output)),
                    SessionOptions());
    RangeRecorder recorder;
    CalibrationOptions options;
    options.files = files;
    options.steps = steps;
    CalibrationRun run = calibrate(session, options, recorder);
    std::string text = renderRanges(
        recorder, run, llvm::sys::path::filename(request.model).str(),
        made.fingerprint);
    if (log)
      fmt::print(log, "calibration {} steps in float32, {} rows, {} values\n",
                 run.steps, run.rows, recorder.values().size());
    if (log && run.skipped)
      fmt::print(log,
                 "warning: {} steps of the calibration were skipped, for "
                 "their gradients were not finite in float32\n",
                 run.skipped);
    std::string path = output;
    if (path.empty()) {
      llvm::SmallString<128> temporary;
      if (auto error = llvm::sys::fs::createTemporaryFile("amp-ranges", "json",
                                                          temporary))
        throw Error(ExitCode::IO, fmt::format("cannot write a temporary file: "
                                              "{}",
                                              error.message()));
      path = temporary.str().str();
      remover.setFile(path);
    }
    OutputFile file(path);
    file.write(text);
    file.commit();
    request.ranges = path;
    return 0;
  } catch (const Error &error) {
    message = fmt::format("--calibrate: {}", error.what());
    return int(error.code());
  } catch (const std::bad_alloc &) {
    message = "--calibrate: out of memory";
    return int(ExitCode::Diverged);
  } catch (const std::exception &error) {
    message = fmt::format("--calibrate: {}", error.what());
    return int(ExitCode::Diverged);
  }
}

} // namespace amp
