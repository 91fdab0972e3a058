//===- TrainingRun.cpp - The training loop --------------------------------===//
//
// One step after the other, and at the borders between steps everything that
// may only happen there: evaluation, checkpoint, stopping.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/TrainingRun.h"
#include "amp/Runtime/Trainer/Signals.h"
#include "amp/Runtime/Trainer/StepResults.h"
#include <chrono>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <utility>

using namespace amp;
using namespace amp::runtime;

TrainingRun::~TrainingRun() = default;

int64_t TrainingRun::counter(const char *name) const {
  int index = session.package().findVariable(name);
  if (index < 0)
    throw Error(ExitCode::BadInput,
                fmt::format("the package has no variable '{}'", name));
  std::vector<char> bytes = session.readVariable(index);
  int64_t value = 0;
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof(value)));
  return value;
}

void TrainingRun::runEntry(const std::string &entry) {
  if (hooks.observer)
    session.observe(entry, *hooks.observer);
  else
    session.run(entry);
}

StepRecord TrainingRun::runStep(const Batch &batch) {
  StepResults results(session, info);
  if (earlierTurns)
    earlierTurns->keep();
  for (size_t turn = 0; turn < computeEntries.size(); ++turn) {
    const std::string &entry = computeEntries[turn];
    for (int64_t part = 0; part < options.gradAccum; ++part) {
      writeArguments(session, entry, *training, batch, part, batchRows);
      runEntry(entry);
      results.addLosses(entry, 1.0 / double(lossDivisor));
    }
    if (accumulating)
      runEntry(updateEntries[turn]);
  }
  for (const std::string &entry : updateEntries)
    results.addUpdate(entry);
  StepRecord record = results.record();
  if (earlierTurns && record.foundInf)
    earlierTurns->takeBack();
  record.applied = counter("amp.applied");
  record.skipped = counter("amp.skipped");
  record.peakBytes = peakBytes;
  return record;
}

/// Repeats the first step while it overflows and keeps of it the scale alone.
void TrainingRun::settleScale(const Batch &batch) {
  // From 2^16 to 2^-8; what overflows there does so at any scale.
  constexpr int attempts = 24;
  Observer *observer = std::exchange(hooks.observer, nullptr);
  beforeStep.take(session, StepSnapshot::Scope::All);
  for (int i = 0; i < attempts; ++i) {
    StepRecord record = runStep(batch);
    if (!record.foundInf || !std::isfinite(record.loss))
      break;
  }
  std::vector<std::pair<int, std::vector<char>>> scales;
  const auto *variables = session.package().get().variables();
  for (unsigned i = 0; variables && i < variables->size(); ++i)
    if (variables->Get(i)->kind()->str() == "scaler" &&
        variables->Get(i)->dtype() == abi::DType::f32)
      scales.emplace_back(int(i), session.readVariable(int(i)));
  beforeStep.restore(session);
  for (const auto &[index, bytes] : scales)
    session.writeVariable(index, bytes.data(), bytes.size());
  session.refreshShadows();
  hooks.observer = observer;
}

std::string TrainingRun::diagnose(const Batch &batch) {
  StepSnapshot after;
  after.take(session, StepSnapshot::Scope::All);
  std::vector<EntryRun> runs;
  for (size_t turn = 0; turn < computeEntries.size(); ++turn) {
    const std::string &entry = computeEntries[turn];
    for (int64_t part = 0; part < options.gradAccum; ++part)
      runs.push_back({entry, [this, &batch, part, &entry] {
                        writeArguments(session, entry, *training, batch, part,
                                       batchRows);
                      }});
    if (accumulating)
      runs.push_back({updateEntries[turn], nullptr});
  }
  std::optional<Diagnosis> found = diagnoseStep(session, beforeStep, runs);
  after.restore(session);
  return found ? found->text() : "no value of the repeated step was NaN or inf";
}

void TrainingRun::watchAnomaly(const StepRecord &record, const Batch &batch) {
  if (options.detectAnomaly == DetectAnomaly::Off ||
      (std::isfinite(record.loss) && !record.foundInf))
    return;
  std::string text = fmt::format("step {}: {}", record.step, diagnose(batch));
  if (options.detectAnomaly == DetectAnomaly::Stop)
    throw Error(ExitCode::Diverged, text);
  progress->warn(text);
}

void TrainingRun::watchDivergence(const StepRecord &record,
                                  const Batch &batch) {
  watchAnomaly(record, batch);
  scaler.step(
      record, [&](const std::string &text) { progress->warn(text); },
      [&] { return diagnose(batch); });
  if (options.maxBadSteps == 0)
    return;
  badSteps = std::isfinite(record.loss) ? 0 : badSteps + 1;
  if (badSteps >= options.maxBadSteps)
    throw Error(ExitCode::Diverged,
                fmt::format("training diverged: the loss was not finite for {} "
                            "steps in a row, up to step {} (--max-bad-steps); "
                            "{}",
                            badSteps, record.step, diagnose(batch)));
}

