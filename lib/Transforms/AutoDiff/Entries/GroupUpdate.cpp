//===- GroupUpdate.cpp - Check and update of optimizers -------------------===//
//
// Each optimizer has a check, a learning rate and a count of updates of its
// own. Where losses have scales of their own, a flag is taken of every loss's
// gradients before they are added: the scale of a loss depends on no other.
//
//===----------------------------------------------------------------------===//

#include "EntryWriter.h"
#include "amp/Dialect/Amp/IR/TrainingAttrs.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace amp;

/// What is known of the gradients of a group.
struct EntryWriter::Check {
  Value finite, norm;
  /// The loss whose scale is on them, or an empty text.
  StringRef scaleOf;
  /// One for each parameter of the group.
  SmallVector<Value> gradients;
};

/// Scalars of a step that do not come from its gradients.
struct EntryWriter::Common {
  Value schedule, bound, scale;
};

/// Marks an op that unscales; see kScaleOfAttr.
static void markScale(Operation *op, StringRef scaleOf) {
  if (!scaleOf.empty())
    op->setAttr(kScaleOfAttr, StringAttr::get(op->getContext(), scaleOf));
}

static Value both(OpBuilder &builder, Location loc, Value a, Value b) {
  return a ? Value(AndOp::create(builder, loc, a.getType(), a, b)) : b;
}

Value EntryWriter::unscaledSum(OpBuilder &builder, VariableOp parameter,
                               ArrayRef<Value> gradients, Value scale) {
  SmallVector<Value> parts;
  auto name = NameLoc::get(parameter.getSymNameAttr());
  Location loc = phaseLocation(name, Phase::Update);
  for (auto [term, gradient] : llvm::zip_equal(terms, gradients)) {
    if (term.parameter != parameter)
      continue;
    auto unscaled = UnscaleOp::create(
        builder, loc, withElement(gradient.getType(), builder.getF32Type()),
        gradient, scale);
    markScale(unscaled, term.scaleOf);
    parts.push_back(unscaled);
  }
  if (parts.size() == 1)
    return parts.front();
  return FanInSumOp::create(builder, loc, parts.front().getType(), parts,
                            builder.getF32Type());
}

EntryWriter::Check EntryWriter::checkGroup(OpBuilder &builder,
                                           const OptimizerGroup &group,
                                           ArrayRef<Value> gradients,
                                           Value scale) {
  Location loc = updateLoc("update");
  auto flag = RankedTensorType::get({}, builder.getI1Type());
  Check check;
  auto append = [&](ValueRange values, StringRef scaleOf) {
    auto op = CheckGradientsOp::create(builder, loc, flag, scalarType(), values,
                                       scale, builder.getF32Type());
    markScale(op, scaleOf);
    check.finite = both(builder, loc, check.finite, op.getFinite());
    check.norm = op.getNorm();
  };
  llvm::MapVector<StringRef, SmallVector<Value>> byScale;
  for (auto [term, gradient] : llvm::zip_equal(terms, gradients))
    if (llvm::is_contained(group.parameters, term.parameter))
      byScale[term.scaleOf].push_back(gradient);
  if (byScale.size() == 1) {
    check.scaleOf = byScale.front().first;
    check.gradients = byScale.front().second;
    append(check.gradients, check.scaleOf);
    return check;
  }
  for (auto &[scaleOf, values] : byScale)
    append(values, scaleOf);
  for (VariableOp parameter : group.parameters)
    check.gradients.push_back(
        unscaledSum(builder, parameter, gradients, scale));
  append(check.gradients, "");
  return check;
}

/// The groups become parts of one optimizer: one flag, one norm.
void EntryWriter::shareChecks(OpBuilder &builder, MutableArrayRef<Check> checks,
                              Value finite) {
  Location loc = updateLoc("update");
  Value squares;
  for (Check &check : checks) {
    Value square = MulOp::create(builder, loc, check.norm, check.norm);
    squares = squares ? AddOp::create(builder, loc, squares, square) : square;
  }
  Value norm = SqrtOp::create(builder, loc, squares);
  for (Check &check : checks) {
    check.finite = finite;
    check.norm = norm;
  }
}

