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

namespace {

/// The mean over a data set of one term of the loss, or of the whole loss if
/// there is one: that of a batch weighs as much as what it was taken over.
class TermMean {
public:
  TermMean(std::string loss, std::string counted)
      : loss(std::move(loss)), counted(std::move(counted)) {}

  /// `rows` stands for the count where the entry point has none.
  void add(Session &session, const std::string &entry, double rows) {
    double weight =
        counted.empty() ? rows : double(session.scalar(entry, counted));
    if (weight > 0)
      sum += session.scalar(entry, loss) * weight;
    weights += weight;
  }
  /// NaN where nothing counts, as in a step of training.
  double value() const { return sum / weights; }

private:
  std::string loss, counted;
  double sum = 0, weights = 0;
};

std::vector<TermMean> termsOf(const abi::Entry &entry) {
  std::vector<TermMean> terms;
  bool counts = false;
  if (entry.results())
    for (const abi::Result *result : *entry.results()) {
      std::string name = result->name()->str();
      counts |= name == "counted";
      if (result->role() && result->role()->str() == "term")
        terms.emplace_back(name, "term_counted" + name.substr(name.find('/')));
    }
  if (terms.empty())
    terms.emplace_back("loss", counts ? "counted" : "");
  return terms;
}

} // namespace

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
  double sum = 0;
  std::vector<TermMean> terms = termsOf(*described);
  for (int64_t step = 0; step < batches; ++step) {
    if (stopRequested())
      return std::nullopt;
    Batch &next = prefetch.next();
    writeArguments(session, entry, data, next, 0, batch);
    writeControl(session, entry, "valid_rows", next.validRows);
    session.run(entry);
    if (record.hasAccuracy) {
      record.counted += std::llround(scalarOr(session, entry, "counted", 0));
      record.correct += std::llround(scalarOr(session, entry, "correct", 0));
    }
    if (info.lossIsSum())
      sum += session.scalar(entry, "loss");
    else
      for (TermMean &term : terms)
        term.add(session, entry, double(next.validRows));
  }
  if (!info.lossIsSum())
    for (const TermMean &term : terms)
      sum += term.value();
  record.loss = float(sum);
  return record;
}
