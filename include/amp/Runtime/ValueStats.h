//===- ValueStats.h - What a stream of numbers looked like ------*- C++ -*-===//
//
// Extremes, counts and a histogram of exponents of any number of tensors, in
// memory that does not depend on how many they are. NaN and inf are counted
// and take no part in anything else.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_VALUESTATS_H
#define AMP_RUNTIME_VALUESTATS_H

#include "amp/Runtime/Builtin.h"
#include <array>
#include <string>

namespace amp::runtime {

/// Statistics of the elements that were added.
class ValueStats {
public:
  /// How many values a storage type would lose, by rounding to nearest even.
  struct Lost {
    int64_t toZero = 0; ///< not zero, but rounded to it
    int64_t toInf = 0;  ///< finite, but rounded to inf
  };

  /// Adds every element of a tensor in host memory. Types other than f32, f64,
  /// f16 and bf16 are ignored; f64 is rounded to f32 first.
  void add(const BoundTensor &tensor);

  int64_t elements = 0, zeros = 0, nans = 0;
  int64_t positiveInfs = 0, negativeInfs = 0;
  double min = 0, max = 0; ///< of the finite elements
  double maxAbs = 0;       ///< largest magnitude of the finite elements
  double minAbs = 0;       ///< smallest that is not zero, 0 without one
  bool anyFinite = false;  ///< else the four above are 0
  Lost float16, bfloat16;
  /// Finite elements that are not zero by the exponent field of float32: entry
  /// e counts magnitudes in [2^(e-127), 2^(e-126)), entry 0 subnormal ones.
  std::array<int64_t, 255> exponents{};

  int64_t infs() const { return positiveInfs + negativeInfs; }
  bool allFinite() const { return nans == 0 && infs() == 0; }
  /// "[-3.5, 12] of 640, 3 NaN, 2 inf" for messages.
  std::string text() const;

private:
  void addRun(const float *values, int64_t count);
};

} // namespace amp::runtime

#endif // AMP_RUNTIME_VALUESTATS_H
