//===- ValueSketch.h - Distance of tensors that are never kept --*- C++ -*-===//
//
// Two runs that compute the same values cannot keep them all to be compared. A
// count sketch (Charikar, Chen, Farach-Colton 2002) keeps a fixed number of
// sums with random signs per tensor; it is linear, so the norm of the
// difference of two sketches estimates the norm of the difference of the
// tensors.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_VALUESKETCH_H
#define AMP_RUNTIME_VALUESKETCH_H

#include "amp/Runtime/Builtin.h"
#include <array>

namespace amp::runtime {

/// The sketch of a tensor.
class ValueSketch {
public:
  /// Sums that are kept; the relative standard deviation of a squared norm is
  /// sqrt(2 / kSums), 6 %.
  static constexpr int kSums = 512;

  /// Adds the elements of a dense tensor in the order of memory, after those
  /// added before. NaN and inf count as 0.
  void add(const BoundTensor &tensor);

  int64_t elements() const { return count; }
  /// Norm of all elements, exact up to rounding.
  double norm() const;
  /// Estimate of the norm of the difference; the elements must correspond.
  static double distance(const ValueSketch &a, const ValueSketch &b);

private:
  std::array<double, kSums> sums{};
  double squares = 0;
  int64_t count = 0;
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_VALUESKETCH_H
