//===- EntryWriter.cpp - Which entry points, and what they share ----------===//

#include "EntryWriter.h"
#include "amp/Dialect/Amp/IR/TrainingAttrs.h"

using namespace mlir;
using namespace amp;

EntryWriter::EntryWriter(ModuleOp module, ArrayRef<OptimizerSpec> optimizers,
                         UpdateRules rules)
    : module(module), names(module), optimizers(optimizers), rules(rules),
      state(module) {}

std::string OptimizerGroup::key(StringRef key) const {
  return (name().empty() ? key : key + "/" + name()).str();
}

Value amp::integerConstant(OpBuilder &builder, Location loc, int64_t value) {
  auto type = RankedTensorType::get({}, builder.getI64Type());
  return ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(type, builder.getI64IntegerAttr(value)));
}

RankedTensorType EntryWriter::scalarType() {
  return RankedTensorType::get({}, Float32Type::get(module.getContext()));
}

Location EntryWriter::updateLoc(StringRef name) {
  return phaseLocation(names.locationOf(name), Phase::Update);
}

Value EntryWriter::one(OpBuilder &builder) {
  return ConstantOp::create(
      builder, updateLoc("scale"),
      DenseElementsAttr::get(scalarType(), builder.getF32FloatAttr(1.0f)));
}

func::FuncOp EntryWriter::source(StringRef name, StringRef entry) {
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function) {
    module.emitError("entry point ")
        << entry << " needs a function @" << name << ", which is missing";
    return {};
  }
  if (failed(FunctionDraft::checkForm(function)))
    return {};
  return function;
}

LogicalResult EntryWriter::findParameters(StringRef entry) {
  if (!parameters.empty())
    return success();
  func::FuncOp backward = source("backward", entry);
  if (!backward)
    return failure();
  for (unsigned i = 0; i < backward.getNumResults(); ++i) {
    DraftResult result{{}, backward.getResultAttrDict(i)};
    if (result.role() != roles::kGradient)
      continue;
    VariableOp variable = state.lookup(result.name());
    if (!variable)
      return backward.emitError("result ")
             << i << " is the gradient of '" << result.name()
             << "', but there is no variable of that name";
    auto type = cast<RankedTensorType>(variable.getType());
    if (!type.getElementType().isF32())
      return variable.emitError("parameter '")
             << userName(variable) << "' is trained and has the type " << type
             << ", expected float32: "
             << (type.getElementType().isF64()
                     ? "amp-narrow-float64 (--float64-as-float32) makes it so"
                     : "low copies are made by the precision stage");
    if (parameters.empty() || parameters.back() != variable)
      parameters.push_back(variable);
    terms.push_back({variable, result.scaleOf()});
  }
  for (auto write : backward.getOps<WriteOp>())
    if (VariableOp variable = state.lookup(write.getVariable()))
      buffers.push_back(variable);
  if (parameters.empty())
    return backward.emitError("has no gradients to update parameters with");
  return findGroups();
}

/// Optimizers without a parameter to update have nothing to do, not even a flag
/// that the scale could depend on.
LogicalResult EntryWriter::findGroups() {
  if (failed(state.ensureCounters()))
    return failure();
  for (const OptimizerSpec &spec : optimizers) {
    OptimizerGroup group{&spec, state.applied, {}};
    for (VariableOp parameter : parameters) {
      auto owner = parameter->getAttrOfType<StringAttr>(kGroupAttr);
      if ((owner ? owner.getValue() : "") == spec.name)
        group.parameters.push_back(parameter);
    }
    if (group.parameters.empty())
      continue;
    if (!spec.name.empty()) {
      FailureOr<VariableOp> applied =
          state.ensureCounter("amp.applied." + spec.name);
      if (failed(applied))
        return failure();
      group.applied = *applied;
    }
    groups.push_back(std::move(group));
  }
  size_t assigned = 0;
  for (const OptimizerGroup &group : groups)
    assigned += group.parameters.size();
  if (assigned != parameters.size())
    return module.emitError("some trained parameters belong to no optimizer; "
                            "amp-group-parameters assigns them");
  return success();
}

SmallVector<OptimizerGroup *> EntryWriter::allGroups() {
  SmallVector<OptimizerGroup *> all;
  for (OptimizerGroup &group : groups)
    all.push_back(&group);
  return all;
}

LogicalResult EntryWriter::write(ArrayRef<std::string> entries) {
  using Method = LogicalResult (EntryWriter::*)();
  for (const std::string &entry : entries) {
    bool turns = rules.alternate;
    bool trains = entry != "eval" && entry != "predict";
    bool named = turns && trains && entry != "gradients";
    if (!named && module.lookupSymbol(entry))
      return module.emitError("there is a function @") << entry << " already";
    auto method = llvm::StringSwitch<Method>(entry)
                      .Case("train_step", turns ? &EntryWriter::writeTurns
                                                : &EntryWriter::writeTrainStep)
                      .Case("accumulate", turns ? &EntryWriter::writeWindowTurns
                                                : &EntryWriter::writeAccumulate)
                      .Case("apply", turns ? &EntryWriter::writeWindowTurns
                                           : &EntryWriter::writeApply)
                      .Case("eval", &EntryWriter::writeEval)
                      .Case("predict", &EntryWriter::writePredict)
                      .Case("gradients", &EntryWriter::writeGradients)
                      .Default(nullptr);
    if (!method)
      return module.emitError("unknown entry point '")
             << entry << "', expected one of train_step, accumulate, apply, "
             << "eval, predict, gradients";
    if (trains && failed(findParameters(entry)))
      return failure();
    if (failed((this->*method)()))
      return failure();
  }
  return success();
}
