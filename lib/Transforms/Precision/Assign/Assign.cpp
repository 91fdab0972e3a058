//===- Assign.cpp - What the algorithms share -----------------------------===//

#include "Assign.h"
#include "../Slots.h"

using namespace mlir;

namespace amp {
namespace {

struct Named {
  AssignAlgorithm algorithm;
  StringLiteral name;
  Decisions (*run)(func::FuncOp, const AssignOptions &);
};

// Extended as algorithms come.
constexpr Named kAlgorithms[] = {
    {AssignAlgorithm::Greedy, "greedy", assignGreedy},
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

std::optional<Choice> fixedChoice(Operation *op, OpResult result) {
  auto precision = dyn_cast<PrecisionOpInterface>(op);
  auto type = tensorType(result);
  if (!precision || precision.isWideResult(result.getResultNumber()) ||
      isa<ReadOp, ConstantOp>(op))
    return Choice{false, "WD-float32-slot"};
  if (!type.getElementType().isF32() ||
      (isa<CastOp>(op) && cast<CastOp>(op).getUser()))
    return Choice{false, "US-source-type"};
  if (type.getNumElements() <= 1)
    return Choice{false, "SC-scalar"};
  return std::nullopt;
}

Decisions decideInOrder(func::FuncOp function, const AssignOptions &options,
                        function_ref<Choice(Operation *, OpResult)> choose,
                        function_ref<bool(Operation *)> computesLow) {
  Type f32 = Float32Type::get(function.getContext());
  Decisions decisions;
  for (Operation &op : function.getBody().front()) {
    if (!llvm::any_of(op.getResultTypes(), isFloatTensor))
      continue;
    Decision decision;
    for (OpResult result : op.getResults()) {
      auto tensor = dyn_cast<RankedTensorType>(result.getType());
      Type element = tensor ? tensor.getElementType() : result.getType();
      if (isFloatTensor(result.getType())) {
        Choice choice = choose(&op, result);
        if (choice.low)
          element = options.low;
        if (decision.rule.empty())
          decision.rule = choice.rule.str();
      }
      decision.storage.push_back(element);
    }
    decision.compute = computesLow(&op) ? Type(options.low) : f32;
    decisions.insert({&op, std::move(decision)});
  }
  return decisions;
}

} // namespace amp
