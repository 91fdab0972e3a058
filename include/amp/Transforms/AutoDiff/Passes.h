//===- Passes.h - The training stage ----------------------------*- C++ -*-===//
//
// From a forward function to the entry points of a training program.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TRANSFORMS_AUTODIFF_PASSES_H
#define AMP_TRANSFORMS_AUTODIFF_PASSES_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace amp {

#define GEN_PASS_DECL
#include "amp/Transforms/AutoDiff/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "amp/Transforms/AutoDiff/Passes.h.inc"

/// Registers the passes of this stage by name.
inline void registerAmpAutoDiffPasses() { registerAutoDiffPasses(); }

} // namespace amp

#endif // AMP_TRANSFORMS_AUTODIFF_PASSES_H
