//===- MaterializeShadows.cpp - Copies of weights the update writes -------===//

#include "Slots.h"
#include "amp/Dialect/Amp/IR/Functions.h"
#include "amp/Transforms/Precision/Passes.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_MATERIALIZESHADOWSPASS
#include "amp/Transforms/Precision/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// Name of a float type in symbols.
std::string typeName(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

class Shadows {
public:
  explicit Shadows(ModuleOp module) : module(module), symbols(module) {}

  /// The shadow of `variable` in `element` for `use`, made on first sight.
  VariableOp get(VariableOp variable, Type element, StringRef use) {
    std::string name =
        (variable.getSymName() + ".shadow." + typeName(element)).str();
    if (!use.empty())
      name += "." + use.str();
    VariableOp &shadow = byName[name];
    if (shadow)
      return shadow;
    if (auto known = symbols.lookup<VariableOp>(name))
      if (known.getShadowOf() == variable.getSymName())
        return shadow = known;
    OpBuilder builder(variable);
    builder.setInsertionPointAfter(variable);
    shadow = VariableOp::create(
        builder, variable.getLoc(), builder.getStringAttr(name),
        TypeAttr::get(withElement(variable.getType(), element)),
        VariableKindAttr::get(builder.getContext(), VariableKind::Shadow),
        ElementsAttr(), StringAttr(),
        FlatSymbolRefAttr::get(variable.getSymNameAttr()), UnitAttr(),
        StringAttr());
    // Takes another name if the model uses this one.
    symbols.insert(shadow);
    made[variable.getSymName()].push_back(shadow);
    return shadow;
  }
  VariableOp variable(ReadOp read) {
    return symbols.lookup<VariableOp>(read.getVariable());
  }
  ArrayRef<VariableOp> of(StringRef variable) { return made[variable]; }

private:
  ModuleOp module;
  SymbolTable symbols;
  llvm::StringMap<VariableOp> byName;
  llvm::StringMap<SmallVector<VariableOp>> made;
};

struct MaterializeShadows
    : amp::impl::MaterializeShadowsPassBase<MaterializeShadows> {
  void runOnOperation() override {
    Shadows shadows(getOperation());
    for (auto function : functionsWithBody(getOperation()))
      replaceReads(function, shadows);
    for (auto function : functionsWithBody(getOperation()))
      extendUpdates(function, shadows);
  }

  void replaceReads(func::FuncOp function, Shadows &shadows) {
    Block &body = function.getBody().front();
    DenseMap<VariableOp, Value> reads;
    auto readShadow = [&](ReadOp read, Type element, StringRef use) {
      VariableOp shadow = shadows.get(shadows.variable(read), element, use);
      Value &value = reads[shadow];
      if (!value) {
        OpBuilder builder(read);
        value = ReadOp::create(builder, read.getLoc(), shadow.getType(),
                               shadow.getSymName());
      }
      return value;
    };
    for (auto read : llvm::make_early_inc_range(body.getOps<ReadOp>())) {
      VariableOp variable = shadows.variable(read);
      if (!variable || variable.getKind() != VariableKind::Parameter)
        continue;
      Type master = tensorType(read).getElementType();
      // What is stored low is read as it is.
      if (!master.isF32())
        continue;
      // A frozen parameter has no update that could write a copy; its shadow
      // is filled once when the program starts.
      for (OpOperand &use : llvm::make_early_inc_range(read->getUses())) {
        Operation *user = use.getOwner();
        StringRef wants = layoutUse(user, read);
        if (!wants.empty()) {
          use.set(readShadow(read, master, wants));
          continue;
        }
        auto cast = dyn_cast<CastOp>(user);
        if (!cast || cast.getUser())
          continue;
        Type element = tensorType(cast).getElementType();
        for (OpOperand &inner : llvm::make_early_inc_range(cast->getUses()))
          inner.set(
              readShadow(read, element, layoutUse(inner.getOwner(), cast)));
        cast.erase();
      }
      if (read->use_empty())
        read->erase();
    }
  }

  void extendUpdates(func::FuncOp function, Shadows &shadows) {
    Block &body = function.getBody().front();
    for (auto step :
         llvm::make_early_inc_range(body.getOps<OptimizerStepOp>())) {
      auto read = step.getParam().getDefiningOp<ReadOp>();
      if (!read)
        continue;
      ArrayRef<VariableOp> own = shadows.of(read.getVariable());
      if (own.empty())
        continue;
      OpBuilder builder(step);
      SmallVector<Type> states(step.getNewStates().getTypes());
      SmallVector<Type> copies(step.getShadows().getTypes());
      unsigned before = copies.size();
      for (VariableOp shadow : own)
        copies.push_back(shadow.getType());
      auto larger = OptimizerStepOp::create(
          builder, step.getLoc(), step.getNewParam().getType(), states, copies,
          step.getParam(), step.getGrad(), step.getLr(), step.getScale(),
          step.getNorm(), step.getClip(), step.getFinite(), step.getApplied(),
          step.getRng(), step.getStates(), step.getKindAttr(),
          step.getClipModeAttr(), step.getConfigAttr());
      larger->setDiscardableAttrs(step->getDiscardableAttrDictionary());
      SmallVector<Value> same(
          larger->getResults().take_front(1 + states.size() + before));
      step->replaceAllUsesWith(same);
      builder.setInsertionPoint(body.getTerminator());
      for (unsigned i = 0; i < own.size(); ++i) {
        VariableOp shadow = own[i];
        auto write =
            WriteOp::create(builder, step.getLoc(), shadow.getSymName(),
                            larger.getShadows()[before + i]);
        if (Attribute phase = step->getAttr("amp.phase"))
          write->setAttr("amp.phase", phase);
      }
      step.erase();
    }
  }
};

} // namespace
