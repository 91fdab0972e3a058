//===- Optimize.h - Passes over a module of LLVM ---------------*- C++ -*-===//

#ifndef AMP_TARGET_OPTIMIZE_H
#define AMP_TARGET_OPTIMIZE_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace amp {

/// Runs `pipeline`, in the textual form of LLVM's `opt`, over `module` for
/// `machine`. The vectorizers are off: kernels are emitted as explicit vectors,
/// and the order of additions in their tails is fixed. The text is part of this
/// program; one that LLVM cannot read is a fault of ours and ends it.
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                    llvm::StringRef pipeline);

} // namespace amp

#endif // AMP_TARGET_OPTIMIZE_H
