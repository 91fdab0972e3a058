//===- Passes.h - Passes from kernels to LLVM for CPUs ----------*- C++ -*-===//
//
// The pass that emits kernels for CPUs and the pipeline down to LLVM ops.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CONVERSION_AMPTOCPU_PASSES_H
#define AMP_CONVERSION_AMPTOCPU_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include <memory>

namespace amp {

#define GEN_PASS_DECL
#include "amp/Conversion/AmpToCPU/Passes.h.inc"

/// Adds the upstream conversions that turn the emitted code modules into LLVM
/// ops. The pass manager is one of the enclosing module.
void buildCPUToLLVMPipeline(mlir::OpPassManager &manager);

/// amp-kernels-to-cpu and buildCPUToLLVMPipeline.
void buildCPUPipeline(mlir::OpPassManager &manager);

/// Registers the pass and the pipelines amp-cpu-to-llvm and amp-cpu.
void registerAmpToCPUPasses();

} // namespace amp

#endif // AMP_CONVERSION_AMPTOCPU_PASSES_H
