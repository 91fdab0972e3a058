//===- EntryWriter.cpp - Which entry points, and what they share ----------===//

#include "EntryWriter.h"

using namespace mlir;
using namespace amp;

EntryWriter::EntryWriter(ModuleOp module, const OptimizerSpec &optimizer,
                         ClipMode clip)
    : module(module), optimizer(optimizer), clip(clip), state(module) {}

RankedTensorType EntryWriter::scalarType() {
  return RankedTensorType::get({}, Float32Type::get(module.getContext()));
}

Location EntryWriter::updateLoc(StringRef name) {
  auto plain = NameLoc::get(StringAttr::get(module.getContext(), name));
  return phaseLocation(plain, Phase::Update);
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
             << variable.getSource().value_or(variable.getSymName())
             << "' is trained and has the type " << type
             << ", expected float32: low copies are made by the precision "
             << "stage";
    parameters.push_back(variable);
  }
  for (auto write : backward.getOps<WriteOp>())
    if (VariableOp variable = state.lookup(write.getVariable()))
      buffers.push_back(variable);
  if (parameters.empty())
    return backward.emitError("has no gradients to update parameters with");
  return success();
}

LogicalResult EntryWriter::write(ArrayRef<std::string> entries) {
  using Method = LogicalResult (EntryWriter::*)();
  for (const std::string &entry : entries) {
    if (module.lookupSymbol(entry))
      return module.emitError("there is a function @") << entry << " already";
    auto method = llvm::StringSwitch<Method>(entry)
                      .Case("train_step", &EntryWriter::writeTrainStep)
                      .Case("accumulate", &EntryWriter::writeAccumulate)
                      .Case("apply", &EntryWriter::writeApply)
                      .Case("eval", &EntryWriter::writeEval)
                      .Case("predict", &EntryWriter::writePredict)
                      .Case("gradients", &EntryWriter::writeGradients)
                      .Default(nullptr);
    if (!method)
      return module.emitError("unknown entry point '")
             << entry << "', expected one of train_step, accumulate, apply, "
             << "eval, predict, gradients";
    bool trains = entry != "eval" && entry != "predict";
    if (trains &&
        (failed(findParameters(entry)) || failed(state.ensureCounters())))
      return failure();
    if (failed((this->*method)()))
      return failure();
  }
  return success();
}