bool TrainingRun::evaluateAt(int64_t step) {
  std::optional<EvalRecord> record = evaluate(session, *validation);
  if (!record)
    return false;
  record->step = step;
  evaluatedStep = step;
  std::string text =
      fmt::format("evaluation after step {}: loss {:.5g}", step, record->loss);
  if (record->hasAccuracy)
    text +=
        fmt::format(", accuracy {:.2f} % ({} of {})", 100 * record->accuracy(),
                    record->correct, record->counted);
  progress->note(text);
  // A finished run that is only looked at again has its record already.
  bool recorded = step == firstStep && firstStep == totalSteps && !evalDue;
  if (metrics && !recorded)
    metrics->append(render(*record));
  return true;
}

void TrainingRun::save(int64_t step, bool evalPending) {
  if (metrics)
    metrics->sync();
  const abi::Package &package = session.package().get();
  std::vector<TensorEntry> entries;
  std::vector<int> indices;
  for (unsigned i = 0; i < package.variables()->size(); ++i) {
    const abi::Variable *variable = package.variables()->Get(i);
    if (variable->kind()->str() == "shadow")
      continue;
    TensorEntry entry;
    entry.name = variable->name()->str();
    entry.type = variable->dtype();
    if (variable->dims())
      entry.dims.assign(variable->dims()->begin(), variable->dims()->end());
    entries.push_back(std::move(entry));
    indices.push_back(int(i));
  }
  Manifest manifest = describe(step, evalPending);
  std::string path = store->save(manifest, entries, [&](size_t i) {
    return session.readVariable(indices[i]);
  });
  savedStep = step;
  progress->note(fmt::format("checkpoint {}", path), 2);
}

ExitCode TrainingRun::interrupted(int64_t step, bool evalPending) {
  if (!store) {
    progress->warn(fmt::format("interrupted after step {}; nothing was saved, "
                               "because there is no --checkpoint-dir",
                               step));
    return ExitCode::Interrupted;
  }
  save(step, evalPending);
  progress->warn(fmt::format("interrupted after step {}; the checkpoint is "
                             "good, run again with --resume",
                             step));
  return ExitCode::Interrupted;
}

ExitCode TrainingRun::run() {
  loadData();
  start();
  prepareArguments();
  int64_t step = firstStep;
  if (evalDue && validation && !evaluateAt(step))
    return interrupted(step, true);
  evalDue = false;

  int64_t perStep = batchRows * options.gradAccum;
  Prefetcher prefetch(step, totalSteps, [&](int64_t at, Batch &batch) {
    std::vector<int64_t> rows = plan->rowsOf(at);
    training->gather(rows, batch.columns, padTarget);
  });
  using Clock = std::chrono::steady_clock;
  while (step < totalSteps && !stopRequested()) {
    auto begin = Clock::now();
    const Batch &batch = prefetch.next();
    if (hooks.settleScale && step == firstStep)
      settleScale(batch);
    // A skipped update changes counters only, so these are enough to repeat it.
    beforeStep.take(session, options.detectAnomaly == DetectAnomaly::Off
                                 ? StepSnapshot::Scope::Counters
                                 : StepSnapshot::Scope::All);
    StepRecord record = runStep(batch);
    std::chrono::duration<double> taken = Clock::now() - begin;
    record.step = step;
    record.stepMilliseconds = taken.count() * 1000;
    record.samplesPerSecond = double(perStep) / taken.count();
    if (metrics)
      metrics->append(render(record));
    progress->step(record);
    if (hooks.onStep)
      hooks.onStep(record);
    ++step;
    watchDivergence(record, batch);
    bool due = validation &&
               ((evalEvery && step % evalEvery == 0) || step == totalSteps);
    if (due && !stopRequested())
      due = !evaluateAt(step);
    if (stopRequested() && (step < totalSteps || due))
      return interrupted(step, due);
    if (options.checkpointEvery && step % options.checkpointEvery == 0)
      save(step, false);
  }
  if (step < totalSteps)
    return interrupted(step, false);
  if (firstStep >= totalSteps)
    progress->note(fmt::format("nothing left to train: {} of {} steps are done",
                               firstStep, totalSteps));
  if (validation && evaluatedStep < 0 && !evaluateAt(step))
    return ExitCode::Interrupted;
  if (store && savedStep != step && firstStep < totalSteps)
    save(step, false);
  return ExitCode::Ok;
}
