//===- StateTraffic.h - Bytes that parameters and moments take --*- C++ -*-===//
//
// The assignment predicts bytes for float32 state. What is stored in less
// changes the prediction by the difference of two counts.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_STATETRAFFIC_H
#define AMP_LIB_TRANSFORMS_PRECISION_STATETRAFFIC_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace amp {

/// For each function, bytes of trained parameters and of their moments in a
/// run: updates read and write them and write a copy for each type that some
/// function reads; other ops read a parameter or its copy.
using StateTraffic = llvm::MapVector<mlir::StringAttr, int64_t>;
StateTraffic stateTraffic(mlir::ModuleOp module);

/// Moves `amp.predicted_bytes` by what was added since `before`.
void adjustPredictions(mlir::ModuleOp module, const StateTraffic &before);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_STATETRAFFIC_H
