//===- MapElements.h - Initial values in another type -----------*- C++ -*-===//
//
// Changes the elements of a constant, whichever way it is held, without making
// an attribute of each.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_MAPELEMENTS_H
#define AMP_DIALECT_AMP_IR_MAPELEMENTS_H

#include "amp/Dialect/Amp/IR/Amp.h"

namespace amp {

/// The value with `change` applied to the bits of every element, in the element
/// type `element`; both types have whole bytes, at most 8. A splat stays a
/// splat, a fill a fill, a blob becomes a blob called `name`. Null if it has no
/// bytes.
mlir::ElementsAttr mapElements(mlir::ElementsAttr value, mlir::Type element,
                               llvm::StringRef name,
                               llvm::function_ref<uint64_t(uint64_t)> change);

/// Makes a variable of float16, bfloat16 or float64 one of float32, with its
/// initial value (float64 rounded to nearest); others stay as they are. What
/// reads or writes it is for the caller to change. An error if the initial
/// value has no bytes.
mlir::LogicalResult storeAsFloat32(VariableOp variable);

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_MAPELEMENTS_H
