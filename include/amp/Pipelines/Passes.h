//===- Passes.h - Passes that run whole stages ------------------*- C++ -*-===//

#ifndef AMP_PIPELINES_PASSES_H
#define AMP_PIPELINES_PASSES_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace amp {

#define GEN_PASS_DECL
#include "amp/Pipelines/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "amp/Pipelines/Passes.h.inc"

} // namespace amp

#endif // AMP_PIPELINES_PASSES_H
