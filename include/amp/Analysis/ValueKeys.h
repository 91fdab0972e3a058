//===- ValueKeys.h - Names of values that outlive a compile -----*- C++ -*-===//
//
// Ranges that one compile measured are used by another. Values are matched by
// keys that depend on the graph alone, not on precision or fusion:
//
//   <ONNX node>|<op>|<phase>|<ordinal>|<result>
//
// `op` is the mnemonic without dialect, `phase` forward, backward or update,
// `ordinal` counts ops of one function that agree in the first three, and
// `result` is the number of the op's result. amp-number-ops fixes them before
// the precision stage changes anything. Values without an op have keys of the
// same form: NAME|read|forward|0|0 for a variable and NAME|argument|forward|0|0
// for an argument of an entry point.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ANALYSIS_VALUEKEYS_H
#define AMP_ANALYSIS_VALUEKEYS_H

#include "amp/Dialect/Amp/IR/Amp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace amp {

/// Attribute of an op: its number, an index into kKeysAttr of the module.
inline constexpr llvm::StringLiteral kIdAttr = "amp.id";
/// Attribute of a module: the key of every number, without the result.
inline constexpr llvm::StringLiteral kKeysAttr = "amp.keys";

/// Attribute of a module: a digest of the model it was made from, which a file
/// of ranges has to agree with. Gone once that was checked.
inline constexpr llvm::StringLiteral kFingerprintAttr = "amp.fingerprint";

/// Gives the ops of all functions (constants and terminators apart) numbers
/// and keys. A module that has them keeps them.
void numberOps(mlir::ModuleOp module);

/// "<ONNX node>|<op>|<phase>" of an op; equal ones are told apart by ordinal.
std::string keyWithoutOrdinal(mlir::Operation *op);

/// Key of an op without result number; null if the op has no number.
mlir::StringAttr opKey(mlir::Operation *op);

/// Key of a value: a result of a numbered op, a read of a variable, or an
/// argument of a function. Empty if it has none.
std::string valueKey(mlir::Value value);

/// Key of result `result` of the op with key `op`.
std::string valueKey(llvm::StringRef op, int64_t result);

} // namespace amp

#endif // AMP_ANALYSIS_VALUEKEYS_H
