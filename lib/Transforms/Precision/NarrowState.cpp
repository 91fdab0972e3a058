//===- NarrowState.cpp - Parameters and moments in fewer bits -------------===//

#include "Slots.h"
#include "StateTraffic.h"
#include "StoredLow.h"
#include "amp/ABI/Residual.h"
#include "amp/Dialect/Amp/IR/Functions.h"
#include "amp/Dialect/Amp/IR/MapElements.h"
#include "amp/Dialect/Amp/IR/OptimizerStates.h"
#include "amp/Transforms/Precision/Passes.h"
#include "amp/Transforms/Precision/StateStorage.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_NARROWSTATEPASS
#include "amp/Transforms/Precision/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// Reads of the variables of a module, in all functions.
using Reads = llvm::MapVector<VariableOp, SmallVector<ReadOp>>;

/// A cast of the precision stage to this type.
bool isPolicyCast(Operation *op, Type element) {
  auto cast = dyn_cast<CastOp>(op);
  return cast && !cast.getUser() &&
         tensorType(cast).getElementType() == element;
}

/// Whether an op takes the value as the parameter it updates.
bool isUpdate(OpOperand &use) {
  auto step = dyn_cast<OptimizerStepOp>(use.getOwner());
  return step && use.getOperandNumber() == 0;
}

/// A bias that a product or convolution adds in float32 from any storage.
bool isBias(OpOperand &use) {
  return isa<MatmulOp, ConvOp>(use.getOwner()) && use.getOperandNumber() == 2;
}

/// Scale and bias of batch norms stay float32 whatever is asked.
bool isBatchNorm(Operation *op) {
  return isa<BatchNormOp, BatchNormInferenceOp, BatchNormGradOp>(op);
}

class NarrowState : public amp::impl::NarrowStatePassBase<NarrowState> {
public:
  using NarrowStatePassBase::NarrowStatePassBase;
  void runOnOperation() override;

private:
  void collectReads();
  bool wantsLow(VariableOp variable, ArrayRef<ReadOp> reads) const;
  bool wantsSplit(VariableOp variable, ArrayRef<ReadOp> reads) const;
  LogicalResult narrow(VariableOp variable, ArrayRef<ReadOp> reads);
  void retype(VariableOp variable, Type element, ArrayRef<ReadOp> reads);
  LogicalResult split(VariableOp variable, ArrayRef<ReadOp> reads);
  void addResidual(OptimizerStepOp step, ReadOp parameter, VariableOp residual);
  void narrowMoments(OptimizerStepOp step);
  void drawFor(OptimizerStepOp step);
  VariableOp variableOf(Value value);

  Type low;
  Type moment;
  Reads reads;
  std::optional<SymbolTable> symbols;
};

} // namespace

void NarrowState::collectReads() {
  for (auto function : functionsWithBody(getOperation()))
    for (auto read : function.getBody().front().getOps<ReadOp>())
      if (auto variable = symbols->lookup<VariableOp>(read.getVariable()))
        reads[variable].push_back(read);
}

VariableOp NarrowState::variableOf(Value value) {
  auto read = value.getDefiningOp<ReadOp>();
  return read ? symbols->lookup<VariableOp>(read.getVariable()) : VariableOp();
}

bool NarrowState::wantsLow(VariableOp variable, ArrayRef<ReadOp> list) const {
  return variable.getTrained() &&
         cast<RankedTensorType>(variable.getType()).getElementType().isF32() &&
         llvm::none_of(list, [](ReadOp read) {
           return llvm::any_of(read->getUsers(), isBatchNorm);
         });
}

/// The steps read nothing but the low value.
bool NarrowState::wantsSplit(VariableOp variable, ArrayRef<ReadOp> list) const {
  bool casts = false;
  for (ReadOp read : list)
    for (OpOperand &use : read->getUses()) {
      bool cast = isPolicyCast(use.getOwner(), low);
      if (!cast && !isUpdate(use))
        return false;
      casts |= cast;
    }
  return casts && wantsLow(variable, list);
}

