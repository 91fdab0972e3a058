//===- Passes.td - Passes from kernels to LLVM for CPUs ----*- tablegen -*-===//

#ifndef AMP_CONVERSION_AMPTOCPU_PASSES_TD
#define AMP_CONVERSION_AMPTOCPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def AmpKernelsToCPU : Pass<"amp-kernels-to-cpu", "::mlir::ModuleOp"> {
  let summary = "emits every amp.kernel as loops over explicit vectors";
  let description = [{
    Each kernel gets a nested module with `llvm.func @NAME(args, begin, end,
    scratch)` and a private body whose pointers do not alias (except those of
    an input and an output that may share memory). The body is arith, math,
    vector and scf ops on 16 lanes with a scalar tail; `amp-cpu-to-llvm` turns
    them into LLVM ops. The kernel stays and gets `units`, `unit_bytes` and
    `scratch_bytes`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

#endif // AMP_CONVERSION_AMPTOCPU_PASSES_TD
