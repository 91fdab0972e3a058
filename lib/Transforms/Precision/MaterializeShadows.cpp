//===- MaterializeShadows.cpp - Copies of weights the update writes -------===//

#include "Slots.h"
#include "StoredLow.h"
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
      if (!isStorage(master))
        continue;
      auto copyFor = [&](Operation *user, Value operand) -> Value {
        Type element = tensorType(operand).getElementType();
        StringRef use = layoutUse(user, operand);
        // A layout of what is stored is the runtime's business, but float32
        // convolutions have a copy that reports can name.
        if (element == master && (use.empty() || !master.isF32()))
          return read;
        return readShadow(read, element, use);
      };
      if (!master.isF32())
        widenBeforeMoves(read);
      // A frozen parameter has no update that could write a copy; its shadow
      // is filled once when the program starts.
      replaceUses(read, copyFor);
      if (read->use_empty())
        read->erase();
    }
  }

  /// Types that a copy may have.
  static bool isStorage(Type type) {
    return type.isF32() || type.isF16() || type.isBF16();
  }

  /// A parameter that is stored low may be moved (amp-simplify-casts moves the
  /// fewer bytes) and then widened: widened first it is a copy, too.
  static void widenBeforeMoves(Value parameter) {
    SmallVector<Operation *> moves;
    auto addMoves = [&](Value of) {
      for (Operation *user : of.getUsers())
        if (isa<ReshapeOp, TransposeOp>(user))
          moves.push_back(user);
    };
    addMoves(parameter);
    for (size_t i = 0; i < moves.size(); ++i)
      addMoves(moves[i]->getResult(0));
    // The last first: what is widened behind a move is widened before it next.
    for (Operation *move : llvm::reverse(moves)) {
      Value value = move->getOperand(0), moved = move->getResult(0);
      for (Operation *user : llvm::make_early_inc_range(moved.getUsers())) {
        auto cast = dyn_cast<CastOp>(user);
        if (!cast || cast.getUser() ||
            !isStorage(tensorType(cast).getElementType()))
          continue;
        Type element = tensorType(cast).getElementType();
        OpBuilder builder(move);
        auto wide = CastOp::create(builder, cast.getLoc(),
                                   withElement(value.getType(), element), value,
                                   UnitAttr());
        if (Attribute phase = move->getAttr("amp.phase"))
          wide->setAttr("amp.phase", phase);
        Operation *again = builder.clone(*move);
        again->setOperand(0, wide);
        again->getResult(0).setType(cast.getType());
        decideAgain(again->getResult(0), element, "TR-as-operand");
        cast.replaceAllUsesWith(again->getResult(0));
        cast.erase();
      }
      if (move->use_empty())
        move->erase();
    }
  }

  /// Gives every reader of a parameter, also behind casts of the compiler, its
  /// copy. Where the file stores 16 bits of another kind there are two casts in
  /// a row: the copy is one of the master, with one rounding.
  static void
  replaceUses(Value value,
              function_ref<Value(Operation *user, Value operand)> copyFor) {
    for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
      auto cast = dyn_cast<CastOp>(use.getOwner());
      if (!cast || cast.getUser() ||
          !isStorage(tensorType(cast).getElementType())) {
        use.set(copyFor(use.getOwner(), value));
        continue;
      }
      replaceUses(cast, copyFor);
      if (cast->use_empty())
        cast.erase();
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
