//===- Casts.h - Casts that cost memory traffic -----------------*- C++ -*-===//
//
// After regions are formed most casts live in registers of a kernel. Two kinds
// do not: a launch that does nothing but cast, and a kernel that writes one
// value in two types.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ANALYSIS_CASTS_H
#define AMP_ANALYSIS_CASTS_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace amp {

/// Where a stand-alone cast stands.
enum class CastPlace {
  Input,     ///< its operand is an argument of the function
  Output,    ///< its result leaves the function
  Parameter, ///< its operand is a variable
  Inside,    ///< between two launches
  Model      ///< a cast that the source model asks for
};

/// "graph input", "output", "parameter", "inside", "of the model".
llvm::StringRef castPlaceName(CastPlace place);

/// The routine behind the op computes in float32 and rounds once, to whatever
/// type its first result has, so that it takes a cast over. Copies between
/// orders of memory do so, too, but not every stage knows which ops are one.
bool roundsToAnyType(mlir::Operation *op);

/// A launch that only casts.
struct StandaloneCast {
  CastPlace place = CastPlace::Inside;
  mlir::Type from, to; ///< element types
  int64_t bytes = 0;   ///< read and written
  std::string node;    ///< ONNX node it serves, or empty
  std::string reason;  ///< why no launch beside it takes it over
  mlir::LocationAttr loc;
  int64_t elements = 0;
  std::string phase; ///< forward, backward, update

  bool narrows() const;
};

/// A cast in registers of a kernel that computes something else.
struct FusedCast {
  mlir::Type from, to;
  int64_t spared = 0; ///< bytes that a launch of its own would move
  std::string node;
  mlir::LocationAttr loc;
  int64_t elements = 0;
  std::string phase;
};

/// The phase of an op; forward without mark.
std::string phaseName(mlir::Operation *op);

struct CastReport {
  std::vector<StandaloneCast> standalone;
  /// Casts in kernels that compute something else.
  unsigned fused = 0;
  std::vector<FusedCast> inside;
  /// Values that kernels write in a second type, and the bytes of these.
  unsigned copies = 0;
  int64_t copyBytes = 0;
};

/// Casts between float types of a function whose regions are formed.
CastReport reportCasts(mlir::func::FuncOp function);

} // namespace amp

#endif // AMP_ANALYSIS_CASTS_H