/// Gives a variable and its reads another element type. Casts to it vanish;
/// what wants float32 gets a cast.
void NarrowState::retype(VariableOp variable, Type element,
                         ArrayRef<ReadOp> list) {
  Type wide = cast<RankedTensorType>(variable.getType());
  variable.setType(withElement(wide, element));
  for (ReadOp read : list) {
    Value value = read.getResult();
    SmallVector<OpOperand *> wants;
    SmallVector<CastOp> casts;
    for (OpOperand &use : read->getUses()) {
      if (isPolicyCast(use.getOwner(), element))
        casts.push_back(cast<CastOp>(use.getOwner()));
      else if (!isUpdate(use) && !isBias(use))
        wants.push_back(&use);
    }
    value.setType(variable.getType());
    decideAgain(read->getResult(0), element, "MW-stored-low");
    for (CastOp cast : casts) {
      cast.replaceAllUsesWith(value);
      cast.erase();
    }
    if (wants.empty())
      continue;
    OpBuilder builder(read->getContext());
    builder.setInsertionPointAfter(read);
    auto widened =
        CastOp::create(builder, read.getLoc(), wide, value, UnitAttr());
    if (Attribute phase = read->getAttr("amp.phase"))
      widened->setAttr("amp.phase", phase);
    for (OpOperand *use : wants)
      use->set(widened);
  }
}

/// The new value of an updated parameter has the type of the old one.
static void retypeUpdates(ArrayRef<ReadOp> list, Type element) {
  for (ReadOp read : list)
    for (OpOperand &use : read->getUses()) {
      if (!isUpdate(use))
        continue;
      auto step = cast<OptimizerStepOp>(use.getOwner());
      step.getNewParam().setType(
          withElement(step.getNewParam().getType(), element));
      decideAgain(step->getResult(0), element, "MW-stored-low");
    }
}

LogicalResult NarrowState::narrow(VariableOp variable, ArrayRef<ReadOp> list) {
  if (ElementsAttr init = variable.getInitAttr()) {
    StoredLow stored = storeLow(init, low, variable.getSymName());
    if (!stored.value)
      return variable.emitOpError("has an initial value without bytes");
    variable.setInitAttr(stored.value);
    Builder builder(&getContext());
    variable->setAttr(
        kRoundedAttr,
        builder.getDictionaryAttr(
            {builder.getNamedAttr("elements",
                                  builder.getI64IntegerAttr(stored.rounded)),
             builder.getNamedAttr("worst",
                                  builder.getF64FloatAttr(stored.worst))}));
  }
  retype(variable, low, list);
  retypeUpdates(list, low);
  return success();
}

LogicalResult NarrowState::split(VariableOp variable, ArrayRef<ReadOp> list) {
  OpBuilder builder(variable);
  builder.setInsertionPointAfter(variable);
  Type integer = builder.getIntegerType(16);
  ElementsAttr init = variable.getInitAttr(), rest;
  if (init) {
    StringRef name = variable.getSymName();
    auto upper = mapElements(init, low, name, [](uint32_t bits) {
      return uint32_t(abi::splitFloat(bits).high);
    });
    rest = mapElements(init, integer, (name + ".residual").str(),
                       [](uint32_t bits) {
                         return uint32_t(uint16_t(abi::splitFloat(bits).low));
                       });
    if (!upper || !rest)
      return variable.emitOpError("has an initial value without bytes");
    variable.setInitAttr(upper);
  }
  auto residual = VariableOp::create(
      builder, variable.getLoc(), (variable.getSymName() + ".residual").str(),
      withElement(variable.getType(), integer), VariableKind::Moment, rest,
      /*source=*/StringAttr(), /*shadow_of=*/FlatSymbolRefAttr(),
      /*trained=*/false, /*reason=*/StringAttr());
  // Takes another name if the model uses this one.
  symbols->insert(residual);
  variable->setAttr(kResidualAttr, FlatSymbolRefAttr::get(residual));
  retype(variable, low, list);
  retypeUpdates(list, low);
  for (ReadOp read : list)
    for (OpOperand &use : llvm::make_early_inc_range(read->getUses()))
      if (isUpdate(use))
        addResidual(cast<OptimizerStepOp>(use.getOwner()), read, residual);
  return success();
}

