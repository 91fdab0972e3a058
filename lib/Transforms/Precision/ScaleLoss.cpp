//===- ScaleLoss.cpp - Scale the loss, unscale its gradients --------------===//

#include "amp/Dialect/Amp/IR/ScalerConfig.h"
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

constexpr StringRef kScaleName = "amp.loss_scale";
/// State of a dynamic scaler, in the order of amp.scaler_update's operands.
constexpr StringRef kStateNames[] = {kScaleName, "amp.next_scale",
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

struct ScaleLoss : amp::impl::ScaleLossPassBase<ScaleLoss> {
  using ScaleLossPassBase::ScaleLossPassBase;

  void runOnOperation() override {
    std::string error;
    auto spec = ScalerSpec::parse(scaler, error);
    if (failed(spec)) {
      getOperation().emitError() << error;
      return signalPassFailure();
    }
    if (spec->kind == ScalerSpec::Kind::None)
      return;
    ModuleOp module = getOperation();
    if (SymbolTable::lookupSymbolIn(module, kScaleName))
      return; // scaled already
    makeVariables(*spec);
    for (auto function : module.getOps<func::FuncOp>())
      scaleFunction(function, *spec);
  }

  void makeVariables(const ScalerSpec &spec) {
    ModuleOp module = getOperation();
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    auto variable = [&](StringRef name, Type element, Attribute init) {
      auto type = RankedTensorType::get({}, element);
      VariableOp::create(
          builder, module.getLoc(), builder.getStringAttr(name),
          TypeAttr::get(type),
          VariableKindAttr::get(&getContext(), VariableKind::Scaler),
          DenseElementsAttr::get(type, init), StringAttr(), FlatSymbolRefAttr(),
          UnitAttr(), StringAttr());
    };
    Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
    abi::ScalerState first =
        abi::firstScalerState(spec.rule, static_cast<float>(spec.scale));
    variable(kScaleName, f32, builder.getF32FloatAttr(first.scale));
    if (spec.kind != ScalerSpec::Kind::Dynamic)
      return;
    variable(kStateNames[1], f32, builder.getF32FloatAttr(first.next));
    int32_t counts[] = {first.tracker, first.hysteresis, first.bad};
    for (auto [name, count] :
         llvm::zip_equal(ArrayRef(kStateNames).drop_front(2), counts))
      variable(name, i32, builder.getI32IntegerAttr(count));
  }

  void scaleFunction(func::FuncOp function, const ScalerSpec &spec) {
    Block &body = function.getBody().front();
    SmallVector<OpOperand *> uses;
    CheckGradientsOp check;
    Operation *lastUse = nullptr;
    Value one;
    for (Operation &op : body) {
      if (OpOperand *use = scaleOperand(&op)) {
        uses.push_back(use);
        one = use->get();
        lastUse = &op;
      }
      if (auto found = dyn_cast<CheckGradientsOp>(op))
        check = found;
    }
    auto seeds = body.getOps<SeedGradientOp>();
    if (uses.empty() && seeds.empty())
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    auto scalar = RankedTensorType::get({}, builder.getF32Type());
    Value scale =
        ReadOp::create(builder, function.getLoc(), scalar, kScaleName);
    for (auto seed : seeds)
      seed.getScaleMutable().assign(scale);
    for (OpOperand *use : uses)
      use->set(scale);
    // The scale a step reports is the one that multiplied its loss.
    if (one)
      for (auto [i, operand] :
           llvm::enumerate(body.getTerminator()->getOpOperands())) {
        auto name = function.getResultAttrOfType<StringAttr>(i, kNameAttr);
        if (name && name.getValue() == "loss_scale")
          operand.set(scale);
      }
    if (!check || spec.kind != ScalerSpec::Kind::Dynamic)
      return;
    SmallVector<Value> state = {scale};
    for (auto [i, name] : llvm::enumerate(kStateNames))
      if (i > 0) {
        Type element =
            i == 1 ? Type(builder.getF32Type()) : Type(builder.getI32Type());
        state.push_back(ReadOp::create(builder, function.getLoc(),
                                       RankedTensorType::get({}, element),
                                       name));
      }
    SmallVector<Type> types(ValueRange(state).getTypes());
    state.push_back(check.getFinite());
    builder.setInsertionPointAfter(lastUse);
    auto update = ScalerUpdateOp::create(
        builder, check.getLoc(), types, state,
        builder.getNamedAttr("config",
                             scalerConfigOf(&getContext(), spec.rule)));
    builder.setInsertionPoint(body.getTerminator());
    SmallVector<Operation *> added = {update};
    for (auto [name, result] :
         llvm::zip_equal(kStateNames, update->getResults()))
      added.push_back(WriteOp::create(builder, check.getLoc(), name, result));
    for (Operation *op : added)
      op->setAttr("amp.phase", PhaseAttr::get(&getContext(), Phase::Update));
  }
};

} // namespace
