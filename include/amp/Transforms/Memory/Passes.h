//===- Passes.h - Memory planning -------------------------------*- C++ -*-===//

#ifndef AMP_TRANSFORMS_MEMORY_PASSES_H
#define AMP_TRANSFORMS_MEMORY_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace amp {

#define GEN_PASS_DECL
#include "amp/Transforms/Memory/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "amp/Transforms/Memory/Passes.h.inc"

/// Attribute names: byte offsets of an op's results; arena of a function.
inline constexpr llvm::StringLiteral kOffsetsAttr = "amp.offsets";
inline constexpr llvm::StringLiteral kArenaAttr = "amp.arena";
inline constexpr llvm::StringLiteral kArenaBoundAttr = "amp.arena_bound";

} // namespace amp

#endif // AMP_TRANSFORMS_MEMORY_PASSES_H
