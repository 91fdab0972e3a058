//===- Passes.h - Passes from kernels to NVVM -------------------*- C++ -*-===//
//
// The pass that emits kernels for CUDA and the pipeline down to LLVM ops.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CONVERSION_AMPTOGPU_PASSES_H
#define AMP_CONVERSION_AMPTOGPU_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include <memory>

namespace amp {

#define GEN_PASS_DECL
#include "amp/Conversion/AmpToGPU/Passes.h.inc"

/// amp-kernels-to-nvvm and the upstream conversions to LLVM ops. The pass
/// manager is one of the enclosing module.
void buildCUDAPipeline(mlir::OpPassManager &manager);

/// Registers the pass and the pipeline amp-cuda.
void registerAmpToGPUPasses();

} // namespace amp

#endif // AMP_CONVERSION_AMPTOGPU_PASSES_H
