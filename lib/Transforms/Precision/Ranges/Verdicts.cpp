//===- Verdicts.cpp - Which values a low type cannot hold -----------------===//

#include "Verdicts.h"
#include "../Forbid.h"
#include "../Slots.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace amp;
using namespace amp::ranges;

std::string amp::ranges::shown(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.6g", number);
  return text;
}

bool amp::ranges::movesElements(Operation *op) {
  if (auto cast = dyn_cast_or_null<CastOp>(op))
    return isFloatTensor(cast.getX().getType()) &&
           cast.getX().getType() == cast.getResult().getType();
  return isa_and_nonnull<ReshapeOp, TransposeOp, BroadcastOp, SliceOp,
                         RelayoutOp, StridedCopyOp, GatherOp>(op);
}

Value Verdicts::rootOf(Value value) const {
  auto found = roots.find(value);
  return found == roots.end() ? value : found->second;
}

void Verdicts::markComputed(Value value, const Reason &reason) {
  Operation *maker = rootOf(value).getDefiningOp();
  if (!maker || isa<ReadOp, ConstantOp>(maker) ||
      !(maker->hasTrait<Broadcasting>() || isa<SoftmaxOp>(maker)))
    return;
  markMoved(value, reason);
  mark(rootOf(value), reason);
}

void Verdicts::markMoved(Value value, const Reason &reason) {
  for (Value root = rootOf(value); value != root;
       value = value.getDefiningOp()->getOperand(0))
    mark(value, reason);
}

void Verdicts::markOperands(Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (operandSlot(operand) != Slot::Low ||
        !isa_and_nonnull<ReadOp, ConstantOp>(rootOf(value).getDefiningOp()))
      continue;
    Reason reason = forbids(op);
    for (; !reason.empty() && value != rootOf(value) && value.hasOneUse();
         value = value.getDefiningOp()->getOperand(0))
      mark(value, reason);
  }
}

/// Counts what the type loses of an initializer. The error counts what is below
/// the least normal number; above it rounding is as fine as it ever is.
static WeightLoss measure(ElementsAttr value, const LowType &type) {
  WeightLoss loss;
  double lost = 0, total = 0;
  int64_t seen = 0;
  forEachElement(value, [&](double number) {
    ++seen;
    double size = std::fabs(number);
    if (!(size > 0) || std::isinf(size))
      return;
    loss.largest = std::max(loss.largest, size);
    total += number * number;
    if (size >= type.overflows) {
      ++loss.above;
    } else if (size < type.leastNormal) {
      loss.below += size <= type.vanishes;
      double off = number - type.rounded(number);
      lost += off * off;
    }
  });
  // A splat shows its element once.
  if (seen == 1) {
    int64_t count = value.getNumElements();
    loss.above *= count;
    loss.below *= count;
  }
  loss.error = total > 0 ? std::sqrt(lost / total) : 0;
  return loss;
}

/// Largest relative error of a whole initializer that needs no care: that of
/// bf16.
static constexpr double kMostWeightError = 0x1p-8;

void Verdicts::judgeWeight(Operation *op) {
  Value value = op->getResult(0);
  ElementsAttr elements;
  std::string name;
  if (auto read = dyn_cast<ReadOp>(op)) {
    VariableOp variable = variables.lookup(read.getVariableAttr().getAttr());
    if (variable && (variable.getKind() == VariableKind::Parameter ||
                     variable.getKind() == VariableKind::Buffer)) {
      elements = variable.getInitAttr();
      name = variable.getSource().value_or(variable.getSymName()).str();
    }
  } else if (auto constant = dyn_cast<ConstantOp>(op)) {
    elements = constant.getValueAttr();
    name = "constant";
  }
  // Scalars are immediates of kernels and stay as they are.
  if (!elements || !isFloatTensor(value.getType()) ||
      tensorType(value).getNumElements() <= 1)
    return;
  auto known = isa<ReadOp>(op) ? losses.find(name) : losses.end();
  if (known == losses.end()) {
    WeightLoss loss = measure(elements, type);
    loss.name = name;
    // Constants have no name that would tell them apart.
    std::string key =
        isa<ReadOp>(op) ? name : "|" + std::to_string(losses.size());
    known = losses.insert({key, std::move(loss)}).first;
  }
  const WeightLoss &loss = known->second;
  if (!loss.above && loss.error <= kMostWeightError)
    return;
  weights[value] = &loss;
  mark(value, "RG-weight: initializer '" + loss.name + "' has " +
                  std::to_string(loss.above) + " of " +
                  std::to_string(elements.getNumElements()) +
                  " elements above " + shown(type.largest) + " and " +
                  std::to_string(loss.below) +
                  " that become 0; the largest is " + shown(loss.largest));
}

