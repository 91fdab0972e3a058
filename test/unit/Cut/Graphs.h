//===- Graphs.h - Random assignment problems for tests ----------*- C++ -*-===//

#ifndef AMP_TEST_UNIT_CUT_GRAPHS_H
#define AMP_TEST_UNIT_CUT_GRAPHS_H

#include "Painting.h"
#include "Problem.h"
#include <random>

namespace amp::cut {

struct GraphShape {
  unsigned values = 20; ///< values of the graph
  unsigned types = 2;
  unsigned allow = 25, keep = 20; ///< per cent of fixed variables
  unsigned maxOperands = 3;
  bool ties = true;
};

struct RandomGraph {
  Problem problem;
  std::vector<Paint> lists;
  unsigned freeVariables() const {
    unsigned count = 0;
    for (const Variable &variable : problem.variables)
      count += !variable.fixed;
    return count;
  }
};

/// A random directed graph of values with bytes, each written by a kernel that
/// can store copies or by a library that cannot, with contractions whose
/// compute type is a variable of its own.
RandomGraph randomGraph(std::mt19937 &random, const GraphShape &shape);

/// The least cost over all assignments of the free variables.
Solution bruteForce(const Problem &problem);

} // namespace amp::cut

#endif // AMP_TEST_UNIT_CUT_GRAPHS_H
