//===- ScaleLoss.cpp - Scale the loss, unscale its gradients --------------===//

#include "amp/Dialect/Amp/IR/Functions.h"
#include "amp/Dialect/Amp/IR/ScalerConfig.h"
#include "amp/Dialect/Amp/IR/TrainingAttrs.h"
#include "amp/Transforms/Precision/Passes.h"
#include "amp/Transforms/Precision/ScalerSpec.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_SCALELOSSPASS
#include "amp/Transforms/Precision/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// State of a dynamic scaler, in the order of amp.scaler_update's operands.
constexpr StringRef kStateNames[] = {"amp.loss_scale", "amp.next_scale",
                                     "amp.growth_tracker", "amp.hysteresis",
                                     "amp.bad_steps"};

/// The operand that holds the scale of an op which unscales, or null.
OpOperand *scaleOperand(Operation *op) {
  if (auto check = dyn_cast<CheckGradientsOp>(op))
    return &check.getScaleMutable();
  if (auto step = dyn_cast<OptimizerStepOp>(op))
    return &step.getScaleMutable();
  if (auto unscale = dyn_cast<UnscaleOp>(op))
    return &unscale.getScaleMutable();
  return nullptr;
}

/// A scaler: of one loss, or of all.
struct Scaler {
  StringRef loss;
  ScalerSpec spec;

  std::string variable(StringRef name) const {
    return (loss.empty() ? name : name + "." + loss).str();
  }
  std::string result() const {
    return (loss.empty() ? "loss_scale" : "loss_scale/" + loss).str();
  }
  /// Keeps an overflow until the optimizers have all had their turn.
  std::string foundVariable() const { return variable("amp.found_inf"); }

  bool scales(SeedGradientOp seed) const {
    return loss.empty() || seed.getLoss().value_or("") == loss;
  }
  bool unscales(Operation *op) const {
    auto mark = op->getAttrOfType<StringAttr>(kScaleOfAttr);
    return loss.empty() || (mark && mark.getValue() == loss);
  }
};

/// What a scaler has to do with a function.
struct Uses {
  SmallVector<SeedGradientOp> seeds;
  SmallVector<OpOperand *> operands;
  SmallVector<CheckGradientsOp> checks;
  AdvanceCountersOp counters;
  Operation *last = nullptr;

  Uses(func::FuncOp function, const Scaler &scaler) {
    for (Operation &op : function.getBody().front()) {
      if (auto seed = dyn_cast<SeedGradientOp>(op))
        if (scaler.scales(seed))
          seeds.push_back(seed);
      if (auto found = dyn_cast<AdvanceCountersOp>(op))
        counters = found;
      OpOperand *use = scaleOperand(&op);
      if (!use)
        continue;
      last = &op;
      if (!scaler.unscales(&op))
        continue;
      operands.push_back(use);
      if (auto check = dyn_cast<CheckGradientsOp>(op))
        checks.push_back(check);
    }
  }
};

struct ScaleLoss : amp::impl::ScaleLossPassBase<ScaleLoss> {
  using ScaleLossPassBase::ScaleLossPassBase;

  void runOnOperation() override {
    std::string error;
    auto specs = ScalerSpec::parseAll(scaler, error);
    if (failed(specs)) {
      getOperation().emitError() << error;
      return signalPassFailure();
    }
    for (auto &[loss, spec] : *specs) {
      Scaler own{loss, spec};
      if (spec.kind == ScalerSpec::Kind::None ||
          SymbolTable::lookupSymbolIn(getOperation(),
                                      own.variable(kStateNames[0])))
        continue; // scaled already
      makeVariables(own);
      findTurns(own);
      for (auto function : functionsWithBody(getOperation()))
        scaleFunction(function, own);
    }
  }

  VariableOp makeVariable(StringRef name, Type element, Attribute init) {
    ModuleOp module = getOperation();
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    auto type = RankedTensorType::get({}, element);
    return VariableOp::create(
        builder, module.getLoc(), builder.getStringAttr(name),
        TypeAttr::get(type),
        VariableKindAttr::get(&getContext(), VariableKind::Scaler),
        DenseElementsAttr::get(type, init), StringAttr(), FlatSymbolRefAttr(),
        UnitAttr(), StringAttr());
  }

  void makeVariables(const Scaler &scaler) {
    Builder builder(&getContext());
    Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
    abi::ScalerState first = abi::firstScalerState(
        scaler.spec.rule, static_cast<float>(scaler.spec.scale));
    makeVariable(scaler.variable(kStateNames[0]), f32,
                 builder.getF32FloatAttr(first.scale));
    if (scaler.spec.kind != ScalerSpec::Kind::Dynamic)
      return;
    makeVariable(scaler.variable(kStateNames[1]), f32,
                 builder.getF32FloatAttr(first.next));
    int32_t counts[] = {first.tracker, first.hysteresis, first.bad};
    for (auto [name, count] :
         llvm::zip_equal(ArrayRef(kStateNames).drop_front(2), counts))
      makeVariable(scaler.variable(name), i32,
                   builder.getI32IntegerAttr(count));
  }

  /// Where optimizers take turns the scale changes after the last one. The flag
  /// of all turns is that of the counters; of one loss it has to be kept.
  void findTurns(const Scaler &scaler) {
    turns.clear();
    lastTurns.clear();
    keepsFound = false;
    for (StringRef list : {kTurnsAttr, kWindowTurnsAttr}) {
      auto names = getOperation()->getAttrOfType<ArrayAttr>(list);
      if (!names || names.empty())
        continue;
      for (auto name : names.getAsRange<StringAttr>())
        turns.push_back(name.getValue());
      lastTurns.push_back(turns.back());
    }
    if (scaler.loss.empty() || scaler.spec.kind != ScalerSpec::Kind::Dynamic)
      return;
    for (StringRef turn : turns)
      if (auto function = getOperation().lookupSymbol<func::FuncOp>(turn))
        if (!llvm::is_contained(lastTurns, turn))
          keepsFound |= !Uses(function, scaler).checks.empty();
    if (keepsFound)
      makeVariable(scaler.foundVariable(), Builder(&getContext()).getI32Type(),
                   Builder(&getContext()).getI32IntegerAttr(0));
  }

