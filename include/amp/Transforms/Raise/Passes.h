//===- Passes.h - Raising decomposed patterns -------------------*- C++ -*-===//
//
// Many elementwise ops that mean one op become that op.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TRANSFORMS_RAISE_PASSES_H
#define AMP_TRANSFORMS_RAISE_PASSES_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace amp {

#define GEN_PASS_DECL
#include "amp/Transforms/Raise/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "amp/Transforms/Raise/Passes.h.inc"

} // namespace amp

#endif // AMP_TRANSFORMS_RAISE_PASSES_H
