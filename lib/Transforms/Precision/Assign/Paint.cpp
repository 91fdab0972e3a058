//===- Paint.cpp - The colours of TensorFlow's grappler -------------------===//
//
// auto_mixed_precision: allow ops are painted low, deny ops (Keep) spread
// downstream so that the tail of a network is not cast to and fro, low paint
// then fills what lies between two painted ops and spreads through neutral ops.
// Ops that are blocked, and sources, take no paint and let none through.
//
//===----------------------------------------------------------------------===//

#include "../Slots.h"
#include "Assign.h"

using namespace mlir;

namespace amp {
namespace {

using OpSet = DenseSet<Operation *>;

class Painter {
public:
  explicit Painter(func::FuncOp function);

  bool isLow(Operation *op) const { return allow.contains(op); }
  StringRef rule(Operation *op) const {
    auto found = rules.find(op);
    return found == rules.end() ? "PT-unpainted" : found->second;
  }

private:
  bool isNeutral(Operation *op) const {
    PolicyClass cls = policyClass(op);
    return cls == PolicyClass::Clear || cls == PolicyClass::Transparent;
  }
  bool isInfer(Operation *op) const {
    PolicyClass cls = policyClass(op);
    return cls == PolicyClass::Follow || cls == PolicyClass::Promote;
  }
  void spreadDeny();
  void fillBetweenAllow();
  void spreadAllowThroughNeutral();

  SmallVector<Operation *> ops;
  OpSet allow, deny;
  DenseMap<Operation *, StringRef> rules;
};

/// Calls `visit` for the ops whose float values `op` reads.
template <typename Visit>
void forEachSource(Operation *op, Visit visit) {
  for (Value operand : op->getOperands())
    if (Operation *source = operand.getDefiningOp())
      if (isFloatTensor(operand.getType()))
        visit(source);
}

/// Calls `visit` for the ops that read a float value of `op`.
template <typename Visit>
void forEachUser(Operation *op, Visit visit) {
  for (Value result : op->getResults())
    if (isFloatTensor(result.getType()))
      for (Operation *user : result.getUsers())
        visit(user);
}

/// All that `next` reaches from `roots` over ops that `enters` lets in; roots
/// belong to it.
template <typename Next, typename Enters>
OpSet reach(ArrayRef<Operation *> roots, Next next, Enters enters) {
  OpSet seen(roots.begin(), roots.end());
  SmallVector<Operation *> open(roots);
  while (!open.empty())
    next(open.pop_back_val(), [&](Operation *other) {
      if (enters(other) && seen.insert(other).second)
        open.push_back(other);
    });
  return seen;
}

constexpr auto upstream = [](Operation *op, auto visit) {
  forEachSource(op, visit);
};
constexpr auto downstream = [](Operation *op, auto visit) {
  forEachUser(op, visit);
};

Painter::Painter(func::FuncOp function) {
  for (Operation &op : function.getBody().front()) {
    // Sources and the update are no nodes to paint.
    if (isa<ReadOp, ConstantOp, CastOp, WriteOp, func::ReturnOp>(op))
      continue;
    ops.push_back(&op);
    PolicyClass cls = policyClass(&op);
    if (cls == PolicyClass::Allow) {
      allow.insert(&op);
      rules[&op] = policyRule(&op).empty() ? "AL-contraction" : policyRule(&op);
    } else if (cls == PolicyClass::Keep) {
      // What the user keeps is an exception, not a list entry that spreads.
      if (!isForced(&op))
        deny.insert(&op);
      rules[&op] =
          policyRule(&op).empty() ? "KP-range-sensitive" : policyRule(&op);
    }
  }
  // Without an op that gains from it the graph is left alone.
  if (allow.empty())
    return;
  spreadDeny();
  fillBetweenAllow();
  spreadAllowThroughNeutral();
}

void Painter::spreadDeny() {
  SmallVector<Operation *> roots, denied;
  for (Operation *op : ops) {
    if (deny.contains(op))
      denied.push_back(op);
    if (deny.contains(op) || isInfer(op))
      roots.push_back(op);
  }
  // Neutral ops from which neutral ops alone lead to a deny or infer op.
  OpSet before =
      reach(roots, upstream, [&](Operation *op) { return isNeutral(op); });
  OpSet spread = reach(denied, downstream, [&](Operation *op) {
    return before.contains(op) && !allow.contains(op);
  });
  for (Operation *op : spread)
    if (deny.insert(op).second)
      rules[op] = "PT-behind-deny";
}

void Painter::fillBetweenAllow() {
  SmallVector<Operation *> roots;
  for (Operation *op : ops)
    if (allow.contains(op))
      roots.push_back(op);
  OpSet below = reach(roots, downstream, [&](Operation *op) {
    return !deny.contains(op) && !allow.contains(op) &&
           (isNeutral(op) || isInfer(op)) &&
           !isa<ReadOp, ConstantOp, CastOp>(op);
  });
  OpSet between =
      reach(roots, upstream, [&](Operation *op) { return below.contains(op); });
  for (Operation *op : between)
    if (allow.insert(op).second)
      rules[op] = "PT-between-allow";
}

void Painter::spreadAllowThroughNeutral() {
  SmallVector<Operation *> roots;
  for (Operation *op : ops)
    if (allow.contains(op))
      roots.push_back(op);
  OpSet spread = reach(
      roots,
      [](Operation *op, auto visit) {
        forEachSource(op, visit);
        forEachUser(op, visit);
      },
      [&](Operation *op) {
        return !deny.contains(op) && isNeutral(op) &&
               !isa<ReadOp, ConstantOp, CastOp, WriteOp, func::ReturnOp>(op);
      });
  for (Operation *op : spread)
    if (allow.insert(op).second)
      rules[op] = "PT-beside-allow";
}

} // namespace

Decisions assignPaint(func::FuncOp function, const AssignOptions &options) {
  DenseSet<Value> state = stateValues(function);
  Painter painter(function);
  return decideInOrder(
      function, options,
      [&](Operation *op, OpResult result) -> Choice {
        if (auto fixed = fixedChoice(op, result))
          return *fixed;
        if (state.contains(result))
          return {false, "ST-state"};
        return {painter.isLow(op), painter.rule(op)};
      },
      [&](Operation *op, bool) {
        return painter.isLow(op) &&
               (isContraction(op) || !isa<PrecisionOpInterface>(op));
      });
}

} // namespace amp
