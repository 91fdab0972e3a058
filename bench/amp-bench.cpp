//===- amp-bench.cpp - Times compiled training steps ----------------------===//
//
// Loads packages into one process and runs their steps in turn, so that what
// disturbs the machine disturbs all of them; prints ratios of paired steps.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Subject.h"
#include "amp/Runtime/Error.h"
#include "amp/Runtime/Parallel.h"
#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <iostream>

using namespace amp;
using namespace amp::bench;

namespace {

struct BenchOptions {
  std::vector<std::string> packages;
  SubjectOptions subject;
  int warmUp = 2;
  int pairs = 30;
  double seconds = 20;
  int profileSteps = 0;
  size_t top = 25;
  bool serve = false;
  std::string json;
};

/// One step for each line of the standard input, which names a package by its
/// number: so a script can put other programs' steps between ours.
void serve(std::vector<std::unique_ptr<Subject>> &subjects) {
  std::cout << "ready" << std::endl;
  size_t index = 0;
  while (std::cin >> index) {
    if (index >= subjects.size())
      throw runtime::Error(runtime::ExitCode::Usage,
                           fmt::format("there is no package {}, {} were given",
                                       index, subjects.size()));
    std::cout << fmt::format("{:.6f}", subjects[index]->step() * 1e3)
              << std::endl;
  }
}

/// Rounds of one step of each package, until there are enough of both rounds
/// and seconds. The order turns around each time.
Times interleave(std::vector<std::unique_ptr<Subject>> &subjects,
                 const BenchOptions &options) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
  Times times(subjects.size());
  for (int round = 0;; ++round) {
    double passed = std::chrono::duration<double>(Clock::now() - start).count();
    if (round >= 3 && (round >= options.pairs || passed >= options.seconds))
      return times;
    for (size_t k = 0; k < subjects.size(); ++k) {
      size_t i = round % 2 ? subjects.size() - 1 - k : k;
      times[i].push_back(subjects[i]->step());
    }
  }
}

int run(const BenchOptions &options) {
  std::vector<std::unique_ptr<Subject>> subjects;
  for (const std::string &path : options.packages)
    subjects.push_back(std::make_unique<Subject>(path, options.subject));
  for (int i = 0; i < options.warmUp; ++i)
    for (std::unique_ptr<Subject> &subject : subjects)
      subject->step();
  if (options.serve) {
    serve(subjects);
    return 0;
  }
  Times times = interleave(subjects, options);
  printTimes(subjects, times);
  for (std::unique_ptr<Subject> &subject : subjects)
    if (double loss = subject->loss(); !std::isfinite(loss))
      throw runtime::Error(
          runtime::ExitCode::Diverged,
          fmt::format("the loss of '{}' is {}", subject->path(), loss));
  if (!options.json.empty())
    writeJson(options.json, subjects, times);
  if (options.profileSteps > 0)
    for (std::unique_ptr<Subject> &subject : subjects)
      printProfile(*subject, subject->profile(options.profileSteps),
                   options.top);
  return 0;
}

int parseAndRun(int argc, char **argv) {
  BenchOptions options;
  options.subject.learningRate = 1e-4;
  CLI::App app{"Times the steps of compiled models, in turn in one process.\n\n"
               "  amp-bench train_fp32 train_bf16 --int-below 10\n"
               "  amp-bench train_bf16 --int-below 10 --profile 10 --top 40\n"};
  app.set_version_flag("--version", "amp-bench 0.1.0");
  app.add_option("packages", options.packages,
                 "Programs that amp-compile wrote; ratios are first : other")
      ->required();
  app.add_option("--entry", options.subject.entry, "Entry point")
      ->capture_default_str();
  app.add_option("--threads", options.subject.threads,
                 "Threads (default: as many as cores)");
  app.add_option("--seed", options.subject.seed, "Seed of the random data")
      ->capture_default_str();
  app.add_option("--int-below", options.subject.intBelow,
                 "Integer inputs and targets are drawn from [0, N)")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 30))
      ->capture_default_str();
  app.add_option("--warm-up", options.warmUp, "Steps before the first timed")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--pairs", options.pairs, "Rounds to time")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seconds", options.seconds,
                 "Stop earlier after this time, but not before 3 rounds")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--profile", options.profileSteps,
                 "Then time each launch over N more steps")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--top", options.top, "Launches to list")
      ->capture_default_str();
  app.add_option("--json", options.json, "Write the figures to this file");
  app.add_flag("--serve", options.serve,
               "Run a step for each package number read, print its ms");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : int(runtime::ExitCode::Usage);
  }
  return run(options);
}

} // namespace

int main(int argc, char **argv) {
  runtime::ensureThreadEnvironment(argc, argv);
  try {
    return parseAndRun(argc, argv);
  } catch (const runtime::Error &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return int(error.code());
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return int(runtime::ExitCode::Diverged);
  }
}
