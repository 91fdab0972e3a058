//===- Summary.h - Counts for the compile summary ---------------*- C++ -*-===//

#ifndef AMP_LIB_DRIVER_SUMMARY_H
#define AMP_LIB_DRIVER_SUMMARY_H

#include "amp/Driver/Compile.h"
#include "mlir/IR/BuiltinOps.h"

namespace amp {

/// Counts decisions after the precision stage.
void summariseDecisions(mlir::ModuleOp module, CompileSummary &summary);
/// Counts casts after regions were formed.
void summariseCasts(mlir::ModuleOp module, CompileSummary &summary);
/// Counts launches and memory after the schedule stage.
void summariseSchedule(mlir::ModuleOp module, CompileSummary &summary);

} // namespace amp

#endif // AMP_LIB_DRIVER_SUMMARY_H
