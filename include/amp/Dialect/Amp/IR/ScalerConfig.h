//===- ScalerConfig.h - Parameters of a loss scaler in the IR ---*- C++ -*-===//
//
// The `config` of amp.scaler_update as the parameters of the machine of
// amp/ABI/LossScaler.h, and back.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_SCALERCONFIG_H
#define AMP_DIALECT_AMP_IR_SCALERCONFIG_H

#include "amp/ABI/LossScaler.h"
#include "mlir/IR/BuiltinAttributes.h"
#include <string>

namespace amp {

/// Reads a config. Numbers that it leaves out have their defaults; an unknown
/// key, a value of another kind or out of range is an error that says what is
/// accepted.
mlir::FailureOr<abi::ScalerRule> scalerRuleOf(mlir::DictionaryAttr config,
                                              std::string &error);

/// The config that says this rule; growth and backoff are always in it, the
/// rest where it differs from its default.
mlir::DictionaryAttr scalerConfigOf(mlir::MLIRContext *context,
                                    const abi::ScalerRule &rule);

/// "none" or the events with '+' in between, and the other way round.
std::string refillText(abi::RefillSet set);
std::optional<abi::RefillSet> parseRefill(llvm::StringRef text);
std::optional<abi::FiniteGuard> parseFiniteGuard(llvm::StringRef text);

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_SCALERCONFIG_H
