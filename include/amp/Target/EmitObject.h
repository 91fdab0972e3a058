//===- EmitObject.h - Machine code for CPUs ---------------------*- C++ -*-===//
//
// Compiles the code modules that amp-cpu leaves in a module to one shared
// object in memory.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TARGET_EMITOBJECT_H
#define AMP_TARGET_EMITOBJECT_H

#include "amp/Target/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace amp {

/// Machine code of all kernels of a module.
struct CompiledCode {
  /// An ELF shared object; empty if there is no kernel.
  std::vector<char> sharedObject;
  /// Optimised LLVM IR of all kernels, if asked for.
  std::string llvmText;
  /// Assembly of all kernels, if asked for.
  std::string assembly;
};

/// What to make beside the shared object.
struct CompileOptions {
  bool keepLLVMText = false;
  bool keepAssembly = false;
  /// Threads that compile; the result does not depend on it.
  unsigned threads = 2;
};

/// Compiles all code modules (attribute amp.code = "cpu") of `module`, which
/// must hold LLVM ops only. Errors name the kernel. The result depends on the
/// input only, byte for byte.
mlir::FailureOr<CompiledCode>
compileKernels(mlir::ModuleOp module, const CpuTarget &target,
               const CompileOptions &options = CompileOptions());

} // namespace amp

#endif // AMP_TARGET_EMITOBJECT_H
