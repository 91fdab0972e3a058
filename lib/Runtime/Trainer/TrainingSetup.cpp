//===- TrainingSetup.cpp - Everything before the first step ---------------===//
//
// Data, plan, checkpoint, metrics, and the arguments that stay the same from
// step to step.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/TrainingRun.h"
#include <cstring>
#include <fmt/format.h>

using namespace amp;
using namespace amp::runtime;

[[noreturn]] static void usage(const std::string &text) {
  throw Error(ExitCode::Usage, text);
}

TrainingRun::TrainingRun(Session &session, const Options &options,
                         RunHooks hooks)
    : session(session), options(options), hooks(std::move(hooks)),
      info(session.package().get()), scaler(session, info, options) {
  std::vector<std::string> turns = info.list("turns");
  std::vector<std::string> windowTurns = info.list("window_turns");
  bool single = info.entry("train_step") != nullptr || !turns.empty();
  bool split =
      (info.entry("accumulate") && info.entry("apply")) || !windowTurns.empty();
  if (!single && !split)
    usage("the package has no entry point 'train_step': it was compiled "
          "without --loss and --optimizer");
  if (options.gradAccum > 1 && !split)
    usage("--grad-accum needs a model compiled with --accumulate");
  accumulating = options.gradAccum > 1 || !single;
  if (turns.empty())
    turns = {"train_step"};
  if (windowTurns.empty())
    windowTurns = {"apply"};
  updateEntries = accumulating ? windowTurns : turns;
  for (const std::string &entry : updateEntries) {
    computeEntries.push_back(accumulating ? accumulateEntryOf(entry) : entry);
    for (const std::string &wanted : {computeEntries.back(), entry})
      if (!info.entry(wanted))
        throw Error(ExitCode::BadInput,
                    fmt::format("the package lists an entry point '{}' that it "
                                "does not have",
                                wanted));
  }
  if (info.meta("turns.skip") == "all")
    earlierTurns.emplace(session, info, updateEntries);
  batchRows = info.batch(*info.entry(computeEntries.front()));
  if (!options.checkpointDir.empty() || options.resume) {
    identity = info.identity();
    codeDigest = info.codeDigest();
  }
}

void TrainingRun::loadData() {
  const abi::Entry &entry = *info.entry(computeEntries.front());
  FileKeys keys;
  ArrayMap arrays = loadArrays(options.data, &keys), validationArrays;
  DataOptions data = options.data;
  data.sources = options.validation;
  if (!options.validation.empty())
    validationArrays = loadArrays(data, &keys);
  checkRenames(options.data, keys);
  training.emplace(arrays, entry, batchRows, true, options.data);
  training->checkClassNumbers(info);
  int64_t perStep = batchRows * options.gradAccum;
  plan.emplace(training->rows(), perStep, options.lastBatch, options.shuffle,
               options.seed);
  if (options.lastBatch == LastBatch::Pad && training->rows() % perStep) {
    padTarget = info.ignoreIndex();
    if (!padTarget)
      usage("--last-batch pad needs a loss with an ignore_index; use drop or "
            "wrap");
    if (info.updatesBuffers())
      usage("--last-batch pad would spoil the running statistics of the "
            "model; use drop or wrap");
    if (options.gradAccum > 1)
      usage("--last-batch pad does not go with --grad-accum; use drop or wrap");
    for (const Column &column : training->columns())
      if (column.isTarget && column.type != abi::DType::i64 &&
          column.type != abi::DType::i32)
        usage(fmt::format("--last-batch pad needs class targets, but '{}' is "
                          "{}; use drop or wrap",
                          column.argument, abi::nameOf(column.type)));
  }
  totalSteps = options.steps.value_or(INT64_MAX);
  if (options.epochs)
    totalSteps = std::min(totalSteps, plan->stepsFor(*options.epochs));
  evalEvery = options.evalEvery;
  if (!evalEvery && options.epochs)
    evalEvery = plan->stepsFor(1);

  if (options.validation.empty())
    return;
  const abi::Entry *evalEntry = info.entry("eval");
  if (!evalEntry)
    usage("--val needs an entry point 'eval' in the package");
  validation.emplace(validationArrays, *evalEntry, info.batch(*evalEntry), true,
                     data);
  validation->checkClassNumbers(info);
}

double TrainingRun::rateOf(const std::string &group) const {
  auto own = options.groupLr.find(group);
  if (own != options.groupLr.end())
    return own->second;
  return options.lr.value_or(info.rate(group));
}

std::string TrainingRun::rateText() const {
  std::string text;
  for (const std::string &group : info.list("optimizer.groups"))
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", group,
                        jsonNumber(rateOf(group)));
  return text.empty() ? jsonNumber(rateOf("")) : text;
}

Manifest TrainingRun::describe(int64_t step, bool evalPending) const {
  Manifest manifest;
  manifest.package = identity;
  manifest.code = codeDigest;
  manifest.step = step;
  manifest.epoch = plan->epochOf(step);
  manifest.evalPending = evalPending;
  manifest.fixed = {{"seed", fmt::format("{}", options.seed)},
                    {"shuffle", options.shuffle ? "on" : "off"},
                    {"last-batch", nameOf(options.lastBatch)},
                    {"grad-accum", fmt::format("{}", options.gradAccum)},
                    {"rows", fmt::format("{}", training->rows())}};
  manifest.free = {
      {"lr", rateText()},
      {"lr-schedule", options.scheduleText},
      {"clip", jsonNumber(options.clip.value_or(info.number("clip.value", 0)))},
      {"dropout", options.dropout ? "on" : "off"},
      {"threads", fmt::format("{}", session.threads())}};
  // Only these schedules depend on the length of the run.
  if (options.schedule.kind == Schedule::Kind::Cosine ||
      options.schedule.kind == Schedule::Kind::Linear)
    manifest.free["total steps"] = fmt::format(
        "{}", options.schedule.total ? options.schedule.total : totalSteps);
  return manifest;
}

