//===- ScaleLoss.cpp - Scale the loss, unscale its gradients --------------===//

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
constexpr StringRef kTrackerName = "amp.growth_tracker";

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
    variable(kScaleName, builder.getF32Type(),
             builder.getF32FloatAttr((float)spec.scale));
    if (spec.kind != ScalerSpec::Kind::PyTorch)
      return;
    variable("amp.next_scale", builder.getF32Type(),
             builder.getF32FloatAttr((float)spec.scale));
    for (StringRef name :
         {kTrackerName, StringRef("amp.hysteresis"), StringRef("amp.bad")})
      variable(name, builder.getI32Type(), builder.getI32IntegerAttr(0));
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
    if (!check || spec.kind != ScalerSpec::Kind::PyTorch)
      return;
    auto integer = RankedTensorType::get({}, builder.getI32Type());
    auto read = [&](Type type, StringRef name) -> Value {
      return ReadOp::create(builder, function.getLoc(), type, name);
    };
    StringRef names[] = {kScaleName, "amp.next_scale", kTrackerName,
                         "amp.hysteresis", "amp.bad"};
    Value next = read(scalar, names[1]), tracker = read(integer, names[2]),
          hysteresis = read(integer, names[3]), bad = read(integer, names[4]);
    builder.setInsertionPointAfter(lastUse);
    DictionaryAttr config = builder.getDictionaryAttr(
        {builder.getNamedAttr("growth_factor",
                              builder.getF64FloatAttr(spec.growthFactor)),
         builder.getNamedAttr("backoff_factor",
                              builder.getF64FloatAttr(spec.backoffFactor)),
         builder.getNamedAttr(
             "growth_interval",
             builder.getI64IntegerAttr(spec.growthInterval))});
    auto update = ScalerUpdateOp::create(
        builder, check.getLoc(), scalar, scalar, integer, integer, integer,
        scale, next, tracker, hysteresis, bad, check.getFinite(), config);
    builder.setInsertionPoint(body.getTerminator());
    SmallVector<Operation *> added = {update};
    for (auto [name, result] : llvm::zip_equal(names, update->getResults()))
      added.push_back(
          WriteOp::create(builder, check.getLoc(), name, result));
    for (Operation *op : added)
      op->setAttr("amp.phase", PhaseAttr::get(&getContext(), Phase::Update));
  }
};

} // namespace
