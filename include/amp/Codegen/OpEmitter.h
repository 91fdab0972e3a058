//===- OpEmitter.h - Code of elementwise ops --------------------*- C++ -*-===//
//
// Turns one elementwise op of a kernel body into arithmetic on lanes.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_OPEMITTER_H
#define AMP_CODEGEN_OPEMITTER_H

#include "amp/Codegen/LaneBuilder.h"
#include "amp/Dialect/Amp/IR/Amp.h"

namespace amp {

/// Emits an op for which isElementwise holds. `operands` are registers of the
/// op's operands; the result is the register of its result.
mlir::Value emitElementwise(LaneBuilder &l, mlir::Operation *op,
                            llvm::ArrayRef<mlir::Value> operands);

/// Families; each gives null for ops that are not its own.
mlir::Value emitUnary(LaneBuilder &l, mlir::Operation *op, mlir::Value x);
mlir::Value emitFunction(LaneBuilder &l, mlir::Operation *op,
                         llvm::ArrayRef<mlir::Value> operands);
mlir::Value emitBinary(LaneBuilder &l, mlir::Operation *op, mlir::Value a,
                       mlir::Value b);

/// Wraps an integer register to the width of `element`; others are unchanged.
mlir::Value wrapToWidth(LaneBuilder &l, mlir::Value value, mlir::Type element);

/// The value of a constant splat of floats, looking through casts.
std::optional<double> constantSplat(mlir::Value value);

/// A constant splat as a register, or null.
mlir::Value emitSplatConstant(LaneBuilder &l, ConstantOp constant);

/// Relative cost of an op: instructions per vector, roughly.
int64_t costOf(mlir::Operation *op);

/// Combines a partial result of a row reduction with a further value.
mlir::Value emitReduceStep(LaneBuilder &l, mlir::Operation *reduction,
                           mlir::Value accumulator, mlir::Value x);
/// Neutral element of a reduction, in every lane.
mlir::Value emitReduceNeutral(LaneBuilder &l, mlir::Operation *reduction);
/// Last step of a reduction of `count` elements (one lane).
mlir::Value emitReduceFinish(LaneBuilder &l, mlir::Operation *reduction,
                             mlir::Value accumulator, int64_t count);

/// The key and the last two counter words of a dropout's random numbers, as
/// scalars, and its threshold and factor.
struct DropoutState {
  mlir::Value key0, key1, iterationLow, iterationHigh; // i32
  mlir::Value threshold;                               // i32
  mlir::Value factor;                                  // f32
};

/// Loads the state from the addresses of `rng` and `iteration`.
DropoutState emitDropoutState(LaneBuilder &scalar, DropoutOp op,
                              mlir::Value rng, mlir::Value iteration);
/// Philox 4x32 with 7 rounds: the four words of the counter {low, high,
/// iteration}. `low` has the builder's lanes, `high` is a scalar i32.
llvm::SmallVector<mlir::Value, 4> emitPhilox(LaneBuilder &l,
                                             const DropoutState &state,
                                             mlir::Value low, mlir::Value high);
/// x kept or zeroed by i32 lanes with 16-bit draws.
mlir::Value emitDropout(LaneBuilder &l, const DropoutState &state,
                        mlir::Value x, mlir::Value draws);

} // namespace amp

#endif // AMP_CODEGEN_OPEMITTER_H
