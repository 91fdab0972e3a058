//===- TrainingRun.cpp - The training loop --------------------------------===//
//
// One step after the other, and at the borders between steps everything that
// may only happen there: evaluation, checkpoint, stopping.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/TrainingRun.h"
#include "amp/Runtime/Trainer/Signals.h"
#include <chrono>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

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

StepRecord TrainingRun::runStep(const Batch &batch) {
  double loss = 0;
  for (int64_t part = 0; part < options.gradAccum; ++part) {
    writeArguments(session, computeEntry, *training, batch, part, batchRows);
    session.run(computeEntry);
    loss += session.scalar(computeEntry, "loss");
  }
  if (accumulating)
    session.run(updateEntry);
  StepRecord record;
  record.loss = float(loss / double(lossDivisor));
  auto result = [&](const char *name, double fallback) {
    return float(scalarOr(session, updateEntry, name, fallback));
  };
  record.lr = result("lr", 0);
  record.lossScale = result("loss_scale", 1);
  record.foundInf = result("found_inf", 0) != 0;
  record.gradNorm = result("grad_norm", 0);
  record.applied = counter("amp.applied");
  record.skipped = counter("amp.skipped");
  record.peakBytes = peakBytes;
  return record;
}

void TrainingRun::watchDivergence(const StepRecord &record) {
  scaler.step(
      record, [&](const std::string &text) { progress->warn(text); },
      [] { return std::string(); });
  if (options.maxBadSteps == 0)
    return;
  badSteps = std::isfinite(record.loss) ? 0 : badSteps + 1;
  if (badSteps >= options.maxBadSteps)
    throw Error(ExitCode::Diverged,
                fmt::format("training diverged: the loss was not finite for {} "
                            "steps in a row, up to step {} (--max-bad-steps)",
                            badSteps, record.step));
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
    StepRecord record = runStep(prefetch.next());
    std::chrono::duration<double> taken = Clock::now() - begin;
    record.step = step;
    record.stepMilliseconds = taken.count() * 1000;
    record.samplesPerSecond = double(perStep) / taken.count();
    if (metrics)
      metrics->append(render(record));
    progress->step(record);
    ++step;
    watchDivergence(record);
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
