//===- Session.cpp - A loaded package: variables and entry points
//----------===//
//
// Owns the storage of variables and the arena; entries are prepared when they
// are first used.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Session.h"
#include "PackageChecks.h"
#include "SessionEntry.h"
#include "amp/ABI/Container.h"
#include "amp/Runtime/Error.h"
#include "kernels/Convert.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <map>

namespace amp::runtime {

struct Session::Impl {
  Impl(std::shared_ptr<const Package> opened, SessionOptions options);

  SessionEntry &entry(const std::string &name);
  const abi::Variable &checkedVariable(int index) const;
  void allocateVariables();
  void initializeVariables();
  std::vector<bool> findWrittenElsewhere() const;

  std::shared_ptr<const Package> package;
  std::unique_ptr<Device> device;
  std::unique_ptr<Allocation> variableMemory, arena;
  std::vector<BoundTensor> variables;
  size_t variableBytes = 0;
  bool profiling = false;
  // Last: launches refer to everything above.
  std::map<const abi::Entry *, std::unique_ptr<SessionEntry>> entries;
};

Session::Impl::Impl(std::shared_ptr<const Package> opened,
                    SessionOptions options)
    : package(std::move(opened)),
      device(createDevice(options.device, options.threads, *package)) {
  device->loadModule(*package);
  size_t arenaBytes = 0;
  if (package->get().entries())
    for (const abi::Entry *entry : *package->get().entries())
      arenaBytes =
          std::max(arenaBytes, static_cast<size_t>(entry->arena_bytes()));
  arena = device->allocate(arenaBytes);
  allocateVariables();
  initializeVariables();
}

/// Which variables a launch writes that does not write their copies, too.
std::vector<bool> Session::Impl::findWrittenElsewhere() const {
  const abi::Package &root = package->get();
  std::vector<bool> written(root.variables() ? root.variables()->size() : 0);
  if (!root.entries())
    return written;
  for (const abi::Entry *entry : *root.entries()) {
    if (!entry->launches())
      continue;
    for (const abi::Launch *launch : *entry->launches()) {
      if (!launch->operands() || device->writesCopies(*launch))
        continue;
      for (int64_t i = launch->operands()->size() - launch->outputs();
           i < int64_t(launch->operands()->size()); ++i) {
        const abi::Tensor &tensor = *launch->operands()->Get(i);
        if (tensor.space() == abi::Space::variable)
          written[tensor.index()] = true;
      }
    }
  }
  return written;
}

void Session::Impl::allocateVariables() {
  const auto *list = package->get().variables();
  if (!list)
    return device->bindVariables({});
  std::vector<size_t> offsets;
  for (const abi::Variable *variable : *list) {
    offsets.push_back(variableBytes);
    size_t bytes = bytesOf(variable->dtype(), variable->dims());
    variableBytes += (bytes + abi::kBufferAlignment - 1) /
                     abi::kBufferAlignment * abi::kBufferAlignment;
  }
  variableMemory = device->allocate(variableBytes);
  std::vector<bool> writtenElsewhere = findWrittenElsewhere();
  std::vector<VariableBinding> bindings;
  int index = 0;
  for (const abi::Variable *variable : *list) {
    variables.push_back(
        boundTensor(variable->dtype(), dimsOf(variable->dims()),
                    variableMemory->data() + offsets[index],
                    bytesOf(variable->dtype(), variable->dims()),
                    abi::Space::variable, index));
    bindings.push_back({variables.back(), variable->kind()->str(),
                        variable->shadow_of(), bool(writtenElsewhere[index])});
    ++index;
  }
  device->bindVariables(std::move(bindings));
}

/// One element of `dtype` with this value, as bytes.
static std::vector<char> elementOf(abi::DType dtype, double value) {
  std::vector<char> bytes(abi::sizeOf(dtype), 0);
  auto store = [&](auto converted) {
    std::memcpy(bytes.data(), &converted, sizeof(converted));
  };
  // Out of range is undefined for a cast; a damaged package may ask for it.
  double whole =
      std::isfinite(value) ? std::clamp(value, -9.2e18, 9.2e18) : 0.0;
  float single = static_cast<float>(value);
  switch (dtype) {
  case abi::DType::f64:
    store(value);
    break;
  case abi::DType::f32:
    store(single);
    break;
  case abi::DType::f16:
  case abi::DType::bf16:
    kernels::convert(dtype, bytes.data(), abi::DType::f32, &single, 1);
    break;
  case abi::DType::i1:
    store(static_cast<char>(value != 0));
    break;
  default: {
    int64_t integer = static_cast<int64_t>(whole);
    std::memcpy(bytes.data(), &integer, bytes.size());
  }
  }
  return bytes;
}

void Session::Impl::initializeVariables() {
  const auto *list = package->get().variables();
  if (!list)
    return;
  const auto *constants = package->get().constants();
  int index = 0;
  for (const abi::Variable *variable : *list) {
    const BoundTensor &tensor = variables[index++];
    if (variable->shadow_of() >= 0 || tensor.bytes == 0)
      continue;
    if (variable->data_offset() >= 0) {
      device->copyToDevice(tensor.data,
                           constants->data() + variable->data_offset(),
                           tensor.bytes);
      continue;
    }
    if (variable->fill() == 0)
      continue;
    std::vector<char> element = elementOf(tensor.dtype, variable->fill());
    std::vector<char> piece;
    while (piece.size() < std::min<size_t>(tensor.bytes, 65536))
      piece.insert(piece.end(), element.begin(), element.end());
    for (size_t at = 0; at < tensor.bytes; at += piece.size())
      device->copyToDevice(tensor.data + at, piece.data(),
                           std::min(piece.size(), tensor.bytes - at));
  }
}

SessionEntry &Session::Impl::entry(const std::string &name) {
  const abi::Entry *found = package->findEntry(name);
  if (!found) {
    std::string known;
    if (package->get().entries())
      for (const abi::Entry *entry : *package->get().entries())
        known += (known.empty() ? "" : ", ") + entry->name()->str();
    throw Error(ExitCode::BadInput,
                fmt::format("the package has no entry '{}', it has: {}", name,
                            known.empty() ? "none" : known));
  }
  std::unique_ptr<SessionEntry> &entry = entries[found];
  if (!entry) {
    device->beginRun();
    try {
      entry = std::make_unique<SessionEntry>(*device, package->get(), *found,
                                             *arena, variables);
    } catch (...) {
      entries.erase(found);
      throw;
    }
    device->finishPreparing();
  }
  return *entry;
}

const abi::Variable &Session::Impl::checkedVariable(int index) const {
  if (index < 0 || index >= static_cast<int>(variables.size()))
    throw Error(ExitCode::BadInput,
                fmt::format("there is no variable {}, the package has {}",
                            index, variables.size()));
  return *package->get().variables()->Get(index);
}

Session::Session(std::shared_ptr<const Package> package, SessionOptions options)
    : impl(std::make_unique<Impl>(std::move(package), std::move(options))) {}

Session::~Session() = default;

const Package &Session::package() const { return *impl->package; }

int Session::threads() const { return impl->device->threads(); }

bool Session::hasEntry(const std::string &entry) const {
  return impl->package->findEntry(entry) != nullptr;
}

void Session::prepare(const std::string &entry) { impl->entry(entry); }

HostTensor Session::argument(const std::string &entry,
                             const std::string &name) {
  SessionEntry &found = impl->entry(entry);
  return found.port(found.arguments, name, "argument");
}

HostTensor Session::result(const std::string &entry, const std::string &name) {
  SessionEntry &found = impl->entry(entry);
  return found.port(found.results, name, "result");
}

HostTensor Session::resultAt(const std::string &entry, size_t index) {
  SessionEntry &found = impl->entry(entry);
  if (index >= found.results.size())
    throw Error(ExitCode::BadInput,
                fmt::format("entry '{}' has {} results, not {}", entry,
                            found.results.size(), index + 1));
  return found.results[index].host;
}

double Session::scalar(const std::string &entry, const std::string &name) {
  HostTensor tensor = result(entry, name);
  if (tensor.elements() != 1)
    throw Error(
        ExitCode::BadInput,
        fmt::format("result '{}' of entry '{}' is no scalar", name, entry));
  auto load = [&](auto value) {
    std::memcpy(&value, tensor.data, sizeof(value));
    return static_cast<double>(value);
  };
  float single = 0;
  switch (tensor.dtype) {
  case abi::DType::f64:
    return load(double());
  case abi::DType::f32:
    return load(float());
  case abi::DType::f16:
  case abi::DType::bf16:
    kernels::convert(abi::DType::f32, &single, tensor.dtype, tensor.data, 1);
    return single;
  case abi::DType::i64:
    return load(int64_t());
  case abi::DType::i32:
    return load(int32_t());
  case abi::DType::i16:
    return load(int16_t());
  case abi::DType::i8:
    return load(int8_t());
  case abi::DType::u8:
  case abi::DType::i1:
    return load(uint8_t());
  default:
    throw Error(ExitCode::Unsupported,
                fmt::format("result '{}' has type {}, which is no scalar type",
                            name, abi::nameOf(tensor.dtype)));
  }
}

void Session::run(const std::string &entry) {
  impl->entry(entry).run(impl->profiling);
}

bool Session::observe(const std::string &entry, Observer &observer) {
  return impl->entry(entry).observe(
      observer, [this](int index) { return readVariable(index); });
}

std::vector<char> Session::readVariable(int index) const {
  std::vector<char> bytes;
  readVariable(index, bytes);
  return bytes;
}

void Session::readVariable(int index, std::vector<char> &bytes) const {
  const abi::Variable &variable = impl->checkedVariable(index);
  const BoundTensor &tensor = impl->variables[index];
  bytes.resize(tensor.bytes);
  if (variable.shadow_of() < 0)
    return impl->device->copyToHost(bytes.data(), tensor.data, tensor.bytes);
  // Its storage may lie in another layout, or nowhere: made from the original.
  std::vector<char> master = readVariable(variable.shadow_of());
  kernels::convert(tensor.dtype, bytes.data(),
                   impl->variables[variable.shadow_of()].dtype, master.data(),
                   tensor.elements());
}

void Session::writeVariable(int index, const void *data, size_t bytes) {
  const abi::Variable &variable = impl->checkedVariable(index);
  const BoundTensor &tensor = impl->variables[index];
  if (variable.shadow_of() >= 0)
    throw Error(ExitCode::BadInput,
                fmt::format("variable '{}' is a copy and cannot be written",
                            variable.name()->str()));
  if (bytes != tensor.bytes)
    throw Error(ExitCode::BadInput,
                fmt::format("variable '{}' has {} bytes, {} were given",
                            variable.name()->str(), tensor.bytes, bytes));
  impl->device->copyToDevice(tensor.data, data, bytes);
  impl->device->refreshDerived(index);
}

void Session::refreshShadows() { impl->device->refreshDerived(-1); }

Session::Memory Session::memory() const {
  return {impl->arena->bytes(),
          impl->variableBytes + impl->device->derivedBytes(),
          impl->device->workspaceBytes()};
}

std::vector<int> Session::changedInCalls() const {
  const std::set<int> &changed = impl->device->changedInCalls();
  return {changed.begin(), changed.end()};
}

void Session::setProfiling(bool on) { impl->profiling = on; }

std::vector<Session::LaunchTime>
Session::launchTimes(const std::string &entry) const {
  const abi::Entry *found = impl->package->findEntry(entry);
  auto prepared = impl->entries.find(found);
  if (!found || prepared == impl->entries.end())
    return {};
  return prepared->second->times();
}

} // namespace amp::runtime
