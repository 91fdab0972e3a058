//===- Program.cpp - The trainer as a function ----------------------------===//
//
// Opens the package, chooses the mode, and turns errors into one line and an
// exit code.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Program.h"
#include "amp/Runtime/Trainer/Signals.h"
#include "amp/Runtime/Trainer/TrainingRun.h"
#include <cstdio>
#include <fmt/format.h>
#include <iostream>
#include <new>

using namespace amp;
using namespace amp::runtime;

namespace {

/// Opens what carries the package; with nothing named and nothing on board the
/// result is null, so that --help still works.
std::shared_ptr<const Package> openPackage(int argc, const char *const *argv,
                                           std::string &problem) {
  std::string path = packageOption(argc, argv);
  if (!path.empty())
    return Package::open(path);
  try {
    return Package::open("/proc/self/exe");
  } catch (const Error &error) {
    problem = error.what();
    return nullptr;
  }
}

/// Variables of a checkpoint, for the modes that do not train.
void loadWeights(Session &session, const Options &options) {
  auto warn = [](const std::string &text) {
    std::fprintf(stderr, "warning: %s\n", text.c_str());
  };
  std::optional<Checkpoint> checkpoint = findCheckpoint(options, warn);
  if (options.resume && !checkpoint)
    throw Error(ExitCode::BadInput, fmt::format("no intact checkpoint in '{}'",
                                                options.checkpointDir));
  if (checkpoint)
    restore(session, *checkpoint);
  int rng = session.package().findVariable("amp.rng");
  if (rng >= 0 && !checkpoint) {
    int64_t state[2] = {int64_t(options.seed), options.dropout ? 1 : 0};
    session.writeVariable(rng, state, sizeof(state));
  }
  session.refreshShadows();
}

void exportTo(Session &session, const Options &options) {
  for (const std::string &file : exportModel(session, options.exportOutput))
    std::fprintf(stderr,
                 "warning: '%s' still refers to '%s' for tensors that are not "
                 "trained; keep that file next to it\n",
                 options.exportOutput.c_str(), file.c_str());
  if (options.verbosity > 0)
    std::printf("trained model written to %s\n", options.exportOutput.c_str());
}

DataSet openData(Session &session, const Options &options, const char *name,
                 bool withTargets) {
  PackageInfo info(session.package().get());
  const abi::Entry *entry = info.entry(name);
  if (!entry)
    throw Error(ExitCode::Usage,
                fmt::format("the package has no entry point '{}'", name));
  DataOptions data = options.data;
  if (withTargets && !options.validation.empty())
    data.sources = options.validation;
  FileKeys keys;
  ArrayMap arrays = loadArrays(data, &keys);
  checkRenames(data, keys);
  DataSet set(arrays, *entry, info.batch(*entry), withTargets, data);
  set.checkClassNumbers(info);
  return set;
}

ExitCode runEval(Session &session, const Options &options) {
  DataSet data = openData(session, options, "eval", true);
  std::optional<EvalRecord> record = evaluate(session, data);
  if (!record)
    return ExitCode::Interrupted;
  record->step = 0;
  int iteration = session.package().findVariable("amp.iteration");
  if (iteration >= 0) {
    std::vector<char> bytes = session.readVariable(iteration);
    std::copy(bytes.begin(), bytes.end(),
              reinterpret_cast<char *>(&record->step));
  }
  std::printf("rows %lld  loss %s", static_cast<long long>(record->rows),
              jsonNumber(record->loss).c_str());
  if (record->hasAccuracy)
    std::printf("  accuracy %.2f %% (%lld of %lld)", 100 * record->accuracy(),
                static_cast<long long>(record->correct),
                static_cast<long long>(record->counted));
  std::printf("\n");
  if (!options.metrics.empty())
    MetricsFile(options.metrics).append(render(*record));
  return ExitCode::Ok;
}

ExitCode runPredict(Session &session, const Options &options) {
  DataSet data = openData(session, options, "predict", false);
  if (!predict(session, data, options.predictOutput))
    return ExitCode::Interrupted;
  if (options.verbosity > 0)
    std::printf("outputs for %lld rows written to %s\n",
                static_cast<long long>(data.rows()),
                options.predictOutput.c_str());
  return ExitCode::Ok;
}

void printInfo(Session &session, const PackageInfo &info) {
  std::printf("%s", info.describe().c_str());
  if (session.package().get().entries())
    for (const abi::Entry *entry : *session.package().get().entries())
      session.prepare(entry->name()->str());
  Session::Memory memory = session.memory();
  std::printf("\nmemory: arena %zu, variables %zu, workspace %zu bytes\n",
              memory.arena, memory.variables, memory.workspace);
  std::string changed;
  for (int index : session.changedInCalls()) {
    const abi::Variable &variable =
        *session.package().get().variables()->Get(index);
    std::string kind = variable.kind()->str();
    if (kind == "parameter" || kind == "shadow")
      changed += (changed.empty() ? "" : ", ") + variable.name()->str();
  }
  std::printf("parameters converted or reordered in each run: %s\n",
              changed.empty() ? "none" : changed.c_str());
}

ExitCode runMode(int argc, const char *const *argv) {
  std::string problem;
  std::shared_ptr<const Package> package = openPackage(argc, argv, problem);
  std::optional<PackageInfo> info;
  if (package)
    info.emplace(package->get());
  std::optional<Options> options =
      parseOptions(argc, argv, info ? &*info : nullptr);
  if (!options)
    return ExitCode::Ok;
  for (const std::string &warning : options->warnings)
    std::fprintf(stderr, "warning: %s\n", warning.c_str());
  if (!package)
    throw Error(ExitCode::BadInput, problem);
  watchSignals();
  // Before a training that would be for nothing; other paths are opened by
  // then.
  checkWritable(options->exportOutput);
  if (options->mode == Mode::Eval)
    checkWritable(options->metrics);
  Session session(package, options->session);
  switch (options->mode) {
  case Mode::PrintInfo:
    printInfo(session, *info);
    return ExitCode::Ok;
  case Mode::Eval:
    loadWeights(session, *options);
    return runEval(session, *options);
  case Mode::Predict:
    loadWeights(session, *options);
    return runPredict(session, *options);
  case Mode::ExportOnly:
    loadWeights(session, *options);
    exportTo(session, *options);
    return ExitCode::Ok;
  case Mode::Train:
    break;
  }
  ExitCode code = TrainingRun(session, *options).run();
  if (code == ExitCode::Ok && !options->exportOutput.empty())
    exportTo(session, *options);
  return code;
}

} // namespace

int amp::runtime::runTrainer(int argc, const char *const *argv) {
  auto report = [](const std::string &message, ExitCode code) {
    std::fflush(stdout);
    // One line, whatever a file name or a library's message contains.
    std::string line = message;
    for (char &c : line)
      if (c == '\n' || c == '\r')
        c = ' ';
    std::fprintf(stderr, "error: %s\n", line.c_str());
    return int(code);
  };
  try {
    ExitCode code = runMode(argc, argv);
    std::cout.flush();
    if (std::fflush(stdout) != 0 || !std::cout)
      return report("cannot write to the standard output", ExitCode::IO);
    return int(code);
  } catch (const Error &error) {
    return report(error.what(), error.code());
  } catch (const std::bad_alloc &) {
    return report("out of memory", ExitCode::Diverged);
  } catch (const std::exception &error) {
    return report(error.what(), ExitCode::Diverged);
  }
}
