//===- GradientAttrs.h - What differentiation must know ---------*- C++ -*-===//
//
// Attributes of ops that reverse mode reads (docs/Importing.md).
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_GRADIENTATTRS_H
#define AMP_DIALECT_AMP_IR_GRADIENTATTRS_H

#include "llvm/ADT/StringRef.h"

namespace amp {

/// Unit attribute of a square root that is the norm of a vector. Its derivative
/// at 0 is 0, the subgradient of least norm, where that of a root is infinite.
inline constexpr llvm::StringLiteral kNormRootAttr = "amp.norm_root";

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_GRADIENTATTRS_H
