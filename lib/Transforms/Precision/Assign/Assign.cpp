//===- Assign.cpp - What the algorithms share -----------------------------===//

#include "Assign.h"
#include "../Forbid.h"
#include "../Slots.h"
#include "amp/Analysis/Uses.h"

using namespace mlir;

namespace amp {
namespace {

struct Named {
  AssignAlgorithm algorithm;
  StringLiteral name;
  Decisions (*run)(func::FuncOp, const AssignOptions &);
};

constexpr Named kAlgorithms[] = {
    {AssignAlgorithm::Greedy, "greedy", assignGreedy},
    {AssignAlgorithm::MinCut, "mincut", assignMinCut},
    {AssignAlgorithm::Paint, "paint", assignPaint},
    {AssignAlgorithm::Promote, "promote", assignPromote},
    {AssignAlgorithm::AllLow, "all-low", assignAllLow},
};

} // namespace

std::optional<AssignAlgorithm> parseAssignAlgorithm(StringRef name) {
  for (const Named &known : kAlgorithms)
    if (known.name == name)
      return known.algorithm;
  return std::nullopt;
}

StringRef assignAlgorithmName(AssignAlgorithm algorithm) {
  for (const Named &known : kAlgorithms)
    if (known.algorithm == algorithm)
      return known.name;
  return "";
}

std::string assignAlgorithmNames() {
  std::string names;
  for (const Named &known : kAlgorithms)
    names += (names.empty() ? "" : ", ") + known.name.str();
  return names;
}

Decisions assign(AssignAlgorithm algorithm, func::FuncOp function,
                 const AssignOptions &options) {
  for (const Named &known : kAlgorithms)
    if (known.algorithm == algorithm)
      return known.run(function, options);
  llvm_unreachable("every algorithm is in the table");
}

/// The low type that the module is compiled for; null before assignment.
static Type lowTypeOf(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  auto low =
      module ? module->getAttrOfType<TypeAttr>("amp.precision") : TypeAttr();
  return low ? low.getValue() : Type();
}

/// The operand ends in state: written, or a gradient or state that leaves.
static bool isStateSink(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<WriteOp, OptimizerStepOp, CheckGradientsOp, AccumulateGradientOp,
          UnscaleOp>(op))
    return true;
  if (!isa<func::ReturnOp>(op))
    return false;
  auto role =
      op->getParentOfType<func::FuncOp>().getResultAttrOfType<StringAttr>(
          use.getOperandNumber(), kRoleAttr);
  return role && (role == "gradient" || role == "state");
}

/// The value is the gradient of a parameter, or a part of one: it is moved and
/// summed until it ends in state.
static bool isParameterGradient(Value value) {
  return !value.use_empty() && allUses(value, [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isStateSink(use))
      return UseKind::Fits;
    auto cast = dyn_cast<CastOp>(user);
    bool moves = isa<CastOp, ReshapeOp, TransposeOp, FanInSumOp>(user) &&
                 !(cast && cast.getUser()) && !user->use_empty();
    return moves ? UseKind::Passes : UseKind::Fails;
  });
}

std::optional<Choice> fixedChoice(Operation *op, OpResult result) {
  auto type = tensorType(result);
  bool known = isa<PrecisionOpInterface>(op) || op->hasAttr(kPolicyAttr);
  if (!known || isWideResult(result) || isa<ReadOp, ConstantOp>(op))
    return Choice{false, "WD-float32-slot"};
  if (!type.getElementType().isF32() ||
      (isa<CastOp>(op) && cast<CastOp>(op).getUser()))
    return Choice{false, "US-source-type"};
  if (type.hasStaticShape() && type.getNumElements() <= 1)
    return Choice{false, "SC-scalar"};
  if (Type wanted = forcedStorage(result))
    return Choice{!wanted.isF32(), policyRule(op)};
  // A product that is forced low reads low; a gradient of a parameter leaves it
  // in float32 all the same.
  if (isForced(op) && isParameterGradient(result))
    return Choice{false, "ST-state"};
  if (isForced(op))
    return Choice{policyClass(op) == PolicyClass::Allow, policyRule(op)};
  // What a range rules out is float32, whatever the lists say.
  if (StringRef reason = forbidReason(op, lowTypeOf(op)); !reason.empty())
    return Choice{false, ruleOf(reason)};
  return std::nullopt;
}

Decisions decideInOrder(func::FuncOp function, const AssignOptions &options,
                        function_ref<Choice(Operation *, OpResult)> choose,
                        function_ref<bool(Operation *, bool)> computesLow) {
  Type f32 = Float32Type::get(function.getContext());
  Decisions decisions;
  for (Operation &op : function.getBody().front()) {
    if (!llvm::any_of(op.getResultTypes(), isFloatTensor))
      continue;
    Decision decision;
    // The user's word goes before what ranges say.
    FloatType permitted =
        isForced(&op) ? options.low : permittedType(&op, options.low);
    bool anyLow = false, anyWide = false;
    for (OpResult result : op.getResults()) {
      auto tensor = dyn_cast<RankedTensorType>(result.getType());
      Type element = tensor ? tensor.getElementType() : result.getType();
      if (isFloatTensor(result.getType())) {
        Choice choice = choose(&op, result);
        if (choice.low)
          element = options.low;
        else if (choice.rule.starts_with("RG-"))
          element = permitted;
        (choice.low ? anyLow : anyWide) |= !isWideResult(result);
        if (decision.rule.empty())
          decision.rule = choice.rule.str();
        if (choice.rule.starts_with("RG-"))
          decision.evidence = forbidReason(&op, options.low).str();
      }
      decision.storage.push_back(element);
    }
    decision.compute =
        computesLow(&op, anyLow && !anyWide) ? Type(permitted) : f32;
    decisions.insert({&op, std::move(decision)});
  }
  return decisions;
}

DenseSet<Value> stateValues(func::FuncOp function) {
  DenseSet<Value> state;
  for (Operation &op : llvm::reverse(function.getBody().front())) {
    if (isa<ReadOp, ConstantOp>(op))
      continue;
    for (OpResult result : op.getResults()) {
      if (!isFloatTensor(result.getType()) || result.use_empty())
        continue;
      bool only = llvm::all_of(result.getUses(), [&](OpOperand &use) {
        Operation *user = use.getOwner();
        return isStateSink(use) ||
               (!isContraction(user) && user->getNumResults() > 0 &&
                llvm::all_of(user->getResults(),
                             [&](Value next) { return state.contains(next); }));
      });
      if (only)
        state.insert(result);
    }
  }
  return state;
}

bool computesLow(Operation *op, bool resultsLow) {
  if (!isContraction(op) && isa<PrecisionOpInterface>(op))
    return false;
  switch (policyClass(op)) {
  case PolicyClass::Allow:
    return true;
  case PolicyClass::Keep:
  case PolicyClass::Block:
    return false;
  default:
    return resultsLow;
  }
}

} // namespace amp
