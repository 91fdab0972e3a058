//===- Calibration.cpp - Ranges of values over real steps -----------------===//
//
// The loop over files and batches, and the file of ranges.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Calibration.h"
#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/BatchPlan.h"
#include "amp/Runtime/Trainer/PackageInfo.h"
#include "amp/Runtime/Trainer/Runner.h"
#include "amp/Runtime/Trainer/Schedule.h"
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace amp;
using namespace amp::runtime;

void RangeRecorder::value(int op, const BoundTensor &tensor) {
  const ObservedOp &made = current->ops[size_t(op)];
  // The update writes state; what matters of it are the parameters, see below.
  if (!made.key.empty() && made.phase != "update")
    stats[made.key].add(tensor);
}

void RangeRecorder::add(const std::string &key, const BoundTensor &tensor) {
  stats[key].add(tensor);
}

namespace {

/// The entry points of a step: one, or one for each optimizer that has a turn.
std::vector<const abi::Entry *> stepEntries(const abi::Package &package) {
  std::vector<const abi::Entry *> found;
  for (unsigned i = 0; package.entries() && i < package.entries()->size();
       ++i) {
    const abi::Entry *entry = package.entries()->Get(i);
    std::string name = entry->name()->str();
    if (name == "train_step" || name.rfind("train_step.", 0) == 0)
      found.push_back(entry);
  }
  if (found.empty())
    throw Error(ExitCode::Usage, "calibration needs a model that is trained: "
                                 "give --loss");
  return found;
}

/// A tensor over host bytes.
BoundTensor view(abi::DType type, std::vector<int64_t> dims, char *data) {
  BoundTensor tensor;
  tensor.dtype = type;
  tensor.strides = contiguousStrides(dims);
  tensor.dims = std::move(dims);
  tensor.data = data;
  return tensor;
}

/// Arguments and parameters have no op that makes them.
void recordGiven(Session &session, const std::string &entry,
                 const DataSet &data, RangeRecorder &recorder) {
  for (const Column &column : data.columns()) {
    HostTensor argument = session.argument(entry, column.argument);
    recorder.add(column.argument + "|argument|forward|0|0",
                 view(argument.dtype, argument.dims, argument.data));
  }
  const auto *variables = session.package().get().variables();
  for (unsigned i = 0; variables && i < variables->size(); ++i) {
    const abi::Variable &variable = *variables->Get(i);
    std::string kind = variable.kind()->str();
    if (kind != "parameter" && kind != "buffer")
      continue;
    std::vector<char> bytes = session.readVariable(int(i));
    std::vector<int64_t> dims;
    if (variable.dims())
      dims.assign(variable.dims()->begin(), variable.dims()->end());
    recorder.add(variable.name()->str() + "|read|forward|0|0",
                 view(variable.dtype(), std::move(dims), bytes.data()));
  }
}

} // namespace

CalibrationRun amp::runtime::calibrate(Session &session,
                                       const CalibrationOptions &options,
                                       RangeRecorder &recorder) {
  PackageInfo info(session.package().get());
  std::vector<const abi::Entry *> entries =
      stepEntries(session.package().get());
  int rng = session.package().findVariable("amp.rng");
  if (rng >= 0) {
    int64_t state[2] = {int64_t(options.seed), 1};
    session.writeVariable(rng, state, sizeof(state));
  }
  session.refreshShadows();
  auto clip = float(info.number("clip.value", 0));
  for (const abi::Entry *entry : entries) {
    std::string name = entry->name()->str();
    writeSchedules(session, name, [&](const std::string &optimizer) {
      return Schedule().encode(info.rate(optimizer), options.steps);
    });
    writeControl(session, name, "clip", clip);
  }

  CalibrationRun run;
  int64_t rows = info.batch(*entries.front());
  for (const std::string &file : options.files) {
    if (options.steps && run.steps == options.steps)
      break;
    DataOptions source;
    source.sources = {file};
    std::vector<DataSet> data;
    for (const abi::Entry *entry : entries) {
      data.emplace_back(loadArrays(source), *entry, rows, true, source);
      data.back().checkClassNumbers(info);
    }
    BatchPlan plan(data[0].rows(), rows, LastBatch::Wrap, false, 0);
    int64_t steps = plan.stepsFor(1);
    bool last = &file == &options.files.back();
    // More steps than rows: the last file again and again.
    if (options.steps)
      steps = last ? options.steps - run.steps
                   : std::min(steps, options.steps - run.steps);
    Batch batch;
    for (int64_t step = 0; step < steps; ++step) {
      bool skipped = false;
      for (size_t i = 0; i < entries.size(); ++i) {
        std::string name = entries[i]->name()->str();
        data[i].gather(plan.rowsOf(step), batch.columns, std::nullopt);
        writeArguments(session, name, data[i], batch, 0, rows);
        recordGiven(session, name, data[i], recorder);
        session.observe(name, recorder);
        skipped |= scalarOr(session, name, "found_inf", 0) != 0;
      }
      ++run.steps;
      run.rows += rows;
      run.skipped += skipped;
    }
  }
  return run;
}

std::string amp::runtime::renderRanges(const RangeRecorder &recorder,
                                       const CalibrationRun &run,
                                       const std::string &model,
                                       const std::string &fingerprint) {
  using Json = nlohmann::ordered_json;
  std::string values;
  for (const auto &[key, stats] : recorder.values()) {
    // Integers have a type that says it all.
    if (stats.elements == 0)
      continue;
    auto lost = [&](const ValueStats::Lost &lost) {
      return double(lost.toZero + lost.toInf) / double(stats.elements);
    };
    // Field 0 stands for subnormal numbers, which lie below field 1.
    constexpr int64_t bias = 127;
    Json exponents = Json::object();
    for (size_t field = 0; field < stats.exponents.size(); ++field)
      if (stats.exponents[field])
        exponents[fmt::format("{}", int64_t(field) - bias)] =
            stats.exponents[field];
    Json entry = {{"count", stats.elements},
                  {"min", stats.min},
                  {"max", stats.max},
                  {"max_abs", stats.maxAbs},
                  {"min_abs", stats.minAbs},
                  {"zeros", stats.zeros},
                  {"nonfinite", stats.nans + stats.infs()},
                  {"nan", stats.nans},
                  {"lost_f16", lost(stats.float16)},
                  {"zero_in_f16", stats.float16.toZero},
                  {"inf_in_f16", stats.float16.toInf},
                  {"lost_bf16", lost(stats.bfloat16)},
                  {"zero_in_bf16", stats.bfloat16.toZero},
                  {"inf_in_bf16", stats.bfloat16.toInf},
                  {"exponents", std::move(exponents)}};
    // One value a line, so that two files can be compared by eye.
    values += fmt::format("{}\n  {}: {}", values.empty() ? "" : ",",
                          Json(key).dump(), entry.dump());
  }
  return fmt::format("{{\"format\": \"amp-ranges\", \"version\": 1, "
                     "\"model\": {}, \"fingerprint\": {},\n "
                     "\"steps\": {}, \"rows\": {}, "
                     "\"skipped_steps\": {}, \"values\": {{{}\n}}}}\n",
                     Json(model).dump(), Json(fingerprint).dump(), run.steps,
                     run.rows, run.skipped, values);
}
