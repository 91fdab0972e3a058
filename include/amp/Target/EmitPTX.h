//===- EmitPTX.h - PTX text of kernels --------------------------*- C++ -*-===//
//
// Compiles the code modules that amp-cuda leaves in a module to PTX.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TARGET_EMITPTX_H
#define AMP_TARGET_EMITPTX_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <string>

namespace amp {

/// Success for a GPU architecture that code is made for, else what is accepted.
llvm::Error checkChip(llvm::StringRef chip);

/// PTX of all code modules (attribute amp.code = "cuda") for a chip such as
/// "sm_80". Errors name the kernel or the chip.
mlir::FailureOr<std::string> emitPTX(mlir::ModuleOp module,
                                     llvm::StringRef chip);

} // namespace amp

#endif // AMP_TARGET_EMITPTX_H
