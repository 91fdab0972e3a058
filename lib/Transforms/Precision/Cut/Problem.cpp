//===- Problem.cpp - What an assignment costs -----------------------------===//

#include "Problem.h"
#include <numeric>

namespace amp::cut {

Cost copiesCost(const Problem &problem, const Copies &copies,
                const Labels &labels) {
  unsigned wanted = copies.wanted;
  for (unsigned reader : copies.readers)
    wanted |= 1u << labels[reader];
  const CostByType &price = copies.price[labels[copies.value]];
  Cost cost = 0, kinds = 0;
  for (unsigned t = 0; t < problem.types; ++t)
    if (wanted >> t & 1) {
      cost += price[t] + kinds * copies.both;
      ++kinds;
    }
  return cost;
}

Cost orderCost(const Order &order, const Labels &labels) {
  return labels[order.first] > labels[order.second] ? order.cost : 0;
}

Cost evaluate(const Problem &problem, const Labels &labels) {
  Cost cost = 0;
  for (size_t i = 0; i < problem.variables.size(); ++i) {
    const Variable &variable = problem.variables[i];
    cost += variable.cost[labels[i]];
    if (variable.fixed && *variable.fixed != labels[i])
      cost += kForbidden;
  }
  for (const Copies &copies : problem.copies)
    cost += copiesCost(problem, copies, labels);
  for (const Order &order : problem.orders)
    cost += orderCost(order, labels);
  for (auto [a, b] : problem.ties)
    if (labels[a] != labels[b])
      cost += kForbidden;
  return cost;
}

std::string check(const Problem &problem) {
  auto bad = [&](unsigned index) { return index >= problem.variables.size(); };
  if (problem.types < 2 || problem.types > kMaxTypes)
    return "expected 2 or 3 types";
  for (const Variable &variable : problem.variables) {
    for (unsigned t = 0; t < problem.types; ++t)
      if (variable.cost[t] < 0)
        return "a variable has a negative cost";
    if (variable.fixed && *variable.fixed >= problem.types)
      return "a variable is fixed to a type that does not exist";
  }
  for (const Copies &copies : problem.copies) {
    if (bad(copies.value))
      return "copies of a variable that does not exist";
    if (copies.both < 0)
      return "two copies have a negative cost";
    for (unsigned reader : copies.readers)
      if (bad(reader))
        return "a reader that does not exist";
    for (unsigned s = 0; s < problem.types; ++s)
      for (unsigned t = 0; t < problem.types; ++t)
        if (copies.price[s][t] < copies.price[t][t] || copies.price[s][t] < 0)
          return "a copy costs less from another type than from its own";
  }
  for (const Order &order : problem.orders)
    if (bad(order.first) || bad(order.second) || order.cost < 0)
      return "an order of variables that do not exist, or a negative cost";
  for (auto [a, b] : problem.ties)
    if (bad(a) || bad(b))
      return "a tie of variables that do not exist";
  return "";
}

Merged mergeTies(const Problem &problem) {
  Merged merged;
  std::vector<unsigned> parent(problem.variables.size());
  std::iota(parent.begin(), parent.end(), 0);
  auto find = [&](unsigned i) {
    while (parent[i] != i)
      i = parent[i] = parent[parent[i]];
    return i;
  };
  // The first variable of a group stands for it.
  for (auto [a, b] : problem.ties) {
    unsigned x = find(a), y = find(b);
    parent[std::max(x, y)] = std::min(x, y);
  }
  merged.problem.types = problem.types;
  merged.place.resize(problem.variables.size());
  for (unsigned i = 0; i < problem.variables.size(); ++i) {
    const Variable &variable = problem.variables[i];
    unsigned root = find(i);
    if (root == i)
      merged.place[i] = merged.problem.add({});
    unsigned place = merged.place[i] = merged.place[root];
    Variable &group = merged.problem.variables[place];
    for (unsigned t = 0; t < problem.types; ++t)
      group.cost[t] += variable.cost[t];
    if (!variable.fixed)
      continue;
    merged.contradiction |= group.fixed && *group.fixed != *variable.fixed;
    group.fixed = variable.fixed;
  }
  for (Copies copies : problem.copies) {
    copies.value = merged.place[copies.value];
    for (unsigned &reader : copies.readers)
      reader = merged.place[reader];
    merged.problem.copies.push_back(std::move(copies));
  }
  for (Order order : problem.orders)
    merged.problem.orders.push_back(
        {merged.place[order.first], merged.place[order.second], order.cost});
  return merged;
}

std::optional<Solution> solve(const Problem &problem) {
  return problem.types == 2 ? solveTwoTypes(problem) : solveThreeTypes(problem);
}

} // namespace amp::cut
