//===- ScalerSpec.h - The --loss-scaler option ------------------*- C++ -*-===//

#ifndef AMP_TRANSFORMS_PRECISION_SCALERSPEC_H
#define AMP_TRANSFORMS_PRECISION_SCALERSPEC_H

#include "amp/ABI/LossScaler.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace amp {

/// A name that a system has for a parameter of ours. Targets besides the
/// parameters: "factor" sets growth and its reciprocal as backoff,
/// "2^init_scale" takes an exponent.
struct ScalerAlias {
  const char *name = nullptr, *target = nullptr;
};

/// The loss scaler of a system: its numbers and its names for them.
struct ScalerPreset {
  const char *name, *system;
  double scale; ///< before the first step
  abi::ScalerRule rule;
  llvm::SmallVector<ScalerAlias, 6> aliases;
  bool capsInit = false; ///< a first scale above the maximum is the maximum
};

/// All dynamic presets, PyTorch's first.
llvm::ArrayRef<ScalerPreset> scalerPresets();

/// A loss scaler and its numbers.
struct ScalerSpec {
  enum class Kind { None, Static, Dynamic } kind = Kind::None;
  std::string name = "none"; ///< what --loss-scaler calls it
  double scale = 65536;      ///< first (static: only) scale
  abi::ScalerRule rule;      ///< of a dynamic one

  /// Parses `NAME[,key=value...]`. A number may be written `2^16`, `2^-14` or
  /// `1/3`. Keys are `init_scale`, the parameters of abi::ScalerRule,
  /// `hysteresis_mode` (none, cumulative, consecutive) and the system's own
  /// names; on failure `error` says what is known.
  static mlir::FailureOr<ScalerSpec> parse(llvm::StringRef text,
                                           std::string &error);

  /// Parses one for all losses, or `LOSS:NAME[,key=value...]` between
  /// semicolons: a scaler for each of these losses. Gives names of losses (one
  /// empty text without) and scalers.
  static mlir::FailureOr<
      llvm::SmallVector<std::pair<std::string, ScalerSpec>, 1>>
  parseAll(llvm::StringRef text, std::string &error);

  /// The effective option; parsing it gives the same scaler.
  std::string text() const;
};

} // namespace amp

#endif // AMP_TRANSFORMS_PRECISION_SCALERSPEC_H
