//===- EmitObject.cpp - Machine code for CPUs -----------------------------===//

#include "amp/Target/EmitObject.h"
#include "KernelCompiler.h"
#include "amp/Dialect/Amp/IR/Amp.h"
#include "amp/Target/Link.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Support/TargetSelect.h"
#include <atomic>
#include <mutex>
#include <thread>

using namespace mlir;
using namespace amp;

namespace {
/// The code modules of a module, compiled by several threads.
class KernelQueue {
public:
  KernelQueue(ArrayRef<ModuleOp> modules, const CpuTarget &target,
              const CompileOptions &options)
      : modules(modules), target(target), options(options),
        results(modules.size()) {}

  void run() {
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < options.threads; ++i)
      threads.emplace_back([this] { work(); });
    work();
    for (std::thread &thread : threads)
      thread.join();
  }

  std::vector<KernelObject> &get() { return results; }

private:
  void work() {
    KernelCompiler compiler(target, options);
    for (size_t i; (i = next.fetch_add(1)) < modules.size();) {
      llvm::LLVMContext context;
      std::unique_ptr<llvm::Module> module;
      {
        // The MLIR context is shared and may be one for a single thread; all
        // that takes long happens in the LLVM context of this thread.
        std::lock_guard<std::mutex> lock(translation);
        module = translateModuleToLLVMIR(modules[i], context, "kernel");
      }
      if (!module)
        results[i].error = "translation to LLVM IR failed";
      else
        results[i] = compiler.compile(*module);
    }
  }

  ArrayRef<ModuleOp> modules;
  const CpuTarget &target;
  const CompileOptions &options;
  std::vector<KernelObject> results;
  std::atomic<size_t> next{0};
  std::mutex translation;
};
} // namespace

FailureOr<CompiledCode> amp::compileKernels(ModuleOp module,
                                            const CpuTarget &target,
                                            const CompileOptions &options) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());

  SmallVector<ModuleOp> modules;
  for (ModuleOp nested : module.getOps<ModuleOp>())
    if (auto code = nested->getAttrOfType<StringAttr>("amp.code");
        code && code.getValue() == "cpu")
      modules.push_back(nested);
  CompiledCode result;
  if (modules.empty()) {
    auto kernels = module.getOps<KernelOp>();
    if (kernels.empty())
      return result;
    return (*kernels.begin()).emitError("kernel @")
           << (*kernels.begin()).getSymName()
           << " has no code: the pipeline amp-cpu comes before compilation";
  }

  KernelQueue queue(modules, target, options);
  queue.run();
  std::vector<std::vector<char>> objects;
  bool good = true;
  for (auto [code, kernel] : llvm::zip(modules, queue.get())) {
    if (!kernel.error.empty()) {
      code.emitError("kernel ")
          << code->getAttr("amp.kernel") << ": " << kernel.error;
      good = false;
    }
    result.llvmText += kernel.llvmText;
    result.assembly += kernel.assembly;
    objects.push_back(std::move(kernel.object));
  }
  if (!good)
    return failure();
  llvm::Expected<std::vector<char>> linked = linkSharedObject(objects);
  if (!linked) {
    module.emitError(llvm::toString(linked.takeError()));
    return failure();
  }
  result.sharedObject = std::move(*linked);
  return result;
}
