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

/// Attribute on ops: {class = string, rule = string, source = string} and,
/// where they apply, compute = type, storage = [type or unit of each result],
/// low_operands, low_results = numbers; written by amp-apply-policy.
inline constexpr llvm::StringLiteral kPolicyAttr = "amp.policy";

/// Attribute on ops, for reports only (amp-assign-precision{explain}): {region
/// = number of its kernel, store = {TYPE = array<i64: bytes more than decided,
/// 1 if no rule stood against it>}, compute = the same}.
inline constexpr llvm::StringLiteral kCostAttr = "amp.cost";

/// Attribute on modules: {FUNCTION = array<i64: bytes that its launches should
/// move, the same under the greedy assignment, the same all in float32>}, where
/// regions are marked.
inline constexpr llvm::StringLiteral kPredictedBytesAttr =
    "amp.predicted_bytes";

/// Attributes on modules that amp-apply-policy leaves for assignment.
inline constexpr llvm::StringLiteral kPresetAttr = "amp.preset";
inline constexpr llvm::StringLiteral kAssignAttr = "amp.assign";
inline constexpr llvm::StringLiteral kRangeEvidenceAttr = "amp.range_evidence";
/// Attribute of a module: {node = [op type, names of outputs...]} of the ONNX
/// model. The driver leaves it for the patterns of the user; amp-apply-policy
/// takes it away.
inline constexpr llvm::StringLiteral kModelNodesAttr = "amp.model_nodes";
/// Attribute of a module: names of the nodes in loops and branches, for presets
/// that treat them in a way of their own; goes with the one above.
inline constexpr llvm::StringLiteral kInnerNodesAttr = "amp.inner_nodes";

} // namespace amp

#endif // AMP_TRANSFORMS_PRECISION_PASSES_H
