//===- Probes.h - Kernels that show their inner values ----------*- C++ -*-===//
//
// How a kernel, its probe and the sources of its ops are tied together between
// amp-add-probes and the package.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_PROBES_H
#define AMP_DIALECT_AMP_IR_PROBES_H

#include "amp/Dialect/Amp/IR/Amp.h"

namespace amp {

/// Attribute of a kernel that has a probe: for each output of the probe, the
/// number of the op of the kernel's body whose value it is.
inline constexpr llvm::StringLiteral kProbedAttr = "amp.probed";

/// Symbol of the probe of a kernel.
inline std::string probeName(KernelOp kernel) {
  return (kernel.getSymName() + ".probe").str();
}

/// Attribute of the module: strings "<node>|<op>|<phase>|<ordinal>", the
/// ordinal empty for ops that the precision stage added. On a launch: pairs
/// {number of such a string, number of the result or -1 for a step on the way}
/// as one list, one pair for each op of a kernel's body or for each output of
/// a routine; {-1, -1} for constants.
inline constexpr llvm::StringLiteral kSourcesAttr = "amp.sources";

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_PROBES_H
