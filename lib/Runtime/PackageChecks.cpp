//===- PackageChecks.cpp - Range checks of a package
//-----------------------===//
//
// Nothing behind these checks compares an offset again: a launch may use every
// byte its operands describe.
//
//===----------------------------------------------------------------------===//

#include "PackageChecks.h"
#include "amp/ABI/Container.h"
#include "amp/Runtime/Error.h"
#include <fmt/format.h>
#include <map>
#include <set>

namespace amp::runtime {

using abi::DType;
using Dims = flatbuffers::Vector<int64_t>;

namespace {

/// No tensor, arena or scratch is larger (64 TiB); sums of a few such numbers
/// cannot overflow.
constexpr int64_t kLargest = int64_t(1) << 46;

/// Walks one package; `source` and the place open every message.
class Checker {
public:
  Checker(const abi::Package &package, const std::string &source)
      : package(package), source(source) {}

  void run();

private:
  [[noreturn]] void fail(const std::string &place,
                         const std::string &message) const {
    std::string where = place;
    if (operand >= 0)
      where += fmt::format(", operand {}", operand);
    throw Error(ExitCode::BadInput, fmt::format("{}: damaged package: {}: {}",
                                                source, where, message));
  }
  void require(bool good, const std::string &place, const char *what) const {
    if (!good)
      fail(place, what);
  }
  /// Bytes of a dense tensor.
  int64_t checkedBytes(DType dtype, const Dims *dims,
                       const std::string &place) const;
  void checkVariable(const abi::Variable &variable, int number);
  void checkEntry(const abi::Entry &entry);
  void checkLaunch(const abi::Entry &entry, const abi::Launch &launch,
                   const std::string &place);
  void checkSources(const abi::Launch &launch, const std::string &place) const;
  void checkKernelInfo(const abi::KernelInfo &kernel);
  void checkTensor(const abi::Entry &entry, const abi::Tensor &tensor,
                   bool written, const std::string &place) const;
  /// Bytes of the storage a tensor lies in.
  int64_t storageBytes(const abi::Entry &entry, const abi::Tensor &tensor,
                       const std::string &place) const;