const WeightLoss *Verdicts::lossOf(Value value) const {
  auto found = weights.find(rootOf(value));
  return found == weights.end() ? nullptr : found->second;
}

void Verdicts::judge(Value value) {
  const ValueFacts &known = facts[value];
  Interval expected = known.expected();
  auto select = rootOf(value).getDefiningOp<SelectOp>();
  bool isClamped = select && selectsMask(select, facts);
  if (expected.magnitude() >= type.overflows && !isClamped)
    return mark(value, "RG-overflow: |x| <= " + shown(expected.magnitude()) +
                           " > " + shown(type.largest) +
                           (known.why.empty() ? "" : " (" + known.why + ")"));
  Interval bounds = known.bounds;
  if (bounds.isFinite() && bounds.magnitude() > 0 &&
      bounds.magnitude() < type.leastNormal)
    return mark(value, "RG-underflow: |x| <= " + shown(bounds.magnitude()) +
                           " < " + shown(type.leastNormal) +
                           (known.why.empty() ? "" : " (" + known.why + ")"));
  if (known.origin == Origin::Counts) {
    if (!bounds.isFinite())
      return mark(value, "RG-integers: integers of unknown size, exact to " +
                             shown(type.exactWhole) + " only");
    if (!known.whole)
      return mark(value, "RG-integers: computed from whole numbers, up to " +
                             shown(bounds.magnitude()));
    if (bounds.magnitude() > type.exactWhole)
      return mark(value, "RG-integers: whole numbers up to " +
                             shown(bounds.magnitude()) + " > " +
                             shown(type.exactWhole));
  }
  constexpr double kFewSteps = 8;
  double spread = bounds.hi - bounds.lo;
  if (bounds.isFinite() && spread > 0 && !bounds.contains(0) &&
      spread < kFewSteps * type.spacing(bounds.magnitude()))
    mark(value, "RG-resolution: values in " + bounds.text() + " are " +
                    shown(spread / type.spacing(bounds.magnitude())) +
                    " steps apart");
}

void Verdicts::run(Block &block) {
  if (auto module = block.getParentOp()->getParentOfType<ModuleOp>())
    for (auto variable : module.getOps<VariableOp>())
      variables[variable.getSymNameAttr()] = variable;
  for (Operation &op : block) {
    if (movesElements(&op))
      roots[op.getResult(0)] = rootOf(op.getOperand(0));
    if (isa<ReadOp, ConstantOp>(op)) {
      judgeWeight(&op);
      continue;
    }
    followEpsilon(&op);
    followSquares(&op);
    judgeAmplifiers(&op);
    followTotal(&op);
    judgeSum(&op);
    judgeDifference(&op);
    judgeMask(&op);
    judgeFactor(&op);
    judgeShift(&op);
    for (Value result : op.getResults()) {
      if (!isFloatTensor(result.getType()))
        continue;
      if (auto lost = weights.find(rootOf(result)); lost != weights.end())
        mark(result, reasons.lookup(rootOf(result)));
      judge(result);
    }
  }
  judgeCalibrated(block);
  for (Operation &op : block)
    markOperands(&op);
}

Reason Verdicts::forbids(Operation *op) const {
  if (isa<ReadOp, ConstantOp>(op))
    return {};
  for (OpResult result : op->getResults()) {
    if (!isFloatTensor(result.getType()) || isWideResult(result) ||
        !tensorType(result).getElementType().isF32())
      continue;
    auto found = reasons.find(result);
    if (found != reasons.end())
      return found->second;
  }
  for (OpOperand &operand : op->getOpOperands()) {
    if (operandSlot(operand) != Slot::Low)
      continue;
    auto found = reasons.find(operand.get());
    if (found != reasons.end())
      return found->second + ", read by operand " +
             std::to_string(operand.getOperandNumber());
  }
  return {};
}