  void scaleFunction(func::FuncOp function, const Scaler &scaler) {
    Block &body = function.getBody().front();
    Uses uses(function, scaler);
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    auto scalar = RankedTensorType::get({}, builder.getF32Type());
    bool ends = llvm::is_contained(lastTurns, function.getSymName());
    Value scale;
    if (!uses.operands.empty() || !uses.seeds.empty() || ends)
      scale = ReadOp::create(builder, function.getLoc(), scalar,
                             scaler.variable(kStateNames[0]));
    for (SeedGradientOp seed : uses.seeds)
      seed.getScaleMutable().assign(scale);
    for (OpOperand *use : uses.operands)
      use->set(scale);
    // The scale a step reports is the one that multiplied its loss.
    if (!uses.operands.empty())
      for (auto [i, operand] :
           llvm::enumerate(body.getTerminator()->getOpOperands())) {
        auto name = function.getResultAttrOfType<StringAttr>(i, kNameAttr);
        if (name && name.getValue() == scaler.result())
          operand.set(scale);
      }
    if (scaler.spec.kind != ScalerSpec::Kind::Dynamic)
      return;
    Value finite = flagOf(function, scaler, uses, ends);
    if (finite)
      updateScale(function, scaler, scale, finite, uses.last);
  }

  /// What the update of the scale in this function depends on; null if there is
  /// none.
  Value flagOf(func::FuncOp function, const Scaler &scaler, Uses &uses,
               bool ends) {
    bool isTurn = llvm::is_contained(turns, function.getSymName());
    if (scaler.loss.empty() && uses.counters)
      return uses.checks.empty() ? Value() : uses.counters.getFinite();
    if (scaler.loss.empty() && isTurn)
      return {};
    OpBuilder builder = OpBuilder::atBlockTerminator(&function.front());
    if (uses.last)
      builder.setInsertionPointAfter(uses.last);
    Location loc = function.getLoc();
    auto flag = RankedTensorType::get({}, builder.getI1Type());
    auto made = [&](Operation *op) {
      markUpdate(op);
      return op->getResult(0);
    };
    Value finite;
    for (CheckGradientsOp check : uses.checks)
      finite = finite ? made(AndOp::create(builder, loc, flag, finite,
                                           check.getFinite()))
                      : Value(check.getFinite());
    if (!isTurn || !keepsFound || (!finite && !ends))
      return finite;

    auto integer = RankedTensorType::get({}, builder.getI32Type());
    std::string name = scaler.foundVariable();
    auto number = [&](int32_t value) {
      return made(ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(integer, builder.getI32IntegerAttr(value))));
    };
    OpBuilder entry = OpBuilder::atBlockBegin(&function.front());
    Value before = ReadOp::create(entry, loc, integer, name);
    Value zero = number(0), after = zero;
    if (!ends) {
      Value one = number(1);
      after =
          made(SelectOp::create(builder, loc, integer, finite, before, one));
      finite = {};
    } else {
      Value clean = made(CompareOp::create(builder, loc, flag, before, zero,
                                           ComparePredicate::EQ));
      finite = finite ? made(AndOp::create(builder, loc, flag, finite, clean))
                      : clean;
      uses.last = clean.getDefiningOp();
      if (finite != clean)
        uses.last = finite.getDefiningOp();
    }
    builder.setInsertionPoint(function.front().getTerminator());
    markUpdate(WriteOp::create(builder, loc, name, after));
    return finite;
  }

  void updateScale(func::FuncOp function, const Scaler &scaler, Value scale,
                   Value finite, Operation *last) {
    OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
    Location loc = finite.getLoc();
    SmallVector<Value> state = {scale};
    SmallVector<std::string> names;
    for (auto [i, name] : llvm::enumerate(kStateNames)) {
      names.push_back(scaler.variable(name));
      Type element =
          i <= 1 ? Type(builder.getF32Type()) : Type(builder.getI32Type());
      if (i > 0)
        state.push_back(ReadOp::create(builder, function.getLoc(),
                                       RankedTensorType::get({}, element),
                                       names.back()));
    }
    SmallVector<Type> types(ValueRange(state).getTypes());
    state.push_back(finite);
    // Behind everything that uses the scale, and behind its own flag.
    Operation *flag = finite.getDefiningOp();
    builder.setInsertionPointAfter(
        !last || (flag && last->isBeforeInBlock(flag)) ? flag : last);
    auto update = ScalerUpdateOp::create(
        builder, loc, types, state,
        builder.getNamedAttr("config",
                             scalerConfigOf(&getContext(), scaler.spec.rule)));
    markUpdate(update);
    builder.setInsertionPoint(function.front().getTerminator());
    for (auto [name, result] : llvm::zip_equal(names, update->getResults()))
      markUpdate(WriteOp::create(builder, loc, name, result));
  }

  void markUpdate(Operation *op) {
    op->setAttr("amp.phase", PhaseAttr::get(&getContext(), Phase::Update));
  }

  /// Turns of a step and of a window, and the last one of each.
  SmallVector<StringRef> turns, lastTurns;
  bool keepsFound = false;
};

} // namespace
