//===- ObservedRun.cpp - Runs an entry point for an observer --------------===//
//
// Before each launch its probe runs on the same inputs, for the launch itself
// may overwrite them.
//
//===----------------------------------------------------------------------===//

#include "ObservedRun.h"
#include "PackageChecks.h"
#include "SessionEntry.h"
#include "amp/ABI/Container.h"
#include <algorithm>

namespace amp::runtime {

static bool isFloat(abi::DType type) {
  return type == abi::DType::f32 || type == abi::DType::f16 ||
         type == abi::DType::bf16 || type == abi::DType::f64;
}

SourceName SourceName::parse(const std::string &text) {
  SourceName name;
  std::string rest = text;
  for (std::string *part : {&name.ordinal, &name.phase, &name.op}) {
    size_t bar = rest.rfind('|');
    if (bar == std::string::npos)
      break;
    *part = rest.substr(bar + 1);
    rest.resize(bar);
  }
  name.node = rest;
  return name;
}

ObservedRun::ObservedRun(Device &device, const abi::Package &package,
                         const abi::Entry &entry,
                         std::vector<std::vector<BoundTensor>> operands,
                         ReadVariable readVariable)
    : device(device), package(package), entry(entry),
      operands(std::move(operands)), readVariable(std::move(readVariable)) {
  int number = 0;
  if (entry.launches())
    for (const abi::Launch *launch : *entry.launches())
      describe(*launch, number++);
}

Place ObservedRun::placeOf(const abi::Tensor &tensor) {
  return places
      .emplace(std::tuple(tensor.space(), tensor.index(), tensor.offset()),
               Place(places.size()))
      .first->second;
}

ObservedInput ObservedRun::describeInput(const abi::Tensor &tensor) {
  ObservedInput input;
  input.space = tensor.space();
  input.place = placeOf(tensor);
  auto index = flatbuffers::uoffset_t(tensor.index());
  if (tensor.space() == abi::Space::variable)
    input.name = package.variables()->Get(index)->name()->str();
  else if (tensor.space() == abi::Space::argument)
    input.name = entry.arguments()->Get(index)->name()->str();
  else if (auto found = writers.find(input.place); found != writers.end())
    input.name = found->second;
  return input;
}

std::vector<ObservedOp> ObservedRun::describeOps(const abi::Launch &launch) {
  int inputs =
      int(launch.operands() ? launch.operands()->size() : 0) - launch.outputs();
  const abi::KernelInfo *info = kernels.back();
  size_t count =
      info && info->ops() ? info->ops()->size() : size_t(launch.outputs());
  std::vector<ObservedOp> ops(count);
  for (size_t i = 0; i < count; ++i) {
    ObservedOp &op = ops[i];
    auto at = flatbuffers::uoffset_t(i);
    if (info && info->ops()) {
      op.op = info->ops()->Get(at)->name()->str();
      op.notFinite = info->ops()->Get(at)->not_finite();
      if (const auto *list = info->ops()->Get(at)->operands())
        op.operands.assign(list->begin(), list->end());
    } else {
      op.op = launch.symbol()->str();
      for (int input = 0; input < inputs; ++input)
        op.operands.push_back(input);
    }
    int output = info && info->ops() ? info->ops()->Get(at)->output() : int(i);
    if (output >= 0) {
      const abi::Tensor &tensor =
          *launch.operands()->Get(flatbuffers::uoffset_t(inputs + output));
      op.place = placeOf(tensor);
      op.isResult = tensor.space() == abi::Space::result;
    }
    op.node = launch.node() ? launch.node()->str() : "";
    op.phase = launch.phase() ? launch.phase()->str() : "";
    if (!launch.sources() || launch.sources()->size() < 2 * (i + 1))
      continue;
    int source = launch.sources()->Get(2 * at);
    if (source < 0)
      continue;
    std::string text = package.sources()->Get(source)->str();
    SourceName name = SourceName::parse(text);
    op.node = name.node;
    op.graphOp = name.op;
    op.phase = name.phase;
    int result = launch.sources()->Get(2 * at + 1);
    if (!name.ordinal.empty() && result >= 0)
      op.key = text + "|" + std::to_string(result);
  }
  return ops;
}

void ObservedRun::describe(const abi::Launch &launch, int number) {
  ObservedLaunch made;
  made.number = number;
  made.symbol = launch.symbol()->str();
  const abi::KernelInfo *info = nullptr;
  if (launch.kind() == abi::LaunchKind::kernel && package.kernels())
    info = package.kernels()->LookupByKey(launch.symbol()->c_str());
  kernels.push_back(info);
  made.ops = describeOps(launch);
  int count = int(operands[size_t(number)].size());
  for (int i = 0; i + launch.outputs() < count; ++i)
    made.inputs.push_back(
        describeInput(*launch.operands()->Get(flatbuffers::uoffset_t(i))));
  for (int i = count - launch.outputs(); i < count; ++i) {
    const abi::Tensor &tensor =
        *launch.operands()->Get(flatbuffers::uoffset_t(i));
    writers[placeOf(tensor)] = launch.node() ? launch.node()->str() : "";
  }
  descriptions.push_back(std::move(made));
}

BoundTensor ObservedRun::onHost(const BoundTensor &tensor,
                                std::vector<char> &copy, bool isInput) const {
  BoundTensor host = tensor;
  int variable = tensor.variable();
  // The bytes of a shadow may lie in another layout, or be out of date.
  if (isInput && variable >= 0 &&
      package.variables()->Get(variable)->shadow_of() >= 0) {
    copy = readVariable(variable);
    host.data = copy.data();
    host.bytes = copy.size();
    return host;
  }
  if (device.sharesHostMemory())
    return host;
  int64_t last = 0;
  for (size_t d = 0; d < tensor.dims.size(); ++d)
    last += (tensor.dims[d] - 1) * tensor.strides[d];
  copy.resize(size_t(last + 1) * abi::sizeOf(tensor.dtype));
  device.copyToHost(copy.data(), tensor.data, copy.size());
  host.data = copy.data();
  return host;
}

void ObservedRun::showInputs(int number, Observer &observer) {
  std::vector<char> copy;
  for (size_t i = 0; i < descriptions[number].inputs.size(); ++i) {
    const BoundTensor &tensor = operands[number][i];
    if (isFloat(tensor.dtype) && tensor.elements() > 0)
      observer.input(int(i), onHost(tensor, copy, true));
  }
}

char *ObservedRun::memory(size_t bytes) {
  if (!probeMemory || probeMemory->bytes() < bytes)
    probeMemory.reset(), probeMemory = device.allocate(bytes);
  return probeMemory->data();
}

void ObservedRun::showInner(int number, Observer &observer) {
  const abi::KernelInfo *info = kernels[number];
  if (!info || !info->probe() || info->probe()->size() == 0)
    return;
  // Outputs of the probe, in its order.
  std::vector<std::pair<int, const abi::KernelOp *>> shown;
  size_t largest = 0;
  for (flatbuffers::uoffset_t i = 0; i < info->ops()->size(); ++i) {
    const abi::KernelOp *op = info->ops()->Get(i);
    if (op->probe() < 0)
      continue;
    shown.push_back({int(i), op});
    largest = std::max(largest, bytesOf(op->dtype(), op->dims()));
  }
  std::sort(shown.begin(), shown.end(), [](const auto &a, const auto &b) {
    return a.second->probe() < b.second->probe();
  });
  auto rounded = [](size_t bytes) {
    return (bytes + abi::kBufferAlignment - 1) / abi::kBufferAlignment *
           abi::kBufferAlignment;
  };
  std::vector<BoundTensor> inputs(operands[number].begin(),
                                  operands[number].begin() +
                                      long(descriptions[number].inputs.size()));
  std::vector<char> copy;
  for (size_t next = 0; next < shown.size();) {
    // Values that are not kept in this pass all go to the same place.
    size_t end = next, bytes = rounded(largest);
    std::vector<size_t> offsets(shown.size(), 0);
    for (; end < shown.size(); ++end) {
      size_t size = rounded(
          bytesOf(shown[end].second->dtype(), shown[end].second->dims()));
      if (end > next && bytes + size > observer.probeBytes())
        break;
      offsets[end] = bytes;
      bytes += size;
    }
    char *base = memory(bytes);
    std::vector<BoundTensor> all = inputs;
    for (size_t i = 0; i < shown.size(); ++i) {
      const abi::KernelOp &op = *shown[i].second;
      all.push_back(
          boundTensor(op.dtype(), dimsOf(op.dims()), base + offsets[i],
                      bytesOf(op.dtype(), op.dims()), abi::Space::arena, -1));
    }
    KernelCall call;
    call.symbol = info->probe()->str();
    call.units = info->units();
    call.unitBytes = info->unit_bytes();
    call.scratchBytes = info->scratch_bytes();
    call.outputs = int(shown.size());
    device.prepareKernel(call, all)->run();
    device.synchronize();
    for (; next < end; ++next)
      observer.value(shown[next].first,
                     onHost(all[inputs.size() + next], copy, false));
  }
}

void ObservedRun::showOutputs(int number, Observer &observer) {
  const abi::KernelInfo *info = kernels[number];
  const ObservedLaunch &launch = descriptions[number];
  std::vector<char> copy;
  auto show = [&](int op, int output) {
    const BoundTensor &tensor =
        operands[number][launch.inputs.size() + size_t(output)];
    if (isFloat(tensor.dtype) && tensor.elements() > 0)
      observer.value(op, onHost(tensor, copy, false));
  };
  for (size_t i = 0; i < launch.ops.size(); ++i) {
    if (!info || !info->ops()) {
      show(int(i), int(i));
      continue;
    }
    int output = info->ops()->Get(flatbuffers::uoffset_t(i))->output();
    if (output >= 0)
      show(int(i), output);
  }
}

bool ObservedRun::run(
    const std::vector<std::unique_ptr<PreparedLaunch>> &launches,
    Observer &observer) {
  for (size_t i = 0; i < launches.size(); ++i) {
    const ObservedLaunch &launch = descriptions[i];
    observer.begin(launch);
    if (observer.wantsInputs())
      showInputs(int(i), observer);
    showInner(int(i), observer);
    launches[i]->run();
    device.synchronize();
    showOutputs(int(i), observer);
    if (!observer.end(launch))
      return false;
  }
  return true;
}

} // namespace amp::runtime
