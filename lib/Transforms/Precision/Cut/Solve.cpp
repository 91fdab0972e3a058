//===- Solve.cpp - Optimal for two types, near it for three ---------------===//

#include "LocalMoves.h"
#include "Move.h"
#include <algorithm>

namespace amp::cut {
namespace {

/// Every free variable the same type.
Labels uniform(const Problem &problem, Label type) {
  Labels labels;
  for (const Variable &variable : problem.variables)
    labels.push_back(variable.fixed.value_or(type));
  return labels;
}

Solution unmerge(const Problem &original, const Merged &merged,
                 const Labels &labels) {
  Solution solution;
  for (unsigned place : merged.place)
    solution.labels.push_back(labels[place]);
  solution.cost = evaluate(original, solution.labels);
  return solution;
}

/// Keeps the better of two; of equal ones that with narrower types.
bool improve(const Problem &problem, Solution &best, Labels labels) {
  Cost cost = evaluate(problem, labels);
  auto width = [](const Labels &all) {
    Cost sum = 0;
    for (Label label : all)
      sum += label;
    return sum;
  };
  if (cost > best.cost ||
      (cost == best.cost && width(labels) >= width(best.labels)))
    return false;
  best = {std::move(labels), cost};
  return true;
}

/// Expansions, swaps and small moves in a fixed order until none of them helps.
Solution descend(const Problem &problem, const LocalMoves &local,
                 Labels start) {
  Solution best = {start, evaluate(problem, start)};
  bool changed = true;
  while (changed) {
    changed = false;
    for (Label alpha = 0; alpha < problem.types; ++alpha)
      changed |=
          improve(problem, best,
                  bestMove(problem, best.labels, uniform(problem, alpha)));
    for (Label narrow = 0; narrow < problem.types; ++narrow)
      for (Label wide = narrow + 1; wide < problem.types; ++wide) {
        Labels first = best.labels, second = best.labels;
        for (size_t i = 0; i < first.size(); ++i)
          if (!problem.variables[i].fixed &&
              (first[i] == narrow || first[i] == wide))
            first[i] = narrow, second[i] = wide;
        changed |= improve(problem, best, bestMove(problem, first, second));
      }
    Labels labels = best.labels;
    if (local.run(labels))
      changed |= improve(problem, best, std::move(labels));
  }
  return best;
}

/// Fixes one variable at a time to each other type and descends again. Finds
/// what several moves at once would have found; for small problems only.
void probe(const Problem &problem, Solution &best) {
  constexpr unsigned kMostVariables = 24;
  unsigned open = 0;
  for (const Variable &variable : problem.variables)
    open += !variable.fixed;
  if (open > kMostVariables)
    return;
  for (size_t i = 0; i < problem.variables.size(); ++i)
    for (Label type = 0; type < problem.types; ++type) {
      if (problem.variables[i].fixed || best.labels[i] == type)
        continue;
      Problem fixed = problem;
      fixed.variables[i].fixed = type;
      Labels start = best.labels;
      start[i] = type;
      improve(problem, best, descend(fixed, LocalMoves(fixed), start).labels);
    }
}

} // namespace

std::optional<Solution> solveTwoTypes(const Problem &problem) {
  Merged merged = mergeTies(problem);
  if (merged.contradiction)
    return std::nullopt;
  return unmerge(problem, merged,
                 bestMove(merged.problem, uniform(merged.problem, 0),
                          uniform(merged.problem, 1)));
}

std::optional<Solution> solveThreeTypes(const Problem &problem) {
  Merged merged = mergeTies(problem);
  if (merged.contradiction)
    return std::nullopt;
  LocalMoves local(merged.problem);
  std::optional<Solution> best;
  for (Label start = 0; start < problem.types; ++start) {
    Solution found =
        descend(merged.problem, local, uniform(merged.problem, start));
    if (!best || found.cost < best->cost)
      best = std::move(found);
  }
  probe(merged.problem, *best);
  return unmerge(problem, merged, best->labels);
}

} // namespace amp::cut
