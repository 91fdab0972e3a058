//===- Move.cpp - The best choice between two types each ------------------===//
//
// A binary variable is false for `first` and true for `second`. A copy in type
// t is needed if any of its readers takes t. Where readers take t by being
// false, an auxiliary node is false as soon as one of them is; it carries the
// price of the copy once:
//
//   base [a = 0] + more [value = 1, a = 0],   forbidden [a = 1, reader = 0]
//
// and mirrored where they take t by being true. `more` is what the copy costs
// beyond the base when the value is stored in the other type. Two copies
// at once have a price of their own, which a cut can tell if one of them is
// needed by false and the other by true; else (three types) it is left out.
//
//===----------------------------------------------------------------------===//

#include "Move.h"
#include "Network.h"

namespace amp::cut {
namespace {

class MoveBuilder {
public:
  MoveBuilder(const Problem &problem, const Labels &first, const Labels &second,
              bool optimistic)
      : problem(problem), first(first), second(second), optimistic(optimistic) {
    for (size_t i = 0; i < first.size(); ++i)
      nodes.push_back(first[i] == second[i] ? kNone : network.addNode());
  }
  Labels run();

private:
  static constexpr unsigned kNone = ~0u;

  bool decided(unsigned i) const { return nodes[i] == kNone; }
  void addOrder(const Order &order);
  /// Whether a copy is made: never, always, or as a node says.
  struct Need {
    enum { Never, Always, IfFalse, IfTrue } when = Never;
    unsigned node = kNone;
  };

  void addCopies(const Copies &copies);
  Need addCopy(const Copies &copies, Label type);
  void addAlways(const Copies &copies, Label type);
  void addBoth(const Need &one, const Need &two, Cost cost);

  const Problem &problem;
  const Labels &first, &second;
  bool optimistic;
  Network network;
  std::vector<unsigned> nodes;
};

void MoveBuilder::addOrder(const Order &order) {
  auto cost = [&](Label a, Label b) { return a > b ? order.cost : 0; };
  unsigned a = nodes[order.first], b = nodes[order.second];
  Cost ff = cost(first[order.first], first[order.second]);
  Cost ft = cost(first[order.first], second[order.second]);
  Cost tf = cost(second[order.first], first[order.second]);
  Cost tt = cost(second[order.first], second[order.second]);
  if (a == b)
    return a == kNone ? void() : network.addUnary(a, ff, tt);
  if (a == kNone)
    return network.addUnary(b, ff, ft);
  if (b == kNone)
    return network.addUnary(a, ff, tf);
  // f(a, b) = ff + a (tt - ft) + b (ft - ff) + [a, not b] (tf + ft - ff - tt);
  // the last is not negative, for the order of types is a line.
  network.addUnary(a, 0, tt - ft);
  network.addUnary(b, 0, ft - ff);
  network.addPair(a, b, tf + ft - ff - tt);
}

/// The copy is made whatever the readers do.
void MoveBuilder::addAlways(const Copies &copies, Label type) {
  unsigned value = copies.value;
  if (!decided(value))
    network.addUnary(nodes[value], copies.price[first[value]][type],
                     copies.price[second[value]][type]);
}

MoveBuilder::Need MoveBuilder::addCopy(const Copies &copies, Label type) {
  std::vector<unsigned> byFirst, bySecond;
  bool always = copies.wanted >> type & 1;
  for (unsigned reader : copies.readers) {
    bool one = first[reader] == type, two = second[reader] == type;
    always |= one && two;
    if (one && !two)
      byFirst.push_back(nodes[reader]);
    if (two && !one)
      bySecond.push_back(nodes[reader]);
  }
  if (always) {
    addAlways(copies, type);
    return {Need::Always};
  }
  bool falseTakes = !byFirst.empty();
  const std::vector<unsigned> &readers = falseTakes ? byFirst : bySecond;
  if (readers.empty())
    return {};
  unsigned needed = readers.front();
  if (readers.size() > 1) {
    needed = network.addNode();
    for (unsigned reader : readers)
      falseTakes ? network.addPair(needed, reader, kForbidden)
                 : network.addPair(reader, needed, kForbidden);
  }
  unsigned value = nodes[copies.value];
  Cost ifFirst = copies.price[first[copies.value]][type];
  Cost ifSecond = copies.price[second[copies.value]][type];
  Cost base = falseTakes ? ifFirst : ifSecond;
  Cost more = (falseTakes ? ifSecond : ifFirst) - base;
  if (more < 0 && optimistic && value != kNone)
    base += more;
  falseTakes ? network.addUnary(needed, base, 0)
             : network.addUnary(needed, 0, base);
  if (value != kNone)
    falseTakes ? network.addPair(value, needed, more)
               : network.addPair(needed, value, more);
  return {falseTakes ? Need::IfFalse : Need::IfTrue, needed};
}

void MoveBuilder::addBoth(const Need &one, const Need &two, Cost cost) {
  if (one.when == Need::Never || two.when == Need::Never || !cost)
    return;
  if (one.when == Need::Always || two.when == Need::Always) {
    const Need &open = one.when == Need::Always ? two : one;
    if (open.when != Need::Always)
      network.addUnary(open.node, open.when == Need::IfFalse ? cost : 0,
                       open.when == Need::IfTrue ? cost : 0);
    return;
  }
  if (one.when != two.when)
    one.when == Need::IfTrue ? network.addPair(one.node, two.node, cost)
                             : network.addPair(two.node, one.node, cost);
}

void MoveBuilder::addCopies(const Copies &copies) {
  std::vector<Need> needs;
  for (Label type = 0; type < problem.types; ++type) {
    needs.push_back(addCopy(copies, type));
    for (Label other = 0; other < type; ++other)
      addBoth(needs[other], needs[type], copies.both);
  }
}

Labels MoveBuilder::run() {
  for (size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i] != kNone)
      network.addUnary(nodes[i], problem.variables[i].cost[first[i]],
                       problem.variables[i].cost[second[i]]);
  for (const Order &order : problem.orders)
    addOrder(order);
  for (const Copies &copies : problem.copies)
    addCopies(copies);
  std::vector<bool> values = network.solve();
  Labels labels = first;
  for (size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i] != kNone && values[nodes[i]])
      labels[i] = second[i];
  return labels;
}

} // namespace

Labels bestMove(const Problem &problem, const Labels &first,
                const Labels &second, bool optimistic) {
  return MoveBuilder(problem, first, second, optimistic).run();
}

} // namespace amp::cut
