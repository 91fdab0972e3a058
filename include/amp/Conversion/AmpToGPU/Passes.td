//===- Passes.td - Passes from kernels to NVVM -------------*- tablegen -*-===//

#ifndef AMP_CONVERSION_AMPTOGPU_PASSES_TD
#define AMP_CONVERSION_AMPTOGPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def AmpKernelsToNVVM : Pass<"amp-kernels-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "emits elementwise kernels for CUDA, one vector per thread";
  let description = [{
    Each kernel gets a nested module with `llvm.func @NAME` of kind
    `nvvm.kernel`: its arguments are the addresses of inputs and outputs in
    global memory, aligned to 256 bytes. A thread loads, computes and stores 8
    elements if one of the operands has 16 bits or less, else 4: accesses of
    128 bits. `amp.threads` is the number of threads; a grid of at least as many
    is to be launched. Kernels with reductions are refused.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

#endif // AMP_CONVERSION_AMPTOGPU_PASSES_TD
