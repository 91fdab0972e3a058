//===- LocalMoves.cpp - Small changes of an assignment --------------------===//

#include "LocalMoves.h"
#include <algorithm>

namespace amp::cut {

LocalMoves::LocalMoves(const Problem &problem)
    : problem(problem), terms(problem.variables.size()) {
  unsigned number = 0;
  for (const Copies &copies : problem.copies) {
    terms[copies.value].push_back(number);
    for (unsigned reader : copies.readers)
      terms[reader].push_back(number);
    ++number;
  }
  for (const Order &order : problem.orders) {
    terms[order.first].push_back(number);
    terms[order.second].push_back(number);
    ++number;
  }
}

Cost LocalMoves::costOf(const std::vector<unsigned> &variables,
                        const std::vector<unsigned> &touched,
                        const Labels &labels) const {
  Cost sum = 0;
  for (unsigned i : variables)
    sum += problem.variables[i].cost[labels[i]];
  for (unsigned term : touched)
    sum +=
        term < problem.copies.size()
            ? copiesCost(problem, problem.copies[term], labels)
            : orderCost(problem.orders[term - problem.copies.size()], labels);
  return sum;
}

bool LocalMoves::tryChange(Labels &labels,
                           const std::vector<unsigned> &variables,
                           Label type) const {
  std::vector<unsigned> changing, touched;
  for (unsigned i : variables)
    if (!problem.variables[i].fixed && labels[i] != type)
      changing.push_back(i);
  std::sort(changing.begin(), changing.end());
  changing.erase(std::unique(changing.begin(), changing.end()), changing.end());
  if (changing.empty())
    return false;
  for (unsigned i : changing)
    touched.insert(touched.end(), terms[i].begin(), terms[i].end());
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  auto cost = [&] { return costOf(changing, touched, labels); };
  auto width = [&] {
    Cost sum = 0;
    for (unsigned i : changing)
      sum += labels[i];
    return sum;
  };
  std::pair<Cost, Cost> before = {cost(), width()};
  std::vector<Label> old;
  for (unsigned i : changing) {
    old.push_back(labels[i]);
    labels[i] = type;
  }
  if (std::pair<Cost, Cost>(cost(), width()) < before)
    return true;
  for (size_t k = 0; k < changing.size(); ++k)
    labels[changing[k]] = old[k];
  return false;
}

Cost LocalMoves::change(Labels &labels, unsigned variable, Label type) const {
  std::vector<unsigned> touched = terms[variable];
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  Label old = labels[variable];
  Cost before = costOf({variable}, touched, labels);
  labels[variable] = type;
  Cost after = costOf({variable}, touched, labels);
  labels[variable] = old;
  return after - before;
}

bool LocalMoves::run(Labels &labels) const {
  bool changed = false;
  for (Label type = 0; type < problem.types; ++type) {
    for (unsigned i = 0; i < labels.size(); ++i)
      changed |= tryChange(labels, {i}, type);
    for (const Copies &copies : problem.copies) {
      std::vector<unsigned> group = copies.readers;
      changed |= tryChange(labels, group, type);
      group.push_back(copies.value);
      changed |= tryChange(labels, group, type);
    }
  }
  return changed;
}

} // namespace amp::cut