/// A step whose last state is the residual.
void NarrowState::addResidual(OptimizerStepOp step, ReadOp parameter,
                              VariableOp residual) {
  OpBuilder builder(&getContext());
  builder.setInsertionPointAfter(parameter);
  auto rest = ReadOp::create(builder, parameter.getLoc(), residual.getType(),
                             residual.getSymName());
  SmallVector<Value> states(step.getStates());
  states.push_back(rest);
  builder.setInsertionPoint(step);
  auto larger = OptimizerStepOp::create(
      builder, step.getLoc(), step.getNewParam().getType(),
      TypeRange(ValueRange(states)), TypeRange(step.getShadows().getTypes()),
      step.getParam(), step.getGrad(), step.getLr(), step.getScale(),
      step.getNorm(), step.getClip(), step.getFinite(), step.getApplied(),
      step.getRng(), states, step.getKindAttr(), step.getClipModeAttr(),
      step.getConfigAttr());
  larger->setDiscardableAttrs(step->getDiscardableAttrDictionary());
  SmallVector<Value> same = {larger.getNewParam()};
  llvm::append_range(same, larger.getNewStates().drop_back());
  llvm::append_range(same, larger.getShadows());
  step->replaceAllUsesWith(same);
  step.erase();
  builder.setInsertionPoint(larger->getBlock()->getTerminator());
  auto write = WriteOp::create(builder, larger.getLoc(), residual.getSymName(),
                               larger.getNewStates().back());
  if (Attribute phase = larger->getAttr("amp.phase"))
    write->setAttr("amp.phase", phase);
}

void NarrowState::narrowMoments(OptimizerStepOp step) {
  auto wanted = optimizerStates(step.getKind(), step.getConfig(),
                                tensorType(step.getParam()).getShape());
  for (auto [number, state] : llvm::enumerate(wanted)) {
    VariableOp variable = variableOf(step.getStates()[number]);
    if (!variable || !state.narrows)
      continue;
    Value after = step.getNewStates()[number];
    if (cast<RankedTensorType>(variable.getType()).getElementType() != moment) {
      if (ElementsAttr init = variable.getInitAttr())
        variable.setInitAttr(
            storeMoment(init, moment, state.squares, variable.getSymName()));
      variable.setType(withElement(variable.getType(), moment));
      for (ReadOp read : reads[variable]) {
        Value(read).setType(variable.getType());
        decideAgain(read->getResult(0), moment, "MO-low-moments");
      }
    }
    after.setType(variable.getType());
    decideAgain(cast<OpResult>(after), moment, "MO-low-moments");
  }
}

/// Gives a step that stores anything low the state of the random numbers.
void NarrowState::drawFor(OptimizerStepOp step) {
  auto isLow = [](Value value) {
    Type element = tensorType(value).getElementType();
    return element.isBF16() || element.isF16();
  };
  ValueRange states = step.getStates();
  bool splits = !states.empty() &&
                tensorType(states.back()).getElementType().isInteger(16);
  if (!(isLow(step.getParam()) && !splits) && llvm::none_of(states, isLow))
    return;
  constexpr StringLiteral name = "amp.rng";
  auto variable = symbols->lookup<VariableOp>(name);
  if (!variable) {
    step.emitOpError("is to round stochastically, but there is no variable @")
        << name;
    return signalPassFailure();
  }
  Block *body = step->getBlock();
  for (auto read : body->getOps<ReadOp>())
    if (read.getVariable() == name)
      return step.getRngMutable().assign(read.getResult());
  auto builder = OpBuilder::atBlockBegin(body);
  step.getRngMutable().assign(
      ReadOp::create(builder, variable.getLoc(), variable.getType(), name));
}

void NarrowState::runOnOperation() {
  ModuleOp module = getOperation();
  auto precision = module->getAttrOfType<TypeAttr>("amp.precision");
  low = precision ? precision.getValue() : Type();
  StateStorage storage{master, moments, stochasticRounding};
  std::string problem = storage.problem(!low           ? "fp32"
                                        : low.isBF16() ? "bf16"
                                                       : "fp16");
  if (!problem.empty()) {
    module.emitError(problem);
    return signalPassFailure();
  }
  if (storage.isFloat32())
    return;
  StateTraffic before = stateTraffic(module);
  Builder builder(&getContext());
  moment = moments == "bf16"   ? Type(builder.getBF16Type())
           : moments == "fp16" ? Type(builder.getF16Type())
                               : Type();
  symbols.emplace(module);
  collectReads();
  if (master == "none" && failed(checkStorable(module, low)))
    return signalPassFailure();
  for (auto &[variable, list] : reads) {
    if (master == "none" && wantsLow(variable, list)) {
      if (failed(narrow(variable, list)))
        return signalPassFailure();
    } else if (master == "bf16+residual" && wantsSplit(variable, list)) {
      if (failed(split(variable, list)))
        return signalPassFailure();
    }
  }
  for (auto function : functionsWithBody(module))
    for (auto step : llvm::make_early_inc_range(
             function.getBody().front().getOps<OptimizerStepOp>())) {
      if (moment)
        narrowMoments(step);
      if (stochasticRounding)
        drawFor(step);
    }
  adjustPredictions(module, before);
}
