//===- Tolerance.h - How far results may be apart ---------------*- C++ -*-===//
//
// One table by precision and class of op, for amp-run --compare and
// amp-compare --values. The unit roundoffs are 2^-24 (float32), 2^-11 (float16)
// and 2^-8 (bfloat16); a network of some depth loses about three more bits,
// float32 sums in another order about ten of 24.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_SUPPORT_TOLERANCE_H
#define AMP_TOOLS_SUPPORT_TOLERANCE_H

#include <string>

namespace amp {

/// |a - b| <= atol + rtol * |b| is accepted.
struct Tolerance {
  double rtol = 0, atol = 0;
};

/// What made a value.
enum class OpClass {
  Elementwise, ///< arithmetic on each element, and what moves values
  Contraction, ///< matrix products, convolutions, attention
  Reduction,   ///< sums, means, norms, softmax, losses
  Gradient     ///< any backward op
};

inline constexpr OpClass kOpClasses[] = {OpClass::Elementwise,
                                         OpClass::Contraction,
                                         OpClass::Reduction, OpClass::Gradient};

/// "elementwise", ...
const char *nameOf(OpClass cls);

/// The class of an op of the graph by mnemonic ("matmul") and phase.
OpClass classOf(const std::string &op, const std::string &phase);

/// Tolerance of single elements in a precision ("fp32", "bf16", ..). Sums of
/// many products cancel: an element is as uncertain as the terms are large. For
/// all classes but Elementwise atol is therefore in units of `rms`, the root
/// mean square of the array, if that is above 1.
Tolerance toleranceOf(const std::string &precision, OpClass cls, double rms);

/// Tolerance of ||a - b|| / ||b|| of a whole array.
double normTolerance(const std::string &precision, OpClass cls);

/// The table, for --help.
std::string toleranceHelp();

} // namespace amp

#endif // AMP_TOOLS_SUPPORT_TOLERANCE_H
