//===- ScalerSpec.h - The --loss-scaler option ------------------*- C++ -*-===//

#ifndef AMP_TRANSFORMS_PRECISION_SCALERSPEC_H
#define AMP_TRANSFORMS_PRECISION_SCALERSPEC_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace amp {

/// A loss scaler and its numbers; the defaults are PyTorch's GradScaler's.
struct ScalerSpec {
  enum class Kind { None, Static, PyTorch } kind = Kind::None;
  double scale = 65536; ///< first (pytorch: init_scale) or only scale
  double growthFactor = 2;
  double backoffFactor = 0.5;
  int64_t growthInterval = 2000;

  /// Parses `KIND[,key=value...]`; on failure `error` says what is known.
  static mlir::FailureOr<ScalerSpec> parse(llvm::StringRef text,
                                           std::string &error);
};

} // namespace amp

#endif // AMP_TRANSFORMS_PRECISION_SCALERSPEC_H
