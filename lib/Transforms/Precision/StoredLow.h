//===- StoredLow.h - Initial values in the low type -------------*- C++ -*-===//
//
// Rounding of float32 constants, and what it costs.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_STOREDLOW_H
#define AMP_LIB_TRANSFORMS_PRECISION_STOREDLOW_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include <optional>

namespace amp {

/// A constant rounded to nearest even.
struct StoredLow {
  mlir::ElementsAttr value; ///< null if the constant has no bytes
  int64_t rounded = 0;      ///< elements that changed
  double worst = 0;         ///< largest relative change of one
  /// A finite element that became infinite.
  std::optional<float> overflow;
};

/// Rounds a float32 constant to `low` (f16 or bf16); other types stay.
StoredLow storeLow(mlir::ElementsAttr value, mlir::Type low,
                   llvm::StringRef name);

/// The same for an optimizer's state as the update stores it: in f16 the root
/// of a square, and what is finite stays finite (kernels/Update.h).
mlir::ElementsAttr storeMoment(mlir::ElementsAttr value, mlir::Type low,
                               bool square, llvm::StringRef name);

/// Records in `amp.decision`, if there is one, that a result is stored in
/// another type now, and by which rule.
void decideAgain(mlir::OpResult result, mlir::Type element,
                 llvm::StringRef rule);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_PRECISION_STOREDLOW_H
