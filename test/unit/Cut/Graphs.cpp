//===- Graphs.cpp - Random assignment problems for tests ------------------===//

#include "Graphs.h"

namespace amp::cut {
namespace {

constexpr Cost kBytes[2][kMaxTypes] = {{2, 4, 0}, {2, 2, 4}};

} // namespace

RandomGraph randomGraph(std::mt19937 &random, const GraphShape &shape) {
  auto below = [&](unsigned bound) { return (unsigned)(random() % bound); };
  RandomGraph graph;
  Problem &problem = graph.problem;
  problem.types = shape.types;
  const Cost *bytes = kBytes[shape.types - 2];
  Label widest = shape.types - 1;
  for (unsigned i = 0; i < shape.values; ++i) {
    Cost elements = 1 + below(64);
    Variable value;
    unsigned kind = below(100);
    Paint list = below(2) ? Paint::Infer : Paint::Clear;
    if (kind < shape.allow) {
      value.fixed = below(shape.types == 3 ? 2 : 1);
      list = Paint::Allow;
    } else if (kind < shape.allow + shape.keep) {
      value.fixed = widest;
      list = Paint::Deny;
    }
    // What a kernel reads of its own type, and a preference of the op.
    for (unsigned t = 0; t < shape.types; ++t) {
      value.cost[t] = below(3) * elements * bytes[t] + below(16);
      if (!value.fixed && t != widest && below(12) == 0)
        value.cost[t] = kForbidden;
    }
    bool library = below(2);
    Copies copies;
    copies.value = problem.add(value);
    graph.lists.push_back(list);
    for (unsigned s = 0; s < shape.types; ++s) {
      if (library)
        problem.variables.back().cost[s] += elements * bytes[s];
      for (unsigned t = 0; t < shape.types; ++t)
        copies.price[s][t] =
            !library ? elements * bytes[t]
                     : (s == t ? 0 : elements * (bytes[s] + bytes[t]) + 8);
    }
    if (library && below(2)) {
      // A library that writes any type, but only one: a second is a cast.
      for (unsigned s = 0; s < shape.types; ++s) {
        problem.variables.back().cost[s] -= elements * bytes[s];
        for (unsigned t = 0; t < shape.types; ++t)
          copies.price[s][t] = elements * bytes[t];
      }
      copies.both = elements * bytes[widest] + 8;
    }
    if (below(8) == 0)
      copies.wanted = 1 << below(shape.types);
    problem.copies.push_back(copies);
  }
  // Each value but the first reads some of those before it; now and then the
  // reader is a compute type of its own, no narrower than which the result is.
  for (unsigned i = 1; i < shape.values; ++i) {
    unsigned reader = i;
    if (below(6) == 0) {
      Variable compute;
      for (unsigned t = 0; t < shape.types; ++t)
        compute.cost[t] = below(200);
      reader = problem.add(compute);
      graph.lists.push_back(Paint::Infer);
      problem.orders.push_back({reader, i, kForbidden});
    }
    unsigned operands = 1 + below(shape.maxOperands);
    for (unsigned k = 0; k < operands; ++k)
      problem.copies[i > 8 && below(3) ? i - 1 - below(8) : below(i)]
          .readers.push_back(reader);
    if (below(2))
      problem.copies[i].readers.push_back(i);
  }
  if (shape.ties && shape.values > 3)
    for (unsigned k = below(3); k-- > 0;) {
      unsigned a = below(shape.values), b = below(shape.values);
      if (!problem.variables[a].fixed && !problem.variables[b].fixed)
        problem.ties.push_back({a, b});
    }
  return graph;
}

Solution bruteForce(const Problem &problem) {
  std::vector<unsigned> open;
  Labels labels(problem.variables.size());
  for (unsigned i = 0; i < labels.size(); ++i)
    if (problem.variables[i].fixed)
      labels[i] = *problem.variables[i].fixed;
    else
      open.push_back(i);
  Solution best = {labels, evaluate(problem, labels)};
  while (true) {
    unsigned at = 0;
    while (at < open.size() && ++labels[open[at]] == problem.types)
      labels[open[at++]] = 0;
    if (at == open.size())
      return best;
    Cost cost = evaluate(problem, labels);
    if (cost < best.cost)
      best = {labels, cost};
  }
}

} // namespace amp::cut
