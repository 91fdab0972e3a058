//===- DifferentiatePass.cpp - @loss becomes @backward --------------------===//

#include "ExpandGradients.h"
#include "FunctionDraft.h"
#include "amp/Dialect/Amp/IR/TrainingAttrs.h"
#include "amp/Transforms/AutoDiff/Differentiate.h"
#include "amp/Transforms/AutoDiff/OptimizerSpec.h"
#include "amp/Transforms/AutoDiff/Passes.h"
#include "amp/Transforms/AutoDiff/Phase.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_DIFFERENTIATEPASS
#include "amp/Transforms/AutoDiff/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// The gradients of some losses with respect to some variables.
struct BackwardPass {
  SmallVector<unsigned> losses, sources;
};

/// A loss and where its gradients begin.
struct Loss {
  StringRef name;
  Value value, seed;
};

class DifferentiatePass
    : public amp::impl::DifferentiatePassBase<DifferentiatePass> {
public:
  using DifferentiatePassBase::DifferentiatePassBase;

  void runOnOperation() override {
    if (failed(makeBackward()))
      signalPassFailure();
  }

private:
  LogicalResult makeBackward();
  LogicalResult findGroups();
  FailureOr<SmallVector<Loss>> findLosses(FunctionDraft &draft);
  SmallVector<BackwardPass> planPasses(ArrayRef<Loss> losses);
  LogicalResult appendGradients(FunctionDraft &draft);
  LogicalResult reportMissing(ArrayRef<bool> reached);

  SmallVector<OptimizerSpec, 1> groups;
  SmallVector<VariableOp> trained;
  /// Index of the optimizer of each trained variable.
  SmallVector<unsigned> groupOf;
};

} // namespace

/// Without a text of the optimizers there is one, and it minimises the sum.
LogicalResult DifferentiatePass::findGroups() {
  ModuleOp module = getOperation();
  groups.assign(1, OptimizerSpec());
  if (auto text = module->getAttrOfType<StringAttr>(kOptimizerAttr)) {
    auto parsed = OptimizerSpec::parseAll(text.getValue());
    if (!parsed)
      return module.emitError(llvm::toString(parsed.takeError()));
    groups = *parsed;
  }
  for (auto variable : module.getOps<VariableOp>()) {
    if (!variable.getTrained())
      continue;
    auto name = variable->getAttrOfType<StringAttr>(kGroupAttr);
    auto *group = llvm::find_if(groups, [&](const OptimizerSpec &group) {
      return group.name == (name ? name.getValue() : "");
    });
    if (group == groups.end())
      return variable.emitError("parameter '")
             << userName(variable) << "' belongs to no optimizer; "
             << "amp-group-parameters assigns them";
    trained.push_back(variable);
    groupOf.push_back(group - groups.begin());
  }
  if (trained.empty())
    return module.emitError("there is nothing to train: no parameter of the "
                            "model is trained");
  return success();
}

FailureOr<SmallVector<Loss>>
DifferentiatePass::findLosses(FunctionDraft &draft) {
  SmallVector<DraftResult> results = draft.sourceResults(roles::kNamedLoss);
  bool named = !results.empty();
  if (!named)
    results = draft.sourceResults(roles::kLoss);
  if (!named && results.size() != 1)
    return draft.getFunction().emitError("expected one result with the role "
                                         "loss, got ")
           << results.size();
  SmallVector<Loss> losses;
  auto scalar = RankedTensorType::get({}, Float32Type::get(&getContext()));
  for (const DraftResult &result : results) {
    if (result.value.getType() != scalar)
      return draft.getFunction().emitError("expected a loss of type ")
             << scalar << ", got " << result.value.getType();
    StringRef name = named ? result.name().split('/').second : StringRef();
    losses.push_back({name, result.value, {}});
  }
  return losses;
}

/// One pass a loss where each has a scale of its own, else one a set of losses:
/// what an optimizer minimises is differentiated as a whole.
SmallVector<BackwardPass> DifferentiatePass::planPasses(ArrayRef<Loss> losses) {
  SmallVector<BackwardPass> passes;
  for (unsigned source = 0; source < trained.size(); ++source) {
    const OptimizerSpec &group = groups[groupOf[source]];
    SmallVector<unsigned> wanted;
    for (auto [i, loss] : llvm::enumerate(losses))
      if (group.losses.empty() || llvm::is_contained(group.losses, loss.name))
        wanted.push_back(i);
    auto add = [&](ArrayRef<unsigned> set) {
      auto *found = llvm::find_if(
          passes, [&](BackwardPass &pass) { return pass.losses == set; });
      if (found == passes.end())
        found = passes.insert(passes.end(), {SmallVector<unsigned>(set), {}});
      found->sources.push_back(source);
    };
    if (!separate)
      add(wanted);
    else
      for (unsigned loss : wanted)
        add(loss);
  }
  return passes;
}

