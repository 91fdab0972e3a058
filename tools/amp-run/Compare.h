//===- Compare.h - Results against a reference ------------------*- C++ -*-===//
//
// Differences of arrays, and the table and verdict of --compare.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_RUN_COMPARE_H
#define AMP_TOOLS_AMP_RUN_COMPARE_H

#include "Tensor.h"
#include "amp/Runtime/Trainer/DataSet.h"

namespace amp {

/// |a - b| <= atol + rtol * |b| is accepted.
struct Tolerance {
  double rtol = 0, atol = 0;
};

/// Tolerance of a precision ("fp32", "bf16", ..) unless the user gives one.
Tolerance toleranceOf(const std::string &precision);
/// The table of toleranceOf for --help.
std::string toleranceHelp();

/// How far an array is from the reference.
struct Difference {
  double maxAbs = 0;  ///< largest |a - b|
  double maxRel = 0;  ///< largest |a - b| / |b| where b is not 0
  double l2Rel = 0;   ///< ||a - b|| / ||b||
  size_t wrong = 0;   ///< elements beyond the tolerance
  std::string misfit; ///< why elements cannot be compared; else empty
  bool ok() const { return misfit.empty() && wrong == 0; }
};

/// Compares element by element. NaN equals NaN, infinity itself.
Difference compare(const Numbers &got, const Numbers &reference,
                   Tolerance tolerance);

/// Prints one line for each key of either side. True if every key of the
/// reference is there and within the tolerance, and there is one.
bool compareAll(const std::vector<NamedTensor> &got,
                const runtime::ArrayMap &reference, Tolerance tolerance);

} // namespace amp

#endif // AMP_TOOLS_AMP_RUN_COMPARE_H