  const abi::Package &package;
  const std::string &source;
  /// The operand that is looked at, or -1; a message per operand would take
  /// longer than the checks.
  int operand = -1;
  /// Inputs and outputs of each generated function that is launched.
  std::map<std::string, std::pair<int64_t, int64_t>> operandsOf;
};

int64_t Checker::checkedBytes(DType dtype, const Dims *dims,
                              const std::string &place) const {
  require(dtype >= DType::MIN && dtype <= DType::MAX, place,
          "unknown element type");
  // Zero-sized tensors must have sane other dimensions too.
  int64_t elements = 1;
  bool zero = false;
  if (dims)
    for (int64_t dim : *dims) {
      require(dim >= 0 && dim <= kLargest, place, "dimension out of range");
      zero |= dim == 0;
      if (dim > 0 && elements > kLargest / dim)
        fail(place, "tensor is too large");
      elements *= dim > 0 ? dim : 1;
    }
  int64_t size = static_cast<int64_t>(abi::sizeOf(dtype));
  require(elements <= kLargest / size, place, "tensor is too large");
  return zero ? 0 : elements * size;
}

void Checker::checkVariable(const abi::Variable &variable, int number) {
  std::string place =
      fmt::format("variable {} '{}'", number, variable.name()->str());
  int64_t bytes = checkedBytes(variable.dtype(), variable.dims(), place);
  int64_t constants = package.constants() ? package.constants()->size() : 0;
  int64_t offset = variable.data_offset();
  require(offset >= -1 && offset <= constants, place, "offset out of range");
  require(offset < 0 || bytes <= constants - offset, place,
          "initial value outside the constants");
  int source = variable.shadow_of();
  require(source >= -1 &&
              source < static_cast<int>(package.variables()->size()) &&
              source != number,
          place, "shadow of an unknown variable");
  require((source >= 0) == (variable.kind()->str() == "shadow"), place,
          "kind and shadow_of do not agree");
  if (source < 0)
    return;
  const abi::Variable &master = *package.variables()->Get(source);
  auto isFloat = [](DType type) {
    return type == DType::f32 || type == DType::bf16 || type == DType::f16;
  };
  require(isFloat(master.dtype()) && master.shadow_of() < 0, place,
          "shadow of a variable that is no original of f32, bf16 or f16");
  require(isFloat(variable.dtype()), place,
          "shadow of a type that is not f32, bf16 or f16");
  require(bytes / static_cast<int64_t>(abi::sizeOf(variable.dtype())) ==
              checkedBytes(master.dtype(), master.dims(), place) /
                  static_cast<int64_t>(abi::sizeOf(master.dtype())),
          place, "shadow of another size");
}

int64_t Checker::storageBytes(const abi::Entry &entry,
                              const abi::Tensor &tensor,
                              const std::string &place) const {
  auto item = [&](const auto *vector) {
    int64_t count = vector ? vector->size() : 0;
    require(tensor.index() >= 0 && tensor.index() < count, place,
            "index out of range");
    const auto &found = *vector->Get(tensor.index());
    return checkedBytes(found.dtype(), found.dims(), place);
  };
  switch (tensor.space()) {
  case abi::Space::arena:
    return entry.arena_bytes();
  case abi::Space::constant:
    return package.constants() ? package.constants()->size() : 0;
  case abi::Space::variable:
    return item(package.variables());
  case abi::Space::argument:
    return item(entry.arguments());
  case abi::Space::result:
    return item(entry.results());
  }
  fail(place, "unknown place");
}

void Checker::checkTensor(const abi::Entry &entry, const abi::Tensor &tensor,
                          bool written, const std::string &place) const {
  int64_t bytes = checkedBytes(tensor.dtype(), tensor.dims(), place);
  int64_t size = static_cast<int64_t>(abi::sizeOf(tensor.dtype()));
  int64_t storage = storageBytes(entry, tensor, place);
  int64_t offset = tensor.offset();
  require(offset >= 0 && offset <= storage && offset % size == 0, place,
          "offset out of range");
  if (written)
    require(tensor.space() != abi::Space::constant &&
                tensor.space() != abi::Space::argument,
            place, "writes a constant or an argument");
  const Dims *dims = tensor.dims(), *strides = tensor.strides();
  if (!strides || strides->size() == 0) {
    require(bytes <= storage - offset, place, "lies outside its storage");
    return;
  }
  require(dims && strides->size() == dims->size(), place,
          "strides and dimensions differ in number");
  int64_t last = 0;
  for (flatbuffers::uoffset_t i = 0; i < strides->size(); ++i) {
    int64_t stride = strides->Get(i), dim = dims->Get(i);
    require(stride >= 0 && stride <= kLargest, place, "stride out of range");
    if (dim > 1 && stride > (kLargest - last) / (dim - 1))
      fail(place, "stride out of range");
    last += dim > 1 ? stride * (dim - 1) : 0;
    require(!written || dim <= 1 || stride > 0, place,
            "writes one element several times");
  }
  require(bytes == 0 || last < (storage - offset) / size, place,
          "lies outside its storage");
}

void Checker::checkLaunch(const abi::Entry &entry, const abi::Launch &launch,
                          const std::string &place) {
  require(launch.kind() >= abi::LaunchKind::MIN &&
              launch.kind() <= abi::LaunchKind::MAX,
          place, "unknown kind of launch");
  int64_t operands = launch.operands() ? launch.operands()->size() : 0;
  require(launch.outputs() >= 0 && launch.outputs() <= operands, place,
          "more outputs than operands");
  for (int64_t number : {launch.units(), launch.unit_bytes()})
    require(number >= 0 && number <= kLargest, place, "range out of range");
  require(launch.scratch_bytes() >= 0 &&
              launch.scratch_bytes() <= (int64_t(1) << 30),
          place, "scratch out of range");
  for (int64_t i = 0; i < operands; ++i) {
    operand = static_cast<int>(i);
    checkTensor(entry, *launch.operands()->Get(i),
                i >= operands - launch.outputs(), place);
  }
  operand = -1;
  checkSources(launch, place);
  if (launch.kind() != abi::LaunchKind::kernel)
    return;
  std::pair<int64_t, int64_t> counts(operands - launch.outputs(),
                                     launch.outputs());
  auto known = operandsOf.emplace(launch.symbol()->str(), counts).first;
  require(known->second == counts, place,
          "the function is launched with other operands elsewhere");
}

void Checker::checkSources(const abi::Launch &launch,
                           const std::string &place) const {
  int64_t count = package.sources() ? package.sources()->size() : 0;
  if (!launch.sources())
    return;
  require(launch.sources()->size() % 2 == 0, place, "odd list of sources");
  for (flatbuffers::uoffset_t i = 0; i < launch.sources()->size(); i += 2)
    require(launch.sources()->Get(i) >= -1 && launch.sources()->Get(i) < count,
            place, "source out of range");
}

/// Whether the code agrees nobody can tell, as for launches.
void Checker::checkKernelInfo(const abi::KernelInfo &kernel) {
  std::string place =
      fmt::format("kernel information '{}'", kernel.symbol()->str());
  for (int64_t number : {kernel.units(), kernel.unit_bytes()})
    require(number >= 0 && number <= kLargest, place, "range out of range");
  require(kernel.scratch_bytes() >= 0 &&
              kernel.scratch_bytes() <= (int64_t(1) << 30),
          place, "scratch out of range");
  auto found = operandsOf.find(kernel.symbol()->str());
  auto [inputs, outputs] =
      found == operandsOf.end() ? std::pair<int64_t, int64_t>() : found->second;
  std::set<int> probes;
  int64_t count = kernel.ops() ? kernel.ops()->size() : 0;
  for (int64_t i = 0; i < count; ++i) {
    const abi::KernelOp &op =
        *kernel.ops()->Get(static_cast<flatbuffers::uoffset_t>(i));
    if (op.operands())
      for (int number : *op.operands())
        require(number >= 0 && number < inputs + i, place,
                "operand of an op out of range");
    require(op.output() >= -1 && op.output() < outputs, place,
            "output out of range");
    require(op.probe() >= -1 && op.probe() < count, place,
            "probe out of range");
    checkedBytes(op.dtype(), op.dims(), place);
    if (op.probe() >= 0)
      require(probes.insert(op.probe()).second, place, "probe used twice");
  }
  require(probes.empty() || *probes.rbegin() + 1 == int(probes.size()), place,
          "a probe is missing");
}

void Checker::checkEntry(const abi::Entry &entry) {
  std::string place = fmt::format("entry '{}'", entry.name()->str());
  require(entry.arena_bytes() >= 0 && entry.arena_bytes() <= kLargest, place,
          "arena size out of range");
  // A model may have an output called "loss": that is another role.
  auto checkPorts = [&](const auto *ports, bool byRole) {
    std::set<std::string> names;
    if (ports)
      for (const auto *port : *ports) {
        std::string where = fmt::format("{}, '{}'", place, port->name()->str());
        checkedBytes(port->dtype(), port->dims(), where);
        std::string name = port->name()->str();
        if (byRole && port->role())
          name = port->role()->str() + "/" + name;
        require(names.insert(name).second, where, "name used twice");
      }
  };
  checkPorts(entry.arguments(), false);
  checkPorts(entry.results(), true);
  if (!entry.launches())
    return;
  int number = 0;
  for (const abi::Launch *launch : *entry.launches())
    checkLaunch(entry, *launch,
                fmt::format("{}, launch {} '{}'", place, number++,
                            launch->symbol()->str()));
}

void Checker::run() {
  std::set<std::string> names;
  int number = 0;
  if (package.variables())
    for (const abi::Variable *variable : *package.variables()) {
      require(names.insert(variable->name()->str()).second,
              fmt::format("variable '{}'", variable->name()->str()),
              "name used twice");
      checkVariable(*variable, number++);
    }
  names.clear();
  if (package.entries())
    for (const abi::Entry *entry : *package.entries()) {
      std::string bucket = entry->bucket() ? entry->bucket()->str() : "";
      require(names.insert(entry->name()->str() + "/" + bucket).second,
              fmt::format("entry '{}'", entry->name()->str()),
              "name used twice");
      checkEntry(*entry);
    }
  if (package.kernels())
    for (const abi::KernelInfo *kernel : *package.kernels())
      checkKernelInfo(*kernel);
}

} // namespace

void checkPackage(const abi::Package &package, const std::string &source) {
  Checker(package, source).run();
}

std::vector<int64_t> dimsOf(const Dims *dims) {
  if (!dims)
    return {};
  return {dims->begin(), dims->end()};
}

size_t bytesOf(DType dtype, const Dims *dims) {
  size_t bytes = abi::sizeOf(dtype);
  if (dims)
    for (int64_t dim : *dims)
      bytes *= static_cast<size_t>(dim);
  return bytes;
}

} // namespace amp::runtime
