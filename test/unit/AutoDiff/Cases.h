//===- Cases.h - Functions whose gradients are checked ----------*- C++ -*-===//
//
// One list a family; every op with a gradient rule has to appear in one.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_UNIT_AUTODIFF_CASES_H
#define AMP_TEST_UNIT_AUTODIFF_CASES_H

#include "Reference/GradientCheck.h"

namespace amp::reference {

using Types = std::vector<std::string>;

/// A function of one op: operands are the arguments `%a0, %a1, ...`.
GradientCase oneOp(const std::string &name, const std::string &op,
                   const Types &operands, const std::string &attributes,
                   const Types &results, std::vector<Draw> draws = {});
/// A function with the given body, which uses `%a0...` and returns `%r`.
GradientCase body(const std::string &name, const Types &operands,
                  const std::string &text, const Types &results,
                  std::vector<Draw> draws = {});

std::vector<GradientCase> elementwiseCases();
std::vector<GradientCase> linearCases();
std::vector<GradientCase> convCases();
std::vector<GradientCase> poolCases();
std::vector<GradientCase> normCases();
std::vector<GradientCase> attentionCases();
std::vector<GradientCase> reduceCases();
std::vector<GradientCase> shapeCases();
std::vector<GradientCase> indexCases();

} // namespace amp::reference

#endif // AMP_TEST_UNIT_AUTODIFF_CASES_H
