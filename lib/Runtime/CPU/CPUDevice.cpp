//===- CPUDevice.cpp - The processor as a device
//---------------------------===//
//
// Prepares the launches of a package for OpenMP threads.
//
//===----------------------------------------------------------------------===//

#include "CPUDevice.h"
#include "CPUFeatures.h"
#include "amp/Runtime/Error.h"
#include "amp/Runtime/Session.h"
#include <cstring>
#include <fmt/format.h>

namespace amp::runtime {

namespace {

/// A generated function over its range.
class KernelLaunch : public PreparedLaunch {
public:
  KernelLaunch(CPUContext &context, KernelFunction function,
               const KernelCall &call, const std::vector<BoundTensor> &operands)
      : context(context), function(function), units(call.units),
        unitBytes(call.unitBytes) {
    for (const BoundTensor &operand : operands)
      arguments.push_back(operand.data);
    // A page between threads, so that they share no cache line.
    scratch = (call.scratchBytes + 4095) / 4096 * 4096;
    if (scratch)
      context.workspace().reserve(scratch * context.parallel().threads());
  }

  void run() override {
    char *workspace = context.workspace().data();
    context.parallel().forRange(
        units, unitBytes, [&](int64_t begin, int64_t end, int thread) {
          function(arguments.data(), begin, end,
                   scratch ? workspace + scratch * thread : nullptr);
        });
  }

private:
  CPUContext &context;
  KernelFunction function;
  std::vector<void *> arguments;
  int64_t units, unitBytes, scratch;
};

} // namespace

static std::string nodeOf(const abi::Launch &launch) {
  return launch.node() ? launch.node()->str() : "";
}

/// Before anything else of the device is made: its loops need these.
static const Package &checked(const Package &package) {
  std::string target =
      package.get().target() ? package.get().target()->str() : "";
  if (target != "cpu")
    throw Error(ExitCode::Unsupported,
                fmt::format("the model was compiled for target '{}', the "
                            "device is 'cpu': compile it with --target cpu",
                            target));
  checkFeatures(package, machineFeatures());
  return package;
}

CPUDevice::CPUDevice(int threads, const Package &package)
    : context(threads, checked(package)) {
  registerKernelBuiltins(table);
  registerLibraryBuiltins(table);
}

std::unique_ptr<Allocation> CPUDevice::allocate(size_t bytes) {
  return std::make_unique<PageAllocation>(bytes);
}

void CPUDevice::copyToDevice(void *to, const void *from, size_t bytes) {
  if (bytes)
    std::memcpy(to, from, bytes);
}

void CPUDevice::copyToHost(void *to, const void *from, size_t bytes) {
  if (bytes)
    std::memcpy(to, from, bytes);
}

void CPUDevice::loadModule(const Package &package) {
  const auto *code = package.get().code();
  if (code && code->size())
    module = std::make_unique<LoadedModule>(
        reinterpret_cast<const char *>(code->data()), code->size());
}

void CPUDevice::bindVariables(std::vector<VariableBinding> variables) {
  context.bindVariables(std::move(variables));
}

bool CPUDevice::writesCopies(const abi::Launch &launch) const {
  if (launch.kind() != abi::LaunchKind::builtin)
    return false;
  const BuiltinTable::Item *item = table.find(launch.symbol()->str());
  return item && item->traits.writesCopies;
}

std::unique_ptr<PreparedLaunch>
CPUDevice::prepareKernel(const KernelCall &call,
                         std::vector<BoundTensor> operands) {
  KernelFunction function = module ? module->find(call.symbol) : nullptr;
  if (!function)
    throw Error(ExitCode::BadInput,
                fmt::format("damaged package: the generated function '{}' is "
                            "missing",
                            call.symbol));
  for (int64_t i = 0; i + call.outputs < int64_t(operands.size()); ++i)
    context.readsPlain(operands[i].variable());
  return std::make_unique<KernelLaunch>(context, function, call, operands);
}

std::unique_ptr<PreparedLaunch>
CPUDevice::prepareBuiltin(const abi::Launch &launch,
                          std::vector<BoundTensor> operands) {
  std::string symbol = launch.symbol()->str(), node = nodeOf(launch);
  std::string owner = node.empty() ? symbol : symbol + " at '" + node + "'";
  BuiltinCall call{symbol, node, std::move(operands), launch.outputs(),
                   Attributes(launch.attrs(), owner)};
  const BuiltinTable::Item *item = table.find(symbol);
  if (!item)
    throw Error(ExitCode::Unsupported,
                fmt::format("{}: this program has no such routine; it was "
                            "compiled by another version",
                            call.where()));
  if (item->traits.readsPlainInputs)
    for (int i = 0; i < call.inputs(); ++i)
      context.readsPlain(call.input(i).variable());
  std::unique_ptr<PreparedLaunch> prepared = item->factory(context, call);
  // What is repeated, or moved as it is, becomes part of an activation.
  if (symbol == "copy") {
    const BoundTensor &from = call.input(0);
    if (from.isDense() &&
        (from.dtype != call.output(0).dtype || !from.isContiguous()))
      context.changesInCalls(from.variable());
  }
  return prepared;
}

size_t CPUDevice::workspaceBytes() const { return context.workspaceBytes(); }

} // namespace amp::runtime
