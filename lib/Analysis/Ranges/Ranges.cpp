//===- Ranges.cpp - What is known about the values of a graph -------------===//

#include "amp/Analysis/Ranges.h"
#include "Transfer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

static const ValueFacts kUnknown;

const ValueFacts &Facts::get(Value value) const {
  auto found = ranges.find(value);
  return found == ranges.end() ? kUnknown : found->second;
}

void Facts::set(Value value, Interval bounds, const Twine &why) {
  ValueFacts facts;
  facts.bounds = bounds;
  facts.why = why.str();
  ranges[value] = std::move(facts);
}

Origin ranges::originOf(mlir::ValueRange operands, const Facts &facts) {
  Origin origin = Origin::Fixed;
  for (Value operand : operands)
    origin = std::max(origin, facts.get(operand).origin);
  return origin;
}

void ranges::addBias(ValueFacts &known, Value bias, const Facts &facts) {
  if (!bias)
    return;
  const ValueFacts &shift = facts.get(bias);
  Interval most = shift.expected();
  if (!most.isEmpty()) {
    Interval before = known.expected();
    known.reach = before.isEmpty() ? most : add(before, most);
    if (!known.bounds.isFinite())
      known.why += ", and a bias in " + most.text();
  }
  known.bounds = add(known.bounds, shift.bounds);
}

ValueFacts ranges::merged(ArrayRef<ValueFacts> parts) {
  ValueFacts result = parts.front();
  for (const ValueFacts &part : parts.drop_front()) {
    result.bounds = hull(result.bounds, part.bounds);
    result.reach = hull(result.reach, part.reach);
    result.whole &= part.whole;
    result.constant &= part.constant;
    result.origin = std::max(result.origin, part.origin);
  }
  // What is bounded on one path occurs, even if the other path is unknown.
  if (!result.bounds.isFinite())
    for (const ValueFacts &part : parts)
      result.reach = hull(result.reach, part.expected());
  if (parts.size() > 1)
    for (const ValueFacts &part : parts.drop_front())
      if (!part.why.empty() && part.why != result.why)
        result.why += (result.why.empty() ? "" : ", ") + part.why;
  constexpr size_t kLongest = 120;
  if (result.why.size() > kLongest)
    result.why.resize(kLongest);
  return result;
}

/// What is known of a constant.
static ValueFacts constantFacts(const ConstantStats &stats, const Twine &why) {
  ValueFacts facts;
  if (!stats.finite.isEmpty())
    facts.bounds = stats.finite;
  if (stats.negativeInfinity)
    facts.bounds.lo = Interval().lo;
  if (stats.positiveInfinity)
    facts.bounds.hi = Interval().hi;
  if (stats.finite.isEmpty() &&
      stats.negativeInfinity != stats.positiveInfinity)
    facts.bounds =
        Interval::of(stats.negativeInfinity ? Interval().lo : Interval().hi);
  facts.reach = stats.finite;
  facts.whole = stats.whole && stats.count > 0;
  facts.constant = true;
  facts.origin = Origin::Fixed;
  // A table of whole numbers that bf16 cannot tell apart is one of positions.
  constexpr double kExactInBF16 = 256;
  if (facts.whole && stats.varied && stats.finite.magnitude() > kExactInBF16)
    facts.origin = Origin::Counts;
  facts.why = why.str();
  return facts;
}

RangeAnalysis::RangeAnalysis(ModuleOp module) {
  for (auto variable : module.getOps<VariableOp>()) {
    if (variable.getTrained())
      trained.insert(variable.getSymName());
    bool isWeight = variable.getKind() == VariableKind::Parameter ||
                    variable.getKind() == VariableKind::Buffer;
    ElementsAttr init = variable.getInitAttr();
    if (!isWeight || !init)
      continue;
    if (auto stats = constantStats(init))
      initials[variable.getSymName()] = *stats;
  }
  for (auto function : module.getOps<func::FuncOp>())
    function.walk([&](WriteOp write) { written.insert(write.getVariable()); });
}

const ConstantStats *RangeAnalysis::initial(StringRef variable) const {
  auto found = initials.find(variable);
  return found == initials.end() ? nullptr : &found->second;
}

ValueFacts RangeAnalysis::readVariable(StringAttr symbol) const {
  const ConstantStats *stats = initial(symbol);
  if (!stats)
    return {};
  ValueFacts facts =
      constantFacts(*stats, "initial values of " + symbol.getValue());
  if (trained.contains(symbol) || written.contains(symbol)) {
    // Training changes them, and nothing is proven.
    facts.bounds = Interval::all();
    facts.constant = facts.whole = false;
    facts.origin = Origin::Data;
  }
  return facts;
}

const ValueFacts &RangeAnalysis::operator[](Value value) const {
  auto found = ranges.find(value);
  return found == ranges.end() ? kUnknown : found->second;
}

static bool transfer(Operation *op, Facts &facts) {
  for (auto family : {transferElementwise, transferUnary, transferLinear,
                      transferConv, transferPool, transferNorm, transferSoftmax,
                      transferReduce, transferShape, transferIndex,
                      transferLoss, transferAttention, transferRandom})
    if (family(op, facts))
      return true;
  return false;
}

void RangeAnalysis::run(Block &block) {
  Facts facts(ranges);
  for (Value argument : block.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || ranges.contains(argument))
      continue;
    auto integer = dyn_cast<IntegerType>(type.getElementType());
    ValueFacts known;
    known.bounds = stored(Interval::all(), type.getElementType());
    if (integer) {
      known.whole = true;
      known.origin = integer.getWidth() == 1 ? Origin::Data : Origin::Counts;
    }
    known.why = integer ? "integers" : "";
    facts.set(argument, std::move(known));
  }
  for (Operation &op : block) {
    if (auto read = dyn_cast<ReadOp>(op)) {
      facts.set(read.getResult(),
                readVariable(read.getVariableAttr().getAttr()));
    } else if (auto constant = dyn_cast<ConstantOp>(op)) {
      if (auto stats = constantStats(constant.getValueAttr()))
        facts.set(constant.getResult(), constantFacts(*stats, "constant"));
    } else {
      transfer(&op, facts);
    }
    for (Value result : op.getResults()) {
      auto type = dyn_cast<RankedTensorType>(result.getType());
      if (!type)
        continue;
      ValueFacts known = facts.get(result);
      known.bounds = stored(known.bounds, type.getElementType());
      known.whole |= isa<IntegerType>(type.getElementType());
      facts.set(result, std::move(known));
    }
    if (afterOp)
      afterOp(&op);
  }
}
