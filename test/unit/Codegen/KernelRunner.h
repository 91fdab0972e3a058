//===- KernelRunner.h - Compiles, loads and runs kernels --------*- C++ -*-===//
//
// From MLIR text to results, for one processor name.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_UNIT_CODEGEN_KERNELRUNNER_H
#define AMP_TEST_UNIT_CODEGEN_KERNELRUNNER_H

#include "Evaluator.h"
#include "amp/Codegen/KernelShape.h"
#include "amp/Target/EmitObject.h"
#include <memory>
#include <random>
#include <string>

namespace amp::test {

/// A module of kernels, compiled for one processor and loaded.
class KernelRunner {
public:
  /// Compiles; `error` holds diagnostics if this fails.
  KernelRunner(const std::string &text, const std::string &cpu = "native",
               CompileOptions options = CompileOptions());
  ~KernelRunner();

  bool good() const { return handle != nullptr; }
  /// The first kernel, or the one with this name.
  KernelOp kernel(llvm::StringRef name = "");
  /// Runs all units, split into `parts` ranges, in descending order.
  std::vector<HostTensor>
  run(KernelOp kernel, llvm::ArrayRef<HostTensor> inputs, int64_t parts = 1);
  /// The same with output 0 in the memory of an input.
  std::vector<HostTensor> runInPlace(KernelOp kernel,
                                     llvm::ArrayRef<HostTensor> inputs,
                                     unsigned input);

  std::string error;
  CompiledCode code;

private:
  void call(KernelOp kernel, std::vector<void *> addresses, int64_t parts);

  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  void *handle = nullptr;
};

/// Inputs of a kernel: floats uniform in [low, high], integers and masks small.
std::vector<HostTensor> randomInputs(KernelOp kernel, std::mt19937 &random,
                                     double low = -2, double high = 2);

/// Compiles for the native processor and for x86-64-v3, runs both, and expects
/// equal bits and results within `tolerance` (relative to the largest
/// magnitude of the output, beside half an ulp of its type).
void checkKernel(const std::string &text, double tolerance = 4e-6,
                 unsigned seed = 1, double low = -2, double high = 2);

} // namespace amp::test

#endif // AMP_TEST_UNIT_CODEGEN_KERNELRUNNER_H