void TrainingRun::checkAgreement(const Manifest &manifest) {
  Manifest own = describe(manifest.step, false);
  for (const auto &[key, value] : own.fixed) {
    auto found = manifest.fixed.find(key);
    if (found == manifest.fixed.end())
      throw Error(
          ExitCode::BadInput,
          fmt::format("the checkpoint does not say with which {} it was "
                      "made; this run has {}",
                      key, value));
    if (found->second != value)
      usage(fmt::format("the checkpoint was made with {} {}, this run has {}; "
                        "it would not be the same run",
                        key, found->second, value));
  }
  // What it does not say did not matter then: the length of the run to a
  // schedule that does not end. That there is another one now is said anyway.
  for (const auto &[key, value] : own.free)
    if (auto found = manifest.free.find(key);
        found != manifest.free.end() && found->second != value)
      progress->warn(fmt::format("the checkpoint was made with {} {}, going on "
                                 "with {}",
                                 key, found->second, value));
  if (manifest.code != own.code)
    progress->warn("the checkpoint was made by other generated code; results "
                   "may differ in the last bits from an uninterrupted run");
}

void TrainingRun::start() {
  // The bar's range is known only after the checkpoint is read.
  auto makeProgress = [&] {
    progress = std::make_unique<Progress>(options.verbosity, firstStep,
                                          totalSteps, options.logEvery);
  };
  makeProgress();
  auto warn = [&](const std::string &text) { progress->warn(text); };
  if (!options.checkpointDir.empty()) {
    store =
        std::make_unique<CheckpointStore>(options.checkpointDir, options.keep);
    if (!options.resume &&
        !CheckpointStore::list(options.checkpointDir).empty())
      usage(fmt::format("'{}' holds checkpoints already; add --resume to go "
                        "on, or name another folder",
                        options.checkpointDir));
  }
  std::optional<Checkpoint> checkpoint = findCheckpoint(options, warn);
  int64_t seed = int64_t(options.seed);
  if (checkpoint) {
    restore(session, *checkpoint);
    checkAgreement(checkpoint->manifest);
    firstStep = checkpoint->manifest.step;
    evalDue = checkpoint->manifest.evalPending;
    if (counter("amp.iteration") != firstStep)
      throw Error(ExitCode::BadInput,
                  fmt::format("checkpoint '{}' contradicts itself about the "
                              "step",
                              checkpoint->path));
    makeProgress();
    progress->note(fmt::format("resuming at step {} from {}", firstStep,
                               checkpoint->path));
  } else if (options.resume) {
    progress->note(fmt::format("no checkpoint in '{}', starting afresh",
                               options.checkpointDir));
  }
  int rng = session.package().findVariable("amp.rng");
  if (rng >= 0) {
    int64_t state[2] = {seed, options.dropout ? 1 : 0};
    session.writeVariable(rng, state, sizeof(state));
  }
  session.refreshShadows();
  scaler.start();
  openMetrics(checkpoint ? &*checkpoint : nullptr);
}

void TrainingRun::openMetrics(const Checkpoint *checkpoint) {
  if (options.metrics.empty())
    return;
  if (checkpoint)
    metrics =
        std::make_unique<MetricsFile>(options.metrics, firstStep, evalDue);
  else
    metrics = std::make_unique<MetricsFile>(options.metrics);
}

void TrainingRun::prepareArguments() {
  // All entry points at once, so that the memory reported is the same however
  // often the run was interrupted.
  for (const std::string &entry : computeEntries)
    session.prepare(entry);
  if (accumulating)
    for (const std::string &entry : updateEntries)
      session.prepare(entry);
  if (validation)
    session.prepare("eval");
  Session::Memory memory = session.memory();
  peakBytes = memory.arena + memory.variables + memory.workspace;

  auto clip = float(options.clip.value_or(info.number("clip.value", 0)));
  for (const std::string &entry : updateEntries) {
    writeSchedules(session, entry, [&](const std::string &group) {
      return options.schedule.encode(rateOf(group), totalSteps);
    });
    writeControl(session, entry, "clip", clip);
  }
  if (accumulating) {
    // What the loss of a micro-batch is divided by: the sum over a window needs
    // no division to be that of one large batch.
    lossDivisor = info.lossIsSum() ? 1 : options.gradAccum;
    auto divisor = float(lossDivisor);
    for (const std::string &entry : computeEntries)
      writeControl(session, entry, "micro_batches", divisor);
  }
  progress->note(fmt::format(
      "training: {} rows, {} rows a step, steps {} to {}, {}, last batch {}, "
      "lr {}, {} threads",
      training->rows(), batchRows * options.gradAccum, firstStep, totalSteps,
      options.shuffle ? fmt::format("shuffled by seed {}", options.seed)
                      : std::string("file order"),
      nameOf(options.lastBatch), rateText(), session.threads()));
}
