//===- Predict.cpp - Outputs for every row of a data set ------------------===//
//
// Runs `predict` batch by batch and gathers what belongs to real rows. An
// output without a batch axis gets one: a value for each batch.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Error.h"
#include "amp/Runtime/Trainer/NpzWriter.h"
#include "amp/Runtime/Trainer/Runner.h"
#include "amp/Runtime/Trainer/Signals.h"
#include <cstring>

using namespace amp;
using namespace amp::runtime;

namespace {

/// All values of one output.
struct Collected {
  std::string name;
  abi::DType type;
  std::vector<int64_t> dims; ///< of one batch
  bool perRow = false;
  std::vector<char> bytes;
};

/// NumPy has no bfloat16: its bits are the upper half of a float32.
void widenBFloat(Collected &output) {
  std::vector<char> wide(output.bytes.size() * 2, 0);
  for (size_t i = 0; i + 1 < output.bytes.size(); i += 2)
    std::memcpy(wide.data() + 2 * i + 2, output.bytes.data() + i, 2);
  output.bytes = std::move(wide);
  output.type = abi::DType::f32;
}

} // namespace

bool amp::runtime::predict(Session &session, const DataSet &data,
                           const std::string &path) {
  const std::string entry = "predict";
  PackageInfo info(session.package().get());
  const abi::Entry *described = info.entry(entry);
  if (!described || !described->results())
    throw Error(ExitCode::Usage, "the package has no entry point 'predict'");
  // Opened first: a bad path should not cost a whole pass.
  NpzWriter writer(path);
  int64_t batch = info.batch(*described);
  std::vector<Collected> outputs;
  for (const abi::Result *result : *described->results()) {
    Collected output;
    output.name = result->name()->str();
    output.type = result->dtype();
    if (result->dims())
      output.dims.assign(result->dims()->begin(), result->dims()->end());
    output.perRow = !output.dims.empty() && output.dims[0] % batch == 0;
    outputs.push_back(std::move(output));
  }
  int64_t batches = (data.rows() + batch - 1) / batch;
  Prefetcher prefetch(0, batches, [&](int64_t step, Batch &target) {
    std::vector<int64_t> rows;
    for (int64_t i = step * batch; i < (step + 1) * batch; ++i)
      rows.push_back(i < data.rows() ? i : -1);
    target.validRows = std::min(batch, data.rows() - step * batch);
    data.gather(rows, target.columns, std::nullopt);
  });
  for (int64_t step = 0; step < batches; ++step) {
    if (stopRequested())
      return false;
    Batch &next = prefetch.next();
    writeArguments(session, entry, data, next, 0, batch);
    session.run(entry);
    for (Collected &output : outputs) {
      HostTensor value = session.result(entry, output.name);
      size_t used = value.bytes();
      if (output.perRow)
        used = used / size_t(batch) * size_t(next.validRows);
      output.bytes.insert(output.bytes.end(), value.data, value.data + used);
    }
  }
  for (Collected &output : outputs) {
    std::vector<int64_t> dims = output.dims;
    if (output.perRow)
      dims[0] = dims[0] / batch * data.rows();
    else
      dims.insert(dims.begin(), batches);
    if (output.type == abi::DType::bf16)
      widenBFloat(output);
    writer.add(output.name, output.type, dims,
               {output.bytes.data(), output.bytes.size()});
  }
  writer.finish();
  return true;
}
