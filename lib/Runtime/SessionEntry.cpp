//===- SessionEntry.cpp - One prepared entry point
//-------------------------===//
//
// Binds the operands of every launch to addresses and runs them in order.
//
//===----------------------------------------------------------------------===//

#include "SessionEntry.h"
#include "PackageChecks.h"
#include "amp/Runtime/Error.h"
#include <chrono>
#include <fmt/format.h>

namespace amp::runtime {

BoundTensor boundTensor(abi::DType dtype, std::vector<int64_t> dims, char *data,
                        size_t bytes, abi::Space space, int index) {
  BoundTensor bound;
  bound.dtype = dtype;
  bound.strides = contiguousStrides(dims);
  bound.dims = std::move(dims);
  bound.data = data;
  bound.bytes = bytes;
  bound.space = space;
  bound.index = index;
  return bound;
}

template <typename Table>
static std::vector<Port> makePorts(Device &device, const Table *table) {
  std::vector<Port> ports;
  if (!table)
    return ports;
  for (const auto *item : *table) {
    Port port;
    port.name = item->name()->str();
    port.host.dtype = item->dtype();
    port.host.dims = dimsOf(item->dims());
    port.device = device.allocate(port.host.bytes());
    port.host.data = port.device->data();
    if (!device.sharesHostMemory()) {
      port.staging.resize(port.host.bytes());
      port.host.data = port.staging.data();
    }
    ports.push_back(std::move(port));
  }
  return ports;
}

SessionEntry::SessionEntry(Device &device, const abi::Package &package,
                           const abi::Entry &entry, Allocation &arena,
                           const std::vector<BoundTensor> &variables)
    : arguments(makePorts(device, entry.arguments())),
      results(makePorts(device, entry.results())), device(device),
      package(package), entry(entry), arena(arena), variables(variables) {
  if (!entry.launches())
    return;
  for (const abi::Launch *launch : *entry.launches()) {
    if (launch->kind() == abi::LaunchKind::builtin) {
      launches.push_back(device.prepareBuiltin(*launch, operandsOf(*launch)));
      continue;
    }
    KernelCall call{launch->symbol()->str(), launch->units(),
                    launch->unit_bytes(), launch->scratch_bytes(),
                    launch->outputs()};
    launches.push_back(device.prepareKernel(call, operandsOf(*launch)));
  }
}

std::vector<BoundTensor>
SessionEntry::operandsOf(const abi::Launch &launch) const {
  std::vector<BoundTensor> operands;
  if (launch.operands())
    for (const abi::Tensor *tensor : *launch.operands())
      operands.push_back(bind(*tensor));
  return operands;
}

BoundTensor SessionEntry::bind(const abi::Tensor &tensor) const {
  char *base = nullptr;
  size_t bytes = 0;
  auto use = [&](char *address, size_t size) {
    base = address;
    bytes = size;
  };
  switch (tensor.space()) {
  case abi::Space::arena:
    use(arena.data(), entry.arena_bytes());
    break;
  case abi::Space::constant: {
    // Mapped read-only; the checks refused packages that write here.
    const auto *constants = package.constants();
    if (constants)
      use(const_cast<char *>(reinterpret_cast<const char *>(constants->data())),
          constants->size());
    break;
  }
  case abi::Space::variable:
    use(variables[tensor.index()].data, variables[tensor.index()].bytes);
    break;
  case abi::Space::argument: {
    const Port &port = arguments[tensor.index()];
    use(port.device->data(), port.device->bytes());
    break;
  }
  case abi::Space::result: {
    const Port &port = results[tensor.index()];
    use(port.device->data(), port.device->bytes());
    break;
  }
  }
  size_t offset = static_cast<size_t>(tensor.offset());
  BoundTensor bound =
      boundTensor(tensor.dtype(), dimsOf(tensor.dims()), base + offset,
                  bytes - offset, tensor.space(), tensor.index());
  if (tensor.strides() && tensor.strides()->size())
    bound.strides = dimsOf(tensor.strides());
  return bound;
}

HostTensor SessionEntry::port(std::vector<Port> &ports, const std::string &name,
                              const char *what) const {
  std::string known;
  for (Port &port : ports) {
    if (port.name == name)
      return port.host;
    known += (known.empty() ? "" : ", ") + port.name;
  }
  throw Error(ExitCode::BadInput,
              fmt::format("entry '{}' has no {} '{}', it has: {}",
                          entry.name()->str(), what, name,
                          known.empty() ? "none" : known));
}

void SessionEntry::copyArguments() {
  if (!device.sharesHostMemory())
    for (Port &port : arguments)
      device.copyToDevice(port.device->data(), port.host.data,
                          port.host.bytes());
}

void SessionEntry::copyResults() {
  if (!device.sharesHostMemory())
    for (Port &port : results)
      device.copyToHost(port.host.data, port.device->data(), port.host.bytes());
}

bool SessionEntry::observe(Observer &observer,
                           const ObservedRun::ReadVariable &readVariable) {
  if (!observed) {
    std::vector<std::vector<BoundTensor>> operands;
    if (entry.launches())
      for (const abi::Launch *launch : *entry.launches())
        operands.push_back(operandsOf(*launch));
    observed = std::make_unique<ObservedRun>(device, package, entry,
                                             std::move(operands), readVariable);
  }
  device.beginRun();
  copyArguments();
  bool whole = observed->run(launches, observer);
  copyResults();
  return whole;
}

void SessionEntry::run(bool profile) {
  device.beginRun();
  copyArguments();
  if (!profile) {
    for (std::unique_ptr<PreparedLaunch> &launch : launches)
      launch->run();
  } else {
    using Clock = std::chrono::steady_clock;
    seconds.assign(launches.size(), 0);
    for (size_t i = 0; i < launches.size(); ++i) {
      Clock::time_point start = Clock::now();
      launches[i]->run();
      device.synchronize();
      seconds[i] = std::chrono::duration<double>(Clock::now() - start).count();
    }
  }
  device.synchronize();
  copyResults();
}

std::vector<Session::LaunchTime> SessionEntry::times() const {
  std::vector<Session::LaunchTime> result;
  for (size_t i = 0; i < seconds.size(); ++i) {
    const abi::Launch &launch =
        *entry.launches()->Get(static_cast<flatbuffers::uoffset_t>(i));
    result.push_back({launch.symbol()->str(),
                      launch.node() ? launch.node()->str() : "",
                      launch.phase() ? launch.phase()->str() : "", seconds[i]});
  }
  return result;
}

} // namespace amp::runtime
