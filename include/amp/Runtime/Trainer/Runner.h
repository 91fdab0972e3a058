//===- Runner.h - Entry points driven with data -----------------*- C++ -*-===//
//
// Feeds a session's entry points from data sets: evaluation and prediction
// over all rows. The training loop is in TrainingRun.h.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_TRAINER_RUNNER_H
#define AMP_RUNTIME_TRAINER_RUNNER_H

#include "amp/Runtime/Session.h"
#include "amp/Runtime/Trainer/DataSet.h"
#include "amp/Runtime/Trainer/Metrics.h"
#include "amp/Runtime/Trainer/PackageInfo.h"
#include "amp/Runtime/Trainer/Prefetcher.h"
#include <array>
#include <functional>

namespace amp::runtime {

/// Copies a part of a batch into the arguments of an entry point: sample rows
/// [part * rows, (part + 1) * rows) of each column.
void writeArguments(Session &session, const std::string &entry,
                    const DataSet &data, const Batch &batch, int64_t part,
                    int64_t rows);

/// Writes a number into the argument with a role: f32 (clip, micro_batches) or
/// i64 (valid_rows). Throws if the entry has none.
void writeControl(Session &session, const std::string &entry,
                  const std::string &role, float value);
void writeControl(Session &session, const std::string &entry,
                  const std::string &role, int64_t value);

/// Writes the schedules of an entry point's optimizers: `encode` gives that of
/// the optimizer with a name, or of the only one.
void writeSchedules(
    Session &session, const std::string &entry,
    const std::function<std::array<float, 8>(const std::string &)> &encode);

/// The value of a scalar result, or the fallback if the entry has none.
double scalarOr(Session &session, const std::string &entry,
                const std::string &name, double fallback);

/// Loss and accuracy over all rows of the data. The last batch is filled up
/// and `valid_rows` says so. Returns nothing if interrupted.
std::optional<EvalRecord> evaluate(Session &session, const DataSet &data);

/// Writes the outputs for all rows to an .npz file. Returns false if
/// interrupted, and then leaves no file.
bool predict(Session &session, const DataSet &data, const std::string &path);

/// Writes the variables' values into the model of the package. Returns the
/// external files the result still refers to.
std::vector<std::string> exportModel(Session &session, const std::string &path);

} // namespace amp::runtime

#endif // AMP_RUNTIME_TRAINER_RUNNER_H
