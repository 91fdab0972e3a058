//===- Compare.h - Results against a reference ------------------*- C++ -*-===//
//
// Differences of arrays, and the table and verdict of --compare.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_RUN_COMPARE_H
#define AMP_TOOLS_AMP_RUN_COMPARE_H

#include "Tensor.h"
#include "amp/Runtime/Trainer/DataSet.h"
#include <optional>

namespace amp {

/// How far an array is from the reference.
struct Difference {
  double maxAbs = 0;  ///< largest |a - b|
  double maxRel = 0;  ///< largest |a - b| / |b| where b is not 0
  double l2Rel = 0;   ///< ||a - b|| / ||b||
  size_t wrong = 0;   ///< elements beyond the tolerance
  double needed = 0;  ///< smallest rtol = atol that would pass
  std::string misfit; ///< why elements cannot be compared; else empty
  bool ok() const { return misfit.empty() && wrong == 0; }
};

/// Compares element by element. NaN equals NaN, infinity itself.
Difference compare(const Numbers &got, const Numbers &reference,
                   Tolerance tolerance);

/// Which tolerance --compare applies: that of the precision and of the op that
/// made a result, or what the user said.
struct ToleranceChoice {
  std::string precision = "fp32";
  std::optional<double> rtol, atol;

  /// For a result and the values of its reference.
  Tolerance of(const NamedTensor &result, const Numbers &reference) const;
};

/// Prints one line for each key of either side, and the smallest tolerance that
/// would pass. True if every key of the reference is there and within the
/// tolerance, and there is one.
bool compareAll(const std::vector<NamedTensor> &got,
                const runtime::ArrayMap &reference,
                const ToleranceChoice &choice);

} // namespace amp

#endif // AMP_TOOLS_AMP_RUN_COMPARE_H
