//===- KernelCompiler.h - One kernel to one object --------------*- C++ -*-===//
//
// Optimises and compiles the LLVM module of one kernel.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TARGET_CPU_KERNELCOMPILER_H
#define AMP_LIB_TARGET_CPU_KERNELCOMPILER_H

#include "amp/Target/EmitObject.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>

namespace amp {

/// Object and texts of one kernel, or what went wrong.
struct KernelObject {
  std::vector<char> object;
  std::string llvmText, assembly, error;
};

/// A target machine; used by one thread.
class KernelCompiler {
public:
  KernelCompiler(const CpuTarget &target, const CompileOptions &options);

  /// Compiles a module; its context belongs to the calling thread.
  KernelObject compile(llvm::Module &module);

private:
  void addAttributes(llvm::Module &module);

  CpuTarget target;
  CompileOptions options;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::string machineError;
};

} // namespace amp

#endif // AMP_LIB_TARGET_CPU_KERNELCOMPILER_H
