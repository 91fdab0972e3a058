//===- Subject.cpp - A package that is timed ------------------------------===//
//
// Fills the arguments with random numbers, runs steps, and describes launches.
//
//===----------------------------------------------------------------------===//

#include "Subject.h"
#include "amp/ABI/package_generated.h"
#include "amp/Runtime/Error.h"
#include "kernels/Convert.h"
#include <algorithm>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <random>

namespace amp::bench {

using runtime::Error;
using runtime::ExitCode;
using runtime::HostTensor;

Subject::Subject(const std::string &path, const SubjectOptions &options)
    : file(path), entry(options.entry) {
  runtime::SessionOptions sessionOptions;
  sessionOptions.threads = options.threads;
  session = std::make_unique<runtime::Session>(runtime::Package::open(path),
                                               sessionOptions);
  session->prepare(entry);
  fillArguments(options);
  session->refreshShadows();
}

static void fillFloats(const HostTensor &tensor, std::mt19937_64 &random) {
  std::normal_distribution<float> normal;
  std::vector<float> values(tensor.elements());
  for (float &value : values)
    value = normal(random);
  kernels::convert(tensor.dtype, tensor.data, abi::DType::f32, values.data(),
                   tensor.elements());
}

static void fillIntegers(const HostTensor &tensor, int64_t below,
                         std::mt19937_64 &random) {
  size_t size = abi::sizeOf(tensor.dtype);
  for (int64_t i = 0, e = tensor.elements(); i < e; ++i) {
    int64_t value = static_cast<int64_t>(random() % uint64_t(below));
    std::memcpy(tensor.data + i * size, &value, size);
  }
}

void Subject::fillArguments(const SubjectOptions &options) {
  std::mt19937_64 random(options.seed);
  const abi::Entry *found = session->package().findEntry(entry);
  if (!found->arguments())
    return;
  for (const abi::Argument *argument : *found->arguments()) {
    HostTensor tensor = session->argument(entry, argument->name()->str());
    std::string role = argument->role() ? argument->role()->str() : "";
    if (role == "schedule") {
      float schedule[8] = {0, float(options.learningRate), 0, 0, 0, 0, 0, 0};
      tensor.copyFrom(schedule, sizeof(schedule));
    } else if (role == "clip" || role == "micro_batches") {
      float one = 1;
      tensor.copyFrom(&one, sizeof(one));
    } else if (role == "valid_rows") {
      int64_t all = tensor.elements() ? INT32_MAX : 0;
      tensor.copyFrom(&all, sizeof(all));
    } else if (tensor.dtype == abi::DType::f32 ||
               tensor.dtype == abi::DType::bf16 ||
               tensor.dtype == abi::DType::f16) {
      fillFloats(tensor, random);
    } else {
      fillIntegers(tensor, options.intBelow, random);
    }
  }
}

double Subject::step() {
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
  session->run(entry);
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double Subject::loss() {
  const abi::Entry *found = session->package().findEntry(entry);
  if (found->results())
    for (const abi::Result *result : *found->results())
      if (result->role() && result->role()->str() == "loss")
        return session->scalar(entry, result->name()->str());
  return 0;
}

/// "bf16[4,256,384]" for each operand, and the bytes of all of them.
static void describe(const abi::Launch &launch, LaunchCost &cost) {
  cost.generated = launch.kind() == abi::LaunchKind::kernel;
  if (!launch.operands())
    return;
  int64_t count = launch.operands()->size();
  for (int64_t i = 0; i < count; ++i) {
    const abi::Tensor &tensor = *launch.operands()->Get(i);
    int64_t elements = 1;
    std::string dims;
    if (tensor.dims())
      for (int64_t dim : *tensor.dims()) {
        elements *= dim;
        dims += (dims.empty() ? "" : ",") + std::to_string(dim);
      }
    cost.bytes += double(elements) * abi::sizeOf(tensor.dtype());
    if (count > 12 && i >= 12)
      continue;
    cost.shapes += i == 0 ? "" : i == count - launch.outputs() ? " -> " : " ";
    cost.shapes += fmt::format("{}[{}]", abi::nameOf(tensor.dtype()), dims);
    if (tensor.strides() && tensor.strides()->size())
      cost.shapes += "s";
  }
}

std::vector<LaunchCost> Subject::profile(int steps) {
  std::vector<LaunchCost> costs;
  session->setProfiling(true);
  for (int i = 0; i < steps; ++i) {
    session->run(entry);
    std::vector<runtime::Session::LaunchTime> times =
        session->launchTimes(entry);
    costs.resize(times.size());
    for (size_t j = 0; j < times.size(); ++j) {
      LaunchCost &cost = costs[j];
      cost.seconds =
          i == 0 ? times[j].seconds : std::min(cost.seconds, times[j].seconds);
      if (i > 0)
        continue;
      cost.symbol = times[j].symbol;
      cost.node = times[j].node;
      cost.phase = times[j].phase;
    }
  }
  session->setProfiling(false);
  const abi::Entry *found = session->package().findEntry(entry);
  for (size_t j = 0; j < costs.size(); ++j)
    describe(*found->launches()->Get(flatbuffers::uoffset_t(j)), costs[j]);
  return costs;
}

} // namespace amp::bench
