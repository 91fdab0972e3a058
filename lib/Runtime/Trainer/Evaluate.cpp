//===- Evaluate.cpp - Loss and accuracy over a data set -------------------===//
//
// Batches in file order, the last one filled up and told by `valid_rows`.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/Runner.h"
#include "amp/Runtime/Trainer/Signals.h"
#include <cmath>
#include <fmt/format.h>

using namespace amp;
using namespace amp::runtime;

std::optional<EvalRecord> amp::runtime::evaluate(Session &session,
                                                 const DataSet &data) {
  const std::string entry = "eval";
  PackageInfo info(session.package().get());
  const abi::Entry *described = info.entry(entry);
  if (!described)
    throw Error(ExitCode::Usage, "the package has no entry point 'eval'");
  int64_t batch = info.batch(*described);
  // A loss inside the model cannot leave rows out, so it sees whole batches.
  std::string kind = info.meta("loss.kind");
  bool wholeOnly = kind == "graph_output";
  int64_t batches = (data.rows() + (wholeOnly ? 0 : batch - 1)) / batch;
  if (batches == 0)
    throw Error(ExitCode::BadInput,
                fmt::format("the data has {} rows, but a loss inside the model "
                            "is evaluated on whole batches of {}",
                            data.rows(), batch));
  Prefetcher prefetch(0, batches, [&](int64_t step, Batch &target) {
    std::vector<int64_t> rows;
    for (int64_t i = step * batch; i < (step + 1) * batch; ++i)
      rows.push_back(i < data.rows() ? i : -1);
    target.validRows = std::min(batch, data.rows() - step * batch);
    data.gather(rows, target.columns, std::nullopt);
  });

  EvalRecord record;
  record.rows = wholeOnly ? batches * batch : data.rows();
  // Other losses count their elements, but have no right answers.
  bool classifies = kind.empty() || kind == "softmax_cross_entropy";
  if (described->results())
    for (const abi::Result *result : *described->results())
      record.hasAccuracy |= classifies && result->name()->str() == "counted";
  double sum = 0, weightSum = 0;
  for (int64_t step = 0; step < batches; ++step) {
    if (stopRequested())
      return std::nullopt;
    Batch &next = prefetch.next();
    writeArguments(session, entry, data, next, 0, batch);
    writeControl(session, entry, "valid_rows", next.validRows);
    session.run(entry);
    double counted = scalarOr(session, entry, "counted", -1);
    if (record.hasAccuracy) {
      record.counted += std::llround(counted);
      record.correct += std::llround(scalarOr(session, entry, "correct", 0));
    }
    // A mean over the batch weighs as much as what it was taken over.
    // The terms of several are means over different things.
    bool rows = counted < 0 || info.number("loss.terms", 1) > 1;
    double weight = info.lossIsSum() ? 1
                    : rows           ? double(next.validRows)
                                     : counted;
    if (weight > 0)
      sum += session.scalar(entry, "loss") * weight;
    weightSum += weight;
  }
  if (!info.lossIsSum() && weightSum > 0)
    sum /= weightSum;
  record.loss = float(sum);
  return record;
}
