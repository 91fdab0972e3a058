//===- StateSummary.h - How state is stored, in words -----------*- C++ -*-===//
//
// What --master-weights, --moments and --stochastic-rounding came to: lines of
// the table, warnings, and entries of the package.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DRIVER_STATESUMMARY_H
#define AMP_LIB_DRIVER_STATESUMMARY_H

#include "amp/Driver/Compile.h"
#include "mlir/IR/BuiltinOps.h"

namespace amp {

/// Before the precision stage: fails with an error if a parameter holds what
/// the type it is to be stored in does not.
mlir::LogicalResult checkState(mlir::ModuleOp module,
                               const CompileRequest &request);

/// After the precision stage: the lines, and a warning where float16 is too
/// narrow for what it is to hold.
void summariseState(mlir::ModuleOp module, const StateStorage &state,
                    CompileResult &result);

/// Entries for the package: the options, and `residual.NAME`, the variable that
/// holds the lower half of parameter NAME.
void describeState(mlir::ModuleOp module, const StateStorage &state,
                   std::map<std::string, std::string> &meta);

} // namespace amp

#endif // AMP_LIB_DRIVER_STATESUMMARY_H
