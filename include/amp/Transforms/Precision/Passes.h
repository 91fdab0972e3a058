//===- Passes.h - The precision stage ---------------------------*- C++ -*-===//

#ifndef AMP_TRANSFORMS_PRECISION_PASSES_H
#define AMP_TRANSFORMS_PRECISION_PASSES_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace amp {

#define GEN_PASS_DECL
#include "amp/Transforms/Precision/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "amp/Transforms/Precision/Passes.h.inc"

/// Attribute on ops: {storage = [types], compute = type, rule = string}.
inline constexpr llvm::StringLiteral kDecisionAttr = "amp.decision";

} // namespace amp

#endif // AMP_TRANSFORMS_PRECISION_PASSES_H
