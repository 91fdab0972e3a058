//===- Summary.h - Counts for the compile summary ---------------*- C++ -*-===//

#ifndef AMP_LIB_DRIVER_SUMMARY_H
#define AMP_LIB_DRIVER_SUMMARY_H

#include "amp/Driver/Compile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace amp {

/// Counts decisions after the precision stage.
void summariseDecisions(mlir::ModuleOp module, CompileSummary &summary);
/// Names of the nodes with low ops in a function; see CompileSummary.
std::vector<std::string> lowNodes(mlir::func::FuncOp function);
/// Counts casts and sums after regions were formed.
void summariseTraffic(mlir::ModuleOp module, CompileSummary &summary);
void summariseCasts(mlir::func::FuncOp function, CompileSummary &summary);
void summariseSums(mlir::func::FuncOp function, CompileSummary &summary);
/// Float32 tensors the table names.
inline constexpr size_t kLargestInSummary = 5;
/// "12.5 KiB".
std::string bytesText(int64_t bytes);
/// Counts launches and memory after the schedule stage.
void summariseSchedule(mlir::ModuleOp module, CompileSummary &summary);

} // namespace amp

#endif // AMP_LIB_DRIVER_SUMMARY_H
