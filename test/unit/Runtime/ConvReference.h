//===- ConvReference.h - Convolutions as plain loops ------------*- C++ -*-===//
//
// Random convolutions of one to three spatial dimensions and their float64
// values, forward and both gradients, with the size of each sum for the
// tolerance.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_UNIT_RUNTIME_CONVREFERENCE_H
#define AMP_TEST_UNIT_RUNTIME_CONVREFERENCE_H

#include "PackageBuilder.h"

namespace amp::test {

/// The shape of a convolution.
struct ConvCase {
  Dims x, w, y; ///< dimensions
  Dims strides, dilations, pads;
  int64_t group = 1;
  bool channelsLast = false, hasBias = false;
  DType dtype = DType::f32; ///< of activations and weight
  std::string text() const;
};

/// A random one; `large` has channels that fill vector registers.
ConvCase randomConv(std::mt19937 &random, DType dtype, bool large);

/// Sums and the sums of magnitudes.
struct Sums {
  std::vector<double> value, size;
  int64_t terms = 0; ///< of the longest sum
};

Sums convForward(const ConvCase &conv, const std::vector<float> &x,
                 const std::vector<float> &w, const std::vector<float> &bias);
Sums convInputGrad(const ConvCase &conv, const std::vector<float> &dy,
                   const std::vector<float> &w);
Sums convWeightGrad(const ConvCase &conv, const std::vector<float> &dy,
                    const std::vector<float> &x);

/// Adds the attributes of the case to the last launch.
void addAttributes(PackageBuilder &builder, const ConvCase &conv);

/// Reorders a row-major array of [N, C, S..] to channels-last and back.
std::vector<float> toChannelsLast(const Dims &dims,
                                  const std::vector<float> &values);
std::vector<float> fromChannelsLast(const Dims &dims,
                                    const std::vector<float> &values);

/// Fails the test where a value is further off than float32 sums of that
/// length and one rounding to `dtype` explain.
void expectNear(const std::vector<float> &got, const Sums &sums, DType dtype);

} // namespace amp::test

#endif // AMP_TEST_UNIT_RUNTIME_CONVREFERENCE_H