/// Updates the parameters; gives the learning rate.
Value EntryWriter::stepGroup(FunctionDraft &draft, OpBuilder &builder,
                             OptimizerGroup &group, const Check &check,
                             const Common &common) {
  Value applied = draft.read(group.applied);
  Value lr = LearningRateOp::create(builder, updateLoc("update"), scalarType(),
                                    applied, common.schedule);
  const OptimizerSpec &spec = *group.spec;
  DictionaryAttr config = spec.config(builder.getContext());
  for (auto [parameter, gradient] :
       llvm::zip_equal(group.parameters, check.gradients)) {
    SmallVector<VariableOp> moments = state.moments(parameter, spec);
    SmallVector<Value> states;
    for (VariableOp moment : moments)
      states.push_back(draft.read(moment));
    auto step = OptimizerStepOp::create(
        builder, phaseLocation(parameter.getLoc(), Phase::Update),
        parameter.getType(), TypeRange(ValueRange(states)), TypeRange(),
        draft.read(parameter), gradient, lr, common.scale, check.norm,
        common.bound, check.finite, applied, Value(), states, spec.kind,
        rules.clip, config);
    markScale(step, check.scaleOf);
    draft.getWrites()[parameter.getSymNameAttr()] = step.getNewParam();
    for (auto [moment, value] : llvm::zip_equal(moments, step.getNewStates()))
      draft.getWrites()[moment.getSymNameAttr()] = value;
  }
  if (group.applied != state.applied) {
    Location loc = updateLoc("update");
    Value next =
        AddOp::create(builder, loc, applied, integerConstant(builder, loc, 1));
    draft.getWrites()[group.applied.getSymNameAttr()] = SelectOp::create(
        builder, loc, applied.getType(), check.finite, next, applied);
  }
  return lr;
}

Value EntryWriter::appendUpdate(FunctionDraft &draft, OpBuilder &builder,
                                ArrayRef<OptimizerGroup *> active,
                                ArrayRef<Value> gradients, Value others) {
  Location loc = updateLoc("update");
  auto vector = RankedTensorType::get({8}, builder.getF32Type());
  SmallVector<Common> common;
  Value scale = one(builder);
  for (OptimizerGroup *group : active)
    common.push_back(
        {draft.addArgument(vector, group->key("schedule"), roles::kSchedule),
         {},
         scale});
  Value bound = draft.addArgument(scalarType(), "clip", roles::kClip);
  SmallVector<Check> checks;
  llvm::SetVector<StringRef> scales;
  Value finite;
  for (OptimizerGroup *group : active) {
    checks.push_back(checkGroup(builder, *group, gradients, scale));
    finite = both(builder, loc, finite, checks.back().finite);
    for (const GradientTerm &term : terms)
      if (llvm::is_contained(group->parameters, term.parameter))
        scales.insert(term.scaleOf);
  }
  auto found = [&](Value flag) -> Value {
    Value bad = NotOp::create(builder, loc, flag);
    return CastOp::create(builder, loc, scalarType(), bad);
  };
  SmallVector<Value> ownFlags, ownNorms;
  for (const Check &check : checks) {
    ownFlags.push_back(check.finite);
    ownNorms.push_back(check.norm);
  }
  if (rules.skipAll && checks.size() > 1)
    shareChecks(builder, checks, finite);
  Value own = finite;
  if (others) {
    finite = both(builder, loc, finite, others);
    for (Check &check : checks)
      check.finite = check.finite == own
                         ? finite
                         : both(builder, loc, check.finite, others);
  }
  SmallVector<Value> rates;
  for (auto [group, check, scalars] : llvm::zip_equal(active, checks, common)) {
    scalars.bound = bound;
    rates.push_back(stepGroup(draft, builder, *group, check, scalars));
  }

  auto report = [&](const Twine &name, Value value) {
    draft.addResult(value, name.str(), roles::kMetric);
  };
  bool named = !active.front()->name().empty();
  if (!named)
    report("grad_norm", ownNorms.front());
  report("found_inf", found(own));
  for (StringRef loss : scales)
    report(loss.empty() ? Twine("loss_scale") : "loss_scale/" + loss, scale);
  if (!named) {
    report("lr", rates.front());
    return finite;
  }
  for (auto [i, group] : llvm::enumerate(active)) {
    report(group->key("grad_norm"), ownNorms[i]);
    report(group->key("found_inf"), found(ownFlags[i]));
    report(group->key("lr"), rates[i]);
  }
  return finite;
}
