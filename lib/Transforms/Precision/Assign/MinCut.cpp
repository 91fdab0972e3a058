//===- MinCut.cpp - Least bytes moved -------------------------------------===//

#include "../Cut/LocalMoves.h"
#include "../Forbid.h"
#include "CutBuilder.h"
#include "Flops.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace amp {

cut::Labels CutBuilder::labelsOf(const Decisions &decisions) const {
  cut::Labels labels;
  for (const cut::Variable &variable : problem.variables)
    labels.push_back(variable.fixed.value_or(widest()));
  for (auto [value, variable] : storage)
    if (auto result = dyn_cast<OpResult>(value))
      if (auto it = decisions.find(result.getOwner()); it != decisions.end())
        labels[variable] =
            labelOf(it->second.storage[result.getResultNumber()]);
  for (auto [op, variable] : compute)
    if (auto it = decisions.find(op); it != decisions.end())
      labels[variable] = labelOf(it->second.compute);
  return labels;
}

std::string CutBuilder::ruleOf(OpResult result,
                               const cut::Labels &labels) const {
  Operation *op = result.getOwner();
  if (auto fixed = fixedChoice(op, result))
    return fixed->rule.str();
  bool wide = labels[storage.lookup(result)] == widest();
  if (wide && isForbidden(op, 0))
    return amp::ruleOf(forbidReason(op, types[0])).str();
  cut::Label label = labels[storage.lookup(result)];
  if (effectiveClass(op) == PrecisionClass::Transparent &&
      op->getNumOperands()) {
    auto source = storage.find(op->getOperand(0));
    if (source == storage.end() || labels[source->second] == label)
      return "TR-as-operand";
  }
  // Where the local rules decide alike, theirs is the simpler reason.
  auto local = greedy.find(op);
  if (local != greedy.end() &&
      labelOf(local->second.storage[result.getResultNumber()]) == label)
    return local->second.rule;
  // Nothing moves: the type is that of a cast in front of it or behind.
  if (isAlias(op))
    return "TR-cast-hoisted";
  if (auto own = compute.find(op);
      own != compute.end() && wide && labels[own->second] == widest())
    return "PF-not-profitable";
  return "CU-fewer-bytes";
}

Decisions CutBuilder::decisionsOf(const cut::Labels &labels) const {
  cut::LocalMoves local(problem);
  cut::Labels scratch = labels;
  Type f32 = types.back();
  Decisions decisions;
  for (Operation &op : function.getBody().front()) {
    if (!llvm::any_of(op.getResultTypes(), isFloatTensor))
      continue;
    Decision decision;
    decision.compute = f32;
    if (auto own = compute.find(&op); own != compute.end())
      decision.compute = types[labels[own->second]];
    for (OpResult result : op.getResults()) {
      auto tensor = dyn_cast<RankedTensorType>(result.getType());
      auto variable = storage.find(result);
      if (variable == storage.end()) {
        decision.storage.push_back(tensor ? tensor.getElementType()
                                          : result.getType());
        if (decision.rule.empty() && isFloatTensor(result.getType()))
          decision.rule = "US-source-type";
        continue;
      }
      decision.storage.push_back(types[labels[variable->second]]);
      if (!decision.rule.empty())
        continue;
      decision.rule = ruleOf(result, labels);
      bool wide = labels[variable->second] == widest();
      if (decision.rule == "CU-fewer-bytes") {
        cut::Cost more =
            local.change(scratch, variable->second, wide ? 0 : widest());
        decision.evidence = llvm::formatv("{0} would cost {1} bytes more",
                                          wide ? types[0] : types.back(), more);
      } else if (StringRef(decision.rule).starts_with("RG-")) {
        decision.evidence = forbidReason(&op, types[0]).str();
      }
    }
    if (auto own = compute.find(&op);
        own != compute.end() && weights.profitable && flopsOf(&op) &&
        !problem.variables[own->second].fixed &&
        labels[own->second] == widest() && !isForbidden(&op, 0)) {
      decision.rule = "PF-not-profitable";
      decision.evidence = llvm::formatv(
          "not profitable: {0} operations do not pay for the casts",
          flopsOf(&op));
    }
    decisions.insert({&op, std::move(decision)});
  }
  return decisions;
}

Decisions assignMinCut(func::FuncOp function, const AssignOptions &options) {
  CutWeights weights = kCutWeights;
  weights.profitable = options.profitable;
  CutBuilder builder(function, options, weights);
  auto best = cut::solve(builder.getProblem());
  // Nothing is tied that is fixed to different types; but if ever, the local
  // rules have an answer.
  return best ? builder.decisionsOf(best->labels)
              : assignGreedy(function, options);
}

PredictedBytes predictBytes(func::FuncOp function, const AssignOptions &options,
                            const Decisions &decisions) {
  CutWeights bytesOnly;
  bytesOnly.profitable = options.profitable;
  CutBuilder builder(function, options, bytesOnly);
  auto predict = [&](const Decisions &made) {
    const cut::Problem &problem = builder.getProblem();
    cut::Cost cost =
        cut::evaluate(problem, builder.simplified(builder.labelsOf(made)));
    // What an assignment breaks (a preset that rounds what ranges forbid) is
    // no bytes.
    return builder.getFixedBytes() + cost % cut::kForbidden;
  };
  AssignOptions wide = options;
  wide.low = Float32Type::get(function.getContext());
  wide.second = {};
  CutBuilder float32(function, wide, bytesOnly);
  const cut::Problem &problem = float32.getProblem();
  cut::Labels labels(problem.variables.size(), 0);
  int64_t all = float32.getFixedBytes() + cut::evaluate(problem, labels);
  return {predict(decisions), predict(assignGreedy(function, options)), all};
}

} // namespace amp
