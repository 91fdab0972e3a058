//===- Annotations.h - Are attributes of the stage well formed --*- C++ -*-===//
//
// The passes of the precision stage talk to each other through discardable
// attributes, which anyone may write by hand and no verifier of the dialect
// sees.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_ANNOTATIONS_H
#define AMP_LIB_TRANSFORMS_PRECISION_ANNOTATIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace amp {

/// Fails with an error at the first op whose `amp.policy`, `amp.forbid`,
/// `amp.range`, `amp.traffic` or `amp.decision` is not what the passes write,
/// or if the module's `amp.precision` is no float type. Absent is well formed.
llvm::LogicalResult checkAnnotations(mlir::ModuleOp module);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_ANNOTATIONS_H
