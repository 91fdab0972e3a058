//===- KernelRunner.cpp - Compiles, loads and runs kernels ----------------===//

#include "KernelRunner.h"
#include "amp/Conversion/AmpToCPU/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gmock/gmock.h"
#include <cmath>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace mlir;

namespace amp::test {

static void *loadFromMemory(const std::vector<char> &bytes,
                            std::string &error) {
  int file = memfd_create("kernels", MFD_CLOEXEC);
  if (file < 0 ||
      write(file, bytes.data(), bytes.size()) != ssize_t(bytes.size())) {
    error += "no memory file";
    return nullptr;
  }
  std::string path = "/proc/self/fd/" + std::to_string(file);
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    error += dlerror();
  close(file);
  return handle;
}

KernelRunner::KernelRunner(const std::string &text, const std::string &cpu,
                           CompileOptions options) {
  context = std::make_unique<MLIRContext>();
  context->loadDialect<AmpDialect>();
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
    error += diagnostic.str() + "\n";
    return success();
  });
  module = parseSourceString<ModuleOp>(text, context.get());
  if (!module)
    return;
  PassManager passes(context.get());
  buildCPUPipeline(passes);
  if (failed(passes.run(*module)))
    return;
  llvm::Expected<CpuTarget> target = resolveCpuTarget(cpu);
  if (!target) {
    error += llvm::toString(target.takeError());
    return;
  }
  FailureOr<CompiledCode> compiled = compileKernels(*module, *target, options);
  if (failed(compiled))
    return;
  code = std::move(*compiled);
  handle = loadFromMemory(code.sharedObject, error);
}

KernelRunner::~KernelRunner() {
  if (handle)
    dlclose(handle);
}

KernelOp KernelRunner::kernel(StringRef name) {
  for (KernelOp kernel : module->getOps<KernelOp>())
    if (name.empty() || kernel.getSymName() == name)
      return kernel;
  return nullptr;
}

void KernelRunner::call(KernelOp kernel, std::vector<void *> addresses,
                        int64_t parts) {
  using Function = void (*)(void **, int64_t, int64_t, void *);
  std::string name = kernel.getSymName().str();
  auto function = reinterpret_cast<Function>(dlsym(handle, name.c_str()));
  ASSERT_NE(function, nullptr);
  std::vector<char> scratch(*kernel.getScratchBytes() + 64);
  void *aligned = scratch.data();
  size_t room = scratch.size();
  std::align(64, *kernel.getScratchBytes(), aligned, room);
  int64_t units = *kernel.getUnits();
  for (int64_t part = parts; part-- > 0;)
    function(addresses.data(), units * part / parts, units * (part + 1) / parts,
             aligned);
}

std::vector<HostTensor>
KernelRunner::run(KernelOp kernel, ArrayRef<HostTensor> inputs, int64_t parts) {
  std::vector<void *> addresses;
  for (const HostTensor &input : inputs)
    addresses.push_back(const_cast<char *>(input.bytes.data()));
  std::vector<HostTensor> outputs;
  for (Value output : kernel.getBody().front().getTerminator()->getOperands())
    outputs.emplace_back(tensorType(output));
  // A guard behind each output shows stores beyond its end.
  const size_t guard = 64;
  for (HostTensor &output : outputs) {
    output.bytes.resize(output.bytes.size() + guard, char(0x5a));
    addresses.push_back(output.bytes.data());
  }
  call(kernel, addresses, parts);
  for (HostTensor &output : outputs) {
    for (size_t i = output.bytes.size() - guard; i < output.bytes.size(); ++i)
      EXPECT_EQ(output.bytes[i], char(0x5a)) << "store beyond the end";
    output.bytes.resize(output.bytes.size() - guard);
  }
  return outputs;
}

std::vector<HostTensor> KernelRunner::runInPlace(KernelOp kernel,
                                                 ArrayRef<HostTensor> inputs,
                                                 unsigned input) {
  std::vector<HostTensor> copies(inputs), outputs;
  std::vector<void *> addresses;
  for (HostTensor &copy : copies)
    addresses.push_back(copy.bytes.data());
  for (Value output : kernel.getBody().front().getTerminator()->getOperands())
    outputs.emplace_back(tensorType(output));
  addresses.push_back(copies[input].bytes.data());
  for (size_t i = 1; i < outputs.size(); ++i)
    addresses.push_back(outputs[i].bytes.data());
  call(kernel, addresses, 1);
  outputs[0].bytes = copies[input].bytes;
  return outputs;
}

std::vector<HostTensor> randomInputs(KernelOp kernel, std::mt19937 &random,
                                     double low, double high) {
  std::vector<HostTensor> inputs;
  for (BlockArgument argument : kernel.getBody().front().getArguments()) {
    HostTensor tensor(tensorType(argument));
    Type element = tensor.type.getElementType();
    std::uniform_real_distribution<double> real(low, high);
    int lowest = element.isUnsignedInteger() || element.isInteger(1) ? 0 : -9;
    std::uniform_int_distribution<int> whole(lowest,
                                             element.isInteger(1) ? 1 : 9);
    for (int64_t i = 0; i < tensor.size(); ++i)
      tensor.set(i, isa<FloatType>(element) ? real(random) : whole(random));
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

static void compareOutput(const HostTensor &actual,
                          const std::vector<double> &expected,
                          double tolerance) {
  Type element = actual.type.getElementType();
  double scale = 0;
  for (double value : expected)
    if (std::isfinite(value))
      scale = std::max(scale, std::fabs(value));
  int64_t wrong = 0;
  for (int64_t i = 0; i < actual.size() && wrong < 3; ++i) {
    double got = actual.get(i), want = expected[i];
    if (std::isnan(want) ? std::isnan(got) : got == want)
      continue;
    double bound = halfUlp(want, element) * 1.01;
    if (isa<FloatType>(element))
      bound += tolerance * std::max(scale, std::fabs(want));
    if (std::fabs(got - want) <= bound)
      continue;
    ++wrong;
    ADD_FAILURE() << "element " << i << " of " << actual.size() << ": got "
                  << got << ", expected " << want << " +- " << bound;
  }
}

void checkKernel(const std::string &text, double tolerance, unsigned seed,
                 double low, double high) {
  SCOPED_TRACE(text + "\nseed " + std::to_string(seed));
  KernelRunner native(text, "native"), portable(text, "x86-64-v3");
  ASSERT_TRUE(native.good()) << native.error;
  ASSERT_TRUE(portable.good()) << portable.error;
  std::mt19937 random(seed);
  std::vector<HostTensor> inputs =
      randomInputs(native.kernel(), random, low, high);
  auto results = native.run(native.kernel(), inputs);
  auto split = native.run(native.kernel(), inputs, 3);
  auto others = portable.run(portable.kernel(), inputs);
  auto expected = evaluate(native.kernel(), inputs);
  for (size_t i = 0; i < results.size(); ++i) {
    SCOPED_TRACE("output " + std::to_string(i));
    compareOutput(results[i], expected[i], tolerance);
    EXPECT_EQ(results[i].bytes, split[i].bytes) << "depends on the split";
    EXPECT_EQ(results[i].bytes, others[i].bytes) << "depends on the target";
  }
}

} // namespace amp::test
