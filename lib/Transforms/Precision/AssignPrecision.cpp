//===- AssignPrecision.cpp - Decide the storage type of every value -------===//

#include "Slots.h"
#include "amp/Transforms/Precision/Passes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_ASSIGNPRECISIONPASS
#include "amp/Transforms/Precision/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// A storage type and the rule it came from.
struct Choice {
  bool low;
  StringRef rule;
};

/// Walks a function in order; the types of operands are known when an op is
/// decided, those of users only by class.
class Assigner {
public:
  explicit Assigner(FloatType low) : low(low) {}
  void run(func::FuncOp function);

private:
  Choice choose(Operation *op, OpResult result);
  bool readsLow(Operation *op);
  bool usedByContraction(Value value) {
    return llvm::any_of(value.getUses(), [](OpOperand &use) {
      return operandSlot(use) == Slot::Low;
    });
  }
  bool usedByKeep(Value value) {
    return llvm::any_of(value.getUsers(), [](Operation *user) {
      return effectiveClass(user) == PrecisionClass::Keep;
    });
  }

  FloatType low;
  DenseSet<Value> lowValues;
};

bool Assigner::readsLow(Operation *op) {
  return llvm::any_of(op->getOperands(),
                      [&](Value value) { return lowValues.contains(value); });
}

Choice Assigner::choose(Operation *op, OpResult result) {
  auto precision = dyn_cast<PrecisionOpInterface>(op);
  auto type = tensorType(result);
  if (!precision || precision.isWideResult(result.getResultNumber()) ||
      isa<ReadOp, ConstantOp>(op))
    return {false, "WD-float32-slot"};
  if (!type.getElementType().isF32() ||
      (isa<CastOp>(op) && cast<CastOp>(op).getUser()))
    return {false, "US-source-type"};
  if (type.getNumElements() <= 1)
    return {false, "SC-scalar"};
  PrecisionClass cls = effectiveClass(op);
  if (cls == PrecisionClass::Transparent) {
    bool any = readsLow(op);
    return {any, "TR-as-operand"};
  }
  if (onlyWideUses(result))
    return {false, "WD-only-float32-uses"};
  if (isa<ConvOp>(op) && isNarrowConvolution(op))
    return {false, "NW-narrow-convolution"};
  if (isa<ConvInputGradOp>(op) && inNormalisedNetwork(op))
    return {false, "NW-gradient-into-norm"};
  if (cls == PrecisionClass::Allow)
    return {true, "AL-contraction"};
  if (usedByContraction(result))
    return {true, "AL-feeds-contraction"};
  if (cls == PrecisionClass::Keep)
    return {false, "KP-range-sensitive"};
  if (usedByKeep(result))
    return {false, "KP-feeds-range-sensitive"};
  return readsLow(op) ? Choice{true, "FO-reads-low"}
                      : Choice{false, "FO-reads-float32"};
}

void Assigner::run(func::FuncOp function) {
  Builder builder(function.getContext());
  Type f32 = builder.getF32Type();
  Block &body = function.getBody().front();
  if (llvm::any_of(body, [](Operation &op) {
        return isa<BatchNormOp, BatchNormInferenceOp>(op);
      }))
    function->setAttr(kNormalisedAttr, builder.getUnitAttr());
  for (Operation &op : body) {
    bool anyFloat = llvm::any_of(op.getResultTypes(), isFloatTensor);
    if (!anyFloat)
      continue;
    SmallVector<Attribute> storage;
    StringRef rule;
    for (OpResult result : op.getResults()) {
      Type element = tensorType(result).getElementType();
      if (isFloatTensor(result.getType())) {
        Choice choice = choose(&op, result);
        if (choice.low) {
          element = low;
          lowValues.insert(result);
        }
        if (rule.empty())
          rule = choice.rule;
      }
      storage.push_back(TypeAttr::get(element));
    }
    bool lowCompute = effectiveClass(&op) == PrecisionClass::Allow &&
                      !isNarrowConvolution(&op);
    op.setAttr(
        kDecisionAttr,
        builder.getDictionaryAttr(
            {builder.getNamedAttr("storage", builder.getArrayAttr(storage)),
             builder.getNamedAttr("compute",
                                  TypeAttr::get(lowCompute ? low : f32)),
             builder.getNamedAttr("rule", builder.getStringAttr(rule))}));
  }
}

struct AssignPrecision : amp::impl::AssignPrecisionPassBase<AssignPrecision> {
  using AssignPrecisionPassBase::AssignPrecisionPassBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    FloatType low = llvm::StringSwitch<FloatType>(precision)
                        .Case("bf16", BFloat16Type::get(context))
                        .Case("fp16", Float16Type::get(context))
                        .Cases({"fp32", "tf32"}, Float32Type::get(context))
                        .Default(nullptr);
    if (!low) {
      getOperation().emitError() << "unknown precision '" << precision
                                 << "', expected fp32, bf16, fp16 or tf32";
      return signalPassFailure();
    }
    if (low.isF32())
      return;
    getOperation()->setAttr("amp.precision", TypeAttr::get(low));
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function->hasAttr("amp.precision_applied"))
        Assigner(low).run(function);
  }
};

} // namespace
