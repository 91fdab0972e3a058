//===- Network.h - Minimum cut of a flow network ----------------*- C++ -*-===//
//
// Boykov and Kolmogorov's maximum flow (Boost.Graph) behind the three calls an
// energy of binary variables needs. Source: "An Experimental Comparison of
// Min-Cut/Max-Flow Algorithms for Energy Minimization in Vision", 2004.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_PRECISION_CUT_NETWORK_H
#define AMP_LIB_TRANSFORMS_PRECISION_CUT_NETWORK_H

#include "Problem.h"

namespace amp::cut {

class Network {
public:
  /// A new binary variable.
  unsigned addNode() {
    unary.push_back({});
    return unary.size() - 1;
  }
  /// A cost by the value of a variable. May be negative.
  void addUnary(unsigned node, Cost ifFalse, Cost ifTrue) {
    unary[node].ifFalse += ifFalse;
    unary[node].ifTrue += ifTrue;
  }
  /// A cost, not negative, if `first` is true and `second` false.
  void addPair(unsigned first, unsigned second, Cost cost) {
    if (cost > 0 && first != second)
      pairs.push_back({first, second, cost});
  }
  /// Values of least cost; as many false as an optimum can have.
  std::vector<bool> solve() const;

private:
  struct Unary {
    Cost ifFalse = 0, ifTrue = 0;
  };
  struct Pair {
    unsigned first, second;
    Cost cost;
  };
  std::vector<Unary> unary;
  std::vector<Pair> pairs;
};

} // namespace amp::cut

#endif // AMP_LIB_TRANSFORMS_PRECISION_CUT_NETWORK_H
