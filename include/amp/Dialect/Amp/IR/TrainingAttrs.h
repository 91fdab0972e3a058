//===- TrainingAttrs.h - Marks of losses and optimizers ---------*- C++ -*-===//
//
// Discardable attributes by which the training stage tells later ones which
// loss and which optimizer something belongs to (docs/Architecture.md). They
// are there only where the user named losses or optimizers.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_TRAININGATTRS_H
#define AMP_DIALECT_AMP_IR_TRAININGATTRS_H

#include "llvm/ADT/StringRef.h"

namespace amp {

/// Of a trained variable: name of the optimizer that updates it.
inline constexpr llvm::StringLiteral kGroupAttr = "amp.group";

/// Of the module: the text of all optimizers.
inline constexpr llvm::StringLiteral kOptimizerAttr = "amp.optimizer";

/// Where losses have scales of their own, of a gradient result of @backward
/// and of an op that unscales: name of the loss whose scale is on the gradient.
/// An op without it takes gradients that are not scaled.
inline constexpr llvm::StringLiteral kScaleOfAttr = "amp.scale_of";

/// Of the module: the entry points of one iteration in the order in which they
/// run, where optimizers take turns.
inline constexpr llvm::StringLiteral kTurnsAttr = "amp.turns";

/// Of the module: the same of a window of micro-batches, those that update
/// (`apply.NAME`, each after the runs of its `accumulate.NAME`).
inline constexpr llvm::StringLiteral kWindowTurnsAttr = "amp.window_turns";

/// Of a variable: a skipped step writes it all the same (amp-update-on-skip).
inline constexpr llvm::StringLiteral kUpdateOnSkipAttr = "amp.update_on_skip";

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_TRAININGATTRS_H
