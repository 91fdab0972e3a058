//===- GradientCheck.h - Gradients against central differences --*- C++ -*-===//
//
// Differentiates a function with the product's own rules, evaluates both in
// float64, and compares with central differences.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_LIB_REFERENCE_GRADIENTCHECK_H
#define AMP_TEST_LIB_REFERENCE_GRADIENTCHECK_H

#include "Reference/Evaluator.h"
#include <set>
#include <string>

namespace amp::reference {

/// Where the values of an argument are drawn from.
struct Draw {
  double low = -2.0, high = 2.0;
  /// Taken in order, again from the start, instead of drawing.
  std::vector<double> values = {};
};

/// A function @f and its arguments. Float arguments are differentiated.
struct GradientCase {
  std::string name;
  std::string text;
  std::vector<Draw> draws;
};

/// What a check found.
struct GradientReport {
  /// Empty if the gradients agree, else the first that does not.
  std::string failure;
  /// Largest |gradient - difference| / (1 + |difference|).
  double worst = 0.0;
  /// Elements of arguments that were moved.
  size_t compared = 0;
  /// Names of the ops on a path that was differentiated.
  std::set<std::string> covered;
};

/// Checks one case. Values are drawn with a generator seeded by `seed`; every
/// element of every float argument is moved by `step`, and the gradients must
/// agree within `tolerance` (relative above 1, absolute below).
GradientReport checkGradients(mlir::MLIRContext &context,
                              const GradientCase &test, unsigned seed = 1,
                              double step = 1e-5, double tolerance = 1e-7);

} // namespace amp::reference

#endif // AMP_TEST_LIB_REFERENCE_GRADIENTCHECK_H
