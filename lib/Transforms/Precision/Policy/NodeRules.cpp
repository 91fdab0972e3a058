//===- NodeRules.cpp - Nodes beyond the limits of a preset ----------------===//

#include "NodeRules.h"
#include "../Forbid.h"
#include "../Slots.h"
#include "GraphIndex.h"
#include "amp/Analysis/Ranges.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace amp;

namespace {

std::string exceeds(StringRef what, double number, double limit) {
  return llvm::formatv("{0} {1} > {2}", what, llvm::format("%.9g", number),
                       llvm::format("%.9g", limit));
}

/// The largest magnitude of an initializer: a constant, or what a variable
/// begins with; nullopt if the value is none.
std::optional<double> initializerMagnitude(Value value) {
  ElementsAttr elements;
  if (auto constant = value.getDefiningOp<ConstantOp>())
    elements = constant.getValue();
  else if (auto read = value.getDefiningOp<ReadOp>())
    if (auto variable =
            read->getParentOfType<ModuleOp>().lookupSymbol<VariableOp>(
                read.getVariable()))
      elements = variable.getInitAttr();
  auto stats = elements ? constantStats(elements) : std::nullopt;
  if (!stats || stats->count == 0)
    return std::nullopt;
  if (stats->negativeInfinity || stats->positiveInfinity)
    return HUGE_VAL;
  return std::max(std::fabs(stats->finite.lo), std::fabs(stats->finite.hi));
}

/// The largest magnitude that calibration saw in a value.
std::optional<double> measuredMagnitude(Value value) {
  DictionaryAttr measured = calibratedRange(value);
  if (!measured)
    return std::nullopt;
  auto count = [&](StringRef name) {
    auto number = measured.getAs<IntegerAttr>(name);
    return number ? number.getInt() : 0;
  };
  if (count("nonfinite") > count("nan"))
    return HUGE_VAL;
  return largestMeasured(measured);
}

/// A node as a place in the model; ops without a name are nodes of their own.
bool isNamed(Operation *op) { return !GraphIndex::namesOf(op).empty(); }

bool isPartOfNode(Operation &op) {
  return phaseOf(&op) == Phase::Forward &&
         !isa<ReadOp, WriteOp, ConstantOp>(op) &&
         !op.hasTrait<OpTrait::IsTerminator>();
}

/// Another node reads the value, or it leaves the function. What only backward
/// or the update reads is no result of the node.
bool isNodeResult(Value value, ArrayRef<Operation *> node) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return !isa<WriteOp>(user) && phaseOf(user) == Phase::Forward &&
           !llvm::is_contained(node, user);
  });
}

/// Elements that one sum of an op adds up, by the rule of AutoCast: along the
/// longest of several axes; 0 for ops without.
double sumDepth(Operation *op, StringRef type) {
  auto longest = [](Value x, ArrayRef<int64_t> axes) {
    int64_t most = 0;
    for (int64_t axis : axes)
      most = std::max(most, tensorType(x).getDimSize(axis));
    return most;
  };
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([](MatmulOp o) {
        auto shape = tensorType(o.getLhs()).getShape();
        return shape[shape.size() - (o.getTransposeLhs() ? 2 : 1)];
      })
      .Case([](ConvOp o) {
        auto weight = tensorType(o.getW());
        return weight.getNumElements() / weight.getDimSize(0);
      })
      .Case([&](AttentionOp o) {
        auto query = tensorType(o.getQuery()), key = tensorType(o.getKey());
        int64_t head = query.getShape().back();
        // A node adds up over its hidden size there; one that was raised is
        // two products.
        if (type == "Attention")
          return query.getRank() == 4 ? query.getDimSize(1) * head : head;
        return std::max(head, key.getDimSize(key.getRank() - 2));
      })
      .Case([](CumSumOp o) {
        return tensorType(o.getX()).getDimSize(int64_t(o.getAxis()));
      })
      .Case<ReduceSumOp, ReduceMeanOp, ReduceProdOp>(
          [&](auto o) { return longest(o.getX(), o.getAxes()); })
      .Default([](Operation *) { return 0; });
}

} // namespace

NodeRules::NodeRules(ArrayRef<func::FuncOp> functions, const NodeLimits &limits,
                     NodeType nodeType)
    : limits(limits) {
  llvm::MapVector<Location, Node> named;
  SmallVector<Node> nodes;
  for (func::FuncOp function : functions)
    for (Operation &op : function.getBody().front())
      if (isPartOfNode(op)) {
        if (isNamed(&op))
          named[op.getLoc()].push_back(&op);
        else
          nodes.push_back({&op});
      }
  for (auto &[loc, node] : named)
    nodes.push_back(node);
  for (const Node &node : nodes) {
    std::string rule = judge(node, nodeType);
    if (!rule.empty())
      keep(node, rule);
  }
}

/// In the order in which AutoCast asks.
std::string NodeRules::judge(const Node &node, NodeType nodeType) {
  std::string rule = judgeInitializers(node);
  // Asked in any case: whether there are ranges at all is known then.
  std::string values = judgeValues(node);
  if (rule.empty())
    rule = values;
  return rule.empty() ? judgeDepth(node, nodeType(node.front())) : rule;
}

std::string NodeRules::judgeInitializers(const Node &node) const {
  double largest = 0;
  for (Operation *op : node)
    for (Value operand : op->getOperands()) {
      // A number that the importer wrote for the node is no initializer.
      Operation *maker = operand.getDefiningOp();
      bool isOwn = isa_and_nonnull<ConstantOp>(maker) && isNamed(maker) &&
                   maker->getLoc() == op->getLoc();
      if (isFloatTensor(operand.getType()) && !isOwn)
        largest = std::max(largest, initializerMagnitude(operand).value_or(0));
    }
  return largest > limits.initMax
             ? exceeds("PS-autocast.initializer-range", largest, limits.initMax)
             : "";
}

std::string NodeRules::judgeValues(const Node &node) {
  std::string rule;
  auto ask = [&](StringRef verb, Value value) {
    std::optional<double> most;
    if (isFloatTensor(value.getType()))
      most = measuredMagnitude(value);
    anyRange |= most.has_value();
    if (rule.empty() && most.value_or(0) > limits.dataMax)
      rule = exceeds(("PS-autocast.io-range " + verb).str(), *most,
                     limits.dataMax);
  };
  for (Operation *op : node)
    for (Value operand : op->getOperands()) {
      Operation *maker = operand.getDefiningOp();
      if (!maker ||
          (!isa<ReadOp, ConstantOp>(maker) && !llvm::is_contained(node, maker)))
        ask("reads", operand);
    }
  for (Operation *op : node)
    for (Value result : op->getResults())
      if (isNodeResult(result, node))
        ask("gives", result);
  return rule;
}

std::string NodeRules::judgeDepth(const Node &node, StringRef type) const {
  // Sums inside of other nodes (a norm, a pooling) are not asked for.
  bool isAsked =
      type.empty() ||
      llvm::StringSwitch<bool>(type)
          .Cases({"Attention", "Conv", "CumSum", "Gemm", "MatMul", "ReduceL1",
                  "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMean",
                  "ReduceProd", "ReduceSum", "ReduceSumSquare"},
                 true)
          .Default(false);
  if (!isAsked)
    return "";
  double deepest = 0;
  for (Operation *op : node)
    deepest = std::max(deepest, sumDepth(op, type));
  return deepest > limits.maxDepthOfReduction
             ? exceeds("PS-autocast.depth-of-reduction", deepest,
                       limits.maxDepthOfReduction)
             : "";
}
