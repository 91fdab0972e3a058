//===- StateStorage.h - How parameters and moments are stored ---*- C++ -*-===//
//
// What a user may ask of amp-narrow-state, and what became of it.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TRANSFORMS_PRECISION_STATESTORAGE_H
#define AMP_TRANSFORMS_PRECISION_STATESTORAGE_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace amp {

/// Of a trained variable without float32 master: {elements = how many initial
/// values were rounded, worst = the largest relative error of one}.
inline constexpr llvm::StringLiteral kRoundedAttr = "amp.rounded";

/// Of a trained variable that is the upper half of its values: the variable
/// with the lower half.
inline constexpr llvm::StringLiteral kResidualAttr = "amp.residual";

/// The options of the pass, as the user writes them.
struct StateStorage {
  std::string master = "f32";  ///< f32, none, bf16+residual
  std::string moments = "f32"; ///< f32, bf16, fp16
  bool stochasticRounding = false;

  /// A message if the options do not go together with the low type of
  /// `precision` (fp32, bf16, fp16, tf32); empty if they do.
  std::string problem(llvm::StringRef precision) const;
  /// True if everything is float32.
  bool isFloat32() const { return master == "f32" && moments == "f32"; }
};

/// Fails, with an error on the variable, if an initial value of a trained
/// parameter is finite and its rounding to `low` is not.
mlir::LogicalResult checkStorable(mlir::ModuleOp module, mlir::Type low);

} // namespace amp

#endif // AMP_TRANSFORMS_PRECISION_STATESTORAGE_H
