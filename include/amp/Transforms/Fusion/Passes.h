//===- Passes.h - Passes that prepare kernels -------------------*- C++ -*-===//
//
// Layouts, views and regions: which values share memory order and which ops
// share a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TRANSFORMS_FUSION_PASSES_H
#define AMP_TRANSFORMS_FUSION_PASSES_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace amp {

#define GEN_PASS_DECL
#include "amp/Transforms/Fusion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "amp/Transforms/Fusion/Passes.h.inc"

} // namespace amp

#endif // AMP_TRANSFORMS_FUSION_PASSES_H
