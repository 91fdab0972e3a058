//===- GroupParameters.cpp - Which optimizer updates what -----------------===//

#include "LossBuilder.h"
#include "amp/Dialect/Amp/IR/NamePattern.h"
#include "amp/Dialect/Amp/IR/TrainingAttrs.h"
#include "amp/Transforms/AutoDiff/OptimizerSpec.h"
#include "amp/Transforms/AutoDiff/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_GROUPPARAMETERSPASS
#include "amp/Transforms/AutoDiff/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

class GroupParametersPass
    : public amp::impl::GroupParametersPassBase<GroupParametersPass> {
public:
  using GroupParametersPassBase::GroupParametersPassBase;

  void runOnOperation() override {
    auto groups = OptimizerSpec::parseAll(optimizer);
    if (!groups) {
      getOperation().emitError(llvm::toString(groups.takeError()));
      return signalPassFailure();
    }
    if (groups->front().name.empty())
      return;
    if (failed(checkLosses(*groups)) || failed(assign(*groups)))
      return signalPassFailure();
    getOperation()->setAttr(
        kOptimizerAttr,
        StringAttr::get(&getContext(), OptimizerSpec::textOf(*groups)));
  }

private:
  LogicalResult checkLosses(ArrayRef<OptimizerSpec> groups);
  LogicalResult checkPatterns(ArrayRef<OptimizerSpec> groups);
  LogicalResult assign(ArrayRef<OptimizerSpec> groups);
};

bool matches(const OptimizerSpec &group, StringRef name) {
  return llvm::any_of(group.params, [&](const std::string &pattern) {
    return matchesPattern(pattern, name);
  });
}

} // namespace

LogicalResult GroupParametersPass::checkLosses(ArrayRef<OptimizerSpec> groups) {
  auto loss = getOperation().lookupSymbol<func::FuncOp>("loss");
  auto text = loss ? loss->getAttrOfType<StringAttr>(kLossAttr) : StringAttr();
  if (!text)
    return success();
  auto terms = LossSpec::parseAll(text.getValue());
  if (!terms)
    return loss.emitError(llvm::toString(terms.takeError()));
  if (llvm::Error error = checkLossNames(*terms, groups))
    return getOperation().emitError(llvm::toString(std::move(error)));
  return success();
}

/// Frozen parameters count as matches: what an optimizer is left with may be
/// nothing, but a pattern without a match is a typing error.
LogicalResult
GroupParametersPass::checkPatterns(ArrayRef<OptimizerSpec> groups) {
  SmallVector<StringRef> names;
  for (auto variable : getOperation().getOps<VariableOp>())
    if (variable.getKind() == VariableKind::Parameter)
      names.push_back(userName(variable));
  for (const OptimizerSpec &group : groups)
    for (const std::string &pattern : group.params) {
      if (llvm::any_of(names, [&](StringRef name) {
            return matchesPattern(pattern, name);
          }))
        continue;
      std::string near = nearNames(pattern, names);
      return getOperation().emitError("the optimizer '")
             << group.name << "' has the pattern " << quotedName(pattern)
             << ", which matches no parameter"
             << (near.empty() ? "" : "; near are ") << near;
    }
  return success();
}

LogicalResult GroupParametersPass::assign(ArrayRef<OptimizerSpec> groups) {
  if (failed(checkPatterns(groups)))
    return failure();
  const OptimizerSpec *rest = nullptr;
  for (const OptimizerSpec &group : groups)
    if (group.params.empty())
      rest = &group;
  llvm::StringSet<> used;
  bool complete = true;
  for (auto variable : getOperation().getOps<VariableOp>()) {
    if (!variable.getTrained())
      continue;
    StringRef name = userName(variable);
    SmallVector<StringRef> owners;
    for (const OptimizerSpec &group : groups)
      if (matches(group, name))
        owners.push_back(group.name);
    if (owners.empty() && rest)
      owners.push_back(rest->name);
    if (owners.size() != 1) {
      complete = false;
      InFlightDiagnostic error = variable.emitError("parameter ")
                                 << quotedName(name);
      if (owners.empty())
        error << " belongs to no optimizer: no pattern matches it, and each "
              << "optimizer has patterns; freeze it, or leave out the params "
              << "of one";
      else
        error << " belongs to several optimizers: '"
              << llvm::join(owners, "', '") << "'";
      continue;
    }
    used.insert(owners.front());
    variable->setAttr(kGroupAttr,
                      StringAttr::get(&getContext(), owners.front()));
  }
  for (const OptimizerSpec &group : groups)
    if (complete && !used.contains(group.name))
      getOperation().emitWarning("the optimizer '")
          << group.name << "' has no parameter that is trained";
  return success(complete);
}