LogicalResult DifferentiatePass::appendGradients(FunctionDraft &draft) {
  SmallVector<Value> reads;
  for (VariableOp variable : trained)
    reads.push_back(draft.read(variable));
  markPhase(draft.getBlock(), Phase::Forward);
  FailureOr<SmallVector<Loss>> losses = findLosses(draft);
  if (failed(losses))
    return failure();

  PhaseMarker marker(Phase::Backward);
  OpBuilder builder(&getContext(), &marker);
  builder.setInsertionPointToEnd(&draft.getBlock());
  draft.keepSourceResults();
  SmallVector<SmallVector<DraftResult>> results(trained.size());
  for (const BackwardPass &pass : planPasses(*losses)) {
    SmallVector<GradientSeed> seeds;
    SmallVector<Value> sources;
    for (unsigned i : pass.losses) {
      Loss &loss = (*losses)[i];
      if (!loss.seed)
        loss.seed = SeedGradientOp::create(
            builder, phaseLocation(loss.value.getLoc(), Phase::Backward),
            loss.value.getType(), Value(),
            loss.name.empty() ? StringAttr()
                              : builder.getStringAttr(loss.name));
      seeds.push_back({loss.value, loss.seed});
    }
    for (unsigned source : pass.sources)
      sources.push_back(reads[source]);
    FailureOr<SmallVector<Value>> gradients =
        differentiate(draft.getBlock(), builder, seeds, sources);
    if (failed(gradients))
      return failure();
    StringRef scaleOf =
        separate ? (*losses)[pass.losses.front()].name : StringRef();
    for (auto [source, gradient] : llvm::zip_equal(pass.sources, *gradients))
      if (gradient)
        results[source].push_back(draft.gradientResult(
            gradient, trained[source].getSymName(), scaleOf));
  }
  SmallVector<bool> reached;
  for (auto &own : results) {
    reached.push_back(!own.empty());
    for (const DraftResult &result : own)
      draft.addResult(result);
  }
  return reportMissing(reached);
}

/// A parameter without gradient is a mistake, unless no parameter of its
/// optimizer has one: such an optimizer has nothing to do.
LogicalResult DifferentiatePass::reportMissing(ArrayRef<bool> reached) {
  SmallVector<bool> idle(groups.size(), true);
  for (auto [group, is] : llvm::zip_equal(groupOf, reached))
    idle[group] = idle[group] && !is && !groups[group].name.empty();
  if (llvm::none_of(reached, [](bool is) { return is; }))
    idle.assign(groups.size(), false);
  bool complete = true;
  for (auto [i, variable] : llvm::enumerate(trained)) {
    if (reached[i])
      continue;
    const OptimizerSpec &group = groups[groupOf[i]];
    if (idle[groupOf[i]]) {
      variable.setTrained(false);
      variable.setReason("no loss of its optimizer '" + group.name +
                         "' depends on it");
      variable.emitWarning("parameter '")
          << userName(variable) << "' is not updated: no loss of the "
          << "optimizer '" << group.name << "' depends on it";
      continue;
    }
    complete = false;
    InFlightDiagnostic error = variable.emitError("parameter '")
                               << userName(variable)
                               << "' is trained but gets no gradient: no path "
                               << "from the loss leads to it; freeze it with "
                               << "--freeze '" << userName(variable) << "'";
    if (!group.losses.empty())
      error << " (its optimizer '" << group.name << "' minimises '"
            << llvm::join(group.losses, "', '") << "')";
  }
  return success(complete);
}

LogicalResult DifferentiatePass::makeBackward() {
  ModuleOp module = getOperation();
  auto loss = module.lookupSymbol<func::FuncOp>("loss");
  if (!loss)
    return module.emitError("there is no function @loss to differentiate; "
                            "amp-attach-loss makes one");
  if (module.lookupSymbol("backward"))
    return module.emitError("there is a function @backward already");
  if (failed(FunctionDraft::checkForm(loss)))
    return failure();
  if (failed(findGroups()))
    return failure();
  // What a model differentiates itself is part of what is differentiated here.
  func::FuncOp expanded;
  if (hasGradientOps(loss)) {
    expanded = cast<func::FuncOp>(loss->clone());
    module.push_back(expanded);
    expanded.setName("loss.expanded");
    if (failed(expandGradients(expanded)))
      return failure();
  }
  FunctionDraft draft(expanded ? expanded : loss, "backward");
  if (expanded)
    expanded.erase();
  if (failed(appendGradients(draft)))
    return failure();
  draft.finish();
  return success();
}
