//===- Painting.h - What existing systems do instead of a cut ---*- C++ -*-===//
//
// Assignments by local rules, on the very problem the cut solves: what the
// optimum is measured against.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_CUT_PAINTING_H
#define AMP_LIB_TRANSFORMS_PRECISION_CUT_PAINTING_H

#include "Problem.h"

namespace amp::cut {

/// One walk in the order of the variables: a free one is narrow if it reads a
/// narrow value or something that is narrow for certain reads it.
Labels paintInOrder(const Problem &problem);

/// What painting by lists asks of a variable.
enum class Paint {
  Allow, ///< narrow
  Deny,  ///< wide
  Infer, ///< may be narrow, but is not worth a cast
  Clear  ///< the type of its neighbours
};

/// TensorFlow's auto_mixed_precision (grappler), two types: allow is narrow;
/// infer becomes narrow between narrow neighbours with no deny upstream; clear
/// becomes narrow beside a narrow neighbour, spreading through others; the rest
/// is wide. Variables that are fixed stay what they are.
Labels paintByLists(const Problem &problem, const std::vector<Paint> &lists);

} // namespace amp::cut

#endif // AMP_LIB_TRANSFORMS_PRECISION_CUT_PAINTING_H
