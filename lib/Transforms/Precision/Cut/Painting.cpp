//===- Painting.cpp - What existing systems do instead of a cut -----------===//

#include "Painting.h"

namespace amp::cut {
namespace {

/// Who reads whom.
struct Neighbours {
  std::vector<std::vector<unsigned>> operands, readers;
  std::vector<bool> readNarrow; ///< by something outside of the problem

  explicit Neighbours(const Problem &problem) {
    size_t count = problem.variables.size();
    operands.resize(count);
    readers.resize(count);
    readNarrow.resize(count);
    for (const Copies &copies : problem.copies) {
      if (copies.wanted & 1)
        readNarrow[copies.value] = true;
      for (unsigned reader : copies.readers)
        if (reader != copies.value) {
          operands[reader].push_back(copies.value);
          readers[copies.value].push_back(reader);
        }
    }
  }
};

/// What a rule does not see: forbidden types, ties and orders. Widens until
/// nothing is violated.
void repair(const Problem &problem, Labels &labels) {
  Label widest = problem.types - 1;
  auto widen = [&](unsigned i) {
    if (problem.variables[i].fixed || labels[i] == widest)
      return false;
    ++labels[i];
    return true;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (unsigned i = 0; i < labels.size(); ++i)
      if (problem.variables[i].cost[labels[i]] >= kForbidden)
        changed |= widen(i);
    for (auto [a, b] : problem.ties)
      if (labels[a] != labels[b])
        changed |= widen(labels[a] < labels[b] ? a : b);
    for (const Order &order : problem.orders)
      if (order.cost >= kForbidden &&
          labels[order.first] > labels[order.second])
        changed |= widen(order.second);
  }
  // What is fixed narrow pulls what is tied to it.
  for (auto [a, b] : problem.ties)
    for (auto [from, to] : {std::pair(a, b), std::pair(b, a)})
      if (problem.variables[from].fixed && !problem.variables[to].fixed)
        labels[to] = labels[from];
}

} // namespace

Labels paintInOrder(const Problem &problem) {
  Neighbours near(problem);
  Label widest = problem.types - 1;
  Labels labels(problem.variables.size(), widest);
  for (unsigned i = 0; i < labels.size(); ++i)
    labels[i] = problem.variables[i].fixed.value_or(widest);
  for (unsigned i = 0; i < labels.size(); ++i) {
    if (problem.variables[i].fixed)
      continue;
    bool narrow = near.readNarrow[i];
    for (unsigned operand : near.operands[i])
      narrow |= operand < i && labels[operand] == 0;
    for (unsigned reader : near.readers[i])
      narrow |= problem.variables[reader].fixed == Label(0);
    labels[i] = narrow ? 0 : widest;
  }
  repair(problem, labels);
  return labels;
}

Labels paintByLists(const Problem &problem, const std::vector<Paint> &lists) {
  Neighbours near(problem);
  size_t count = problem.variables.size();
  Label widest = problem.types - 1;
  Labels labels(count, widest);
  std::vector<bool> narrow(count), upstreamDeny(count), afterNarrow(count),
      beforeNarrow(count);
  for (unsigned i = 0; i < count; ++i)
    narrow[i] = problem.variables[i].fixed ? *problem.variables[i].fixed == 0
                                           : lists[i] == Paint::Allow;
  auto wide = [&](unsigned i) {
    return problem.variables[i].fixed ? !narrow[i] : lists[i] == Paint::Deny;
  };
  // A deny taints what infers from it until something narrow or clear-cut.
  for (unsigned i = 0; i < count; ++i)
    for (unsigned operand : near.operands[i])
      if (operand < i) {
        bool through = !narrow[operand] && !wide(operand);
        upstreamDeny[i] = upstreamDeny[i] || wide(operand) ||
                          (through && upstreamDeny[operand]);
        afterNarrow[i] = afterNarrow[i] || narrow[operand] ||
                         (through && afterNarrow[operand]);
      }
  for (unsigned i = count; i-- > 0;)
    for (unsigned reader : near.readers[i])
      if (reader > i) {
        bool through = !narrow[reader] && !wide(reader);
        beforeNarrow[i] = beforeNarrow[i] || narrow[reader] ||
                          (through && beforeNarrow[reader]);
      }
  for (unsigned i = 0; i < count; ++i)
    if (!problem.variables[i].fixed && lists[i] == Paint::Infer &&
        afterNarrow[i] && beforeNarrow[i] && !upstreamDeny[i])
      narrow[i] = true;
  std::vector<unsigned> open;
  for (unsigned i = 0; i < count; ++i)
    if (narrow[i])
      open.push_back(i);
  while (!open.empty()) {
    unsigned i = open.back();
    open.pop_back();
    for (const auto &side : {near.operands[i], near.readers[i]})
      for (unsigned next : side)
        if (!narrow[next] && !problem.variables[next].fixed &&
            lists[next] == Paint::Clear) {
          narrow[next] = true;
          open.push_back(next);
        }
  }
  for (unsigned i = 0; i < count; ++i)
    labels[i] = problem.variables[i].fixed.value_or(narrow[i] ? 0 : widest);
  repair(problem, labels);
  return labels;
}

} // namespace amp::cut
