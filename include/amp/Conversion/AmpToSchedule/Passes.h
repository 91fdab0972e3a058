//===- Passes.h - Functions to schedules ------------------------*- C++ -*-===//

#ifndef AMP_CONVERSION_AMPTOSCHEDULE_PASSES_H
#define AMP_CONVERSION_AMPTOSCHEDULE_PASSES_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace amp {

#define GEN_PASS_DECL
#include "amp/Conversion/AmpToSchedule/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "amp/Conversion/AmpToSchedule/Passes.h.inc"

} // namespace amp

#endif // AMP_CONVERSION_AMPTOSCHEDULE_PASSES_H
