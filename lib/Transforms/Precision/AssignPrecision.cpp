//===- AssignPrecision.cpp - Decide the storage type of every value -------===//

#include "Annotations.h"
#include "Assign/Assign.h"
#include "Slots.h"
#include "amp/Analysis/Traffic.h"
#include "amp/Dialect/Amp/IR/Functions.h"
#include "amp/Transforms/Precision/Passes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_ASSIGNPRECISIONPASS
#include "amp/Transforms/Precision/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

DictionaryAttr asAttribute(const Decision &decision, MLIRContext *context) {
  Builder builder(context);
  SmallVector<Attribute> storage;
  for (Type type : decision.storage)
    storage.push_back(TypeAttr::get(type));
  NamedAttrList items;
  items.set("storage", builder.getArrayAttr(storage));
  items.set("compute", TypeAttr::get(decision.compute));
  items.set("rule", builder.getStringAttr(decision.rule));
  if (!decision.evidence.empty())
    items.set("evidence", builder.getStringAttr(decision.evidence));
  return items.getDictionary(context);
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
    if (failed(checkAnnotations(getOperation())))
      return signalPassFailure();
    getOperation()->setAttr("amp.precision", TypeAttr::get(low));
    StringRef name = assignment;
    if (name.empty())
      name = chosen(kAssignAttr, assignAlgorithmName(presets()[0].algorithm));
    auto algorithm = parseAssignAlgorithm(name);
    if (!algorithm) {
      getOperation().emitError() << "unknown assignment '" << name
                                 << "', expected " << assignAlgorithmNames();
      return signalPassFailure();
    }
    for (auto function : functionsWithBody(getOperation()))
      if (!function->hasAttr("amp.precision_applied"))
        run(function, *algorithm, low);
  }

  /// What amp-apply-policy left on the module, or `otherwise`.
  StringRef chosen(StringRef attribute, StringRef otherwise) {
    auto text = getOperation()->getAttrOfType<StringAttr>(attribute);
    return text ? text.getValue() : otherwise;
  }

  void run(func::FuncOp function, AssignAlgorithm algorithm, FloatType low) {
    // No other system treats networks with batch norms in a way of their own.
    if (chosen(kPresetAttr, "default") == "default" && hasBatchNorm(function))
      function->setAttr(kNormalisedAttr, UnitAttr::get(&getContext()));
    AssignOptions options;
    options.low = low;
    if (auto evidence =
            getOperation()->getAttrOfType<BoolAttr>(kRangeEvidenceAttr))
      options.rangeEvidence = evidence.getValue();
    options.profitable = costModel;
    Decisions decisions = assign(algorithm, function, options);
    for (auto &[op, decision] : decisions)
      op->setAttr(kDecisionAttr, asAttribute(decision, &getContext()));
    if (explain)
      writeCosts(function, options, decisions);
    if (function->hasAttr(kFixedBytesAttr))
      record(function, predictBytes(function, options, decisions));
  }

  /// Beside those of other functions on the module.
  void record(func::FuncOp function, const PredictedBytes &bytes) {
    ModuleOp module = getOperation();
    auto known = module->getAttrOfType<DictionaryAttr>(kPredictedBytesAttr);
    NamedAttrList items = known ? NamedAttrList(known) : NamedAttrList();
    items.set(function.getSymName(),
              Builder(&getContext())
                  .getDenseI64ArrayAttr(
                      {bytes.decided, bytes.greedy, bytes.float32}));
    module->setAttr(kPredictedBytesAttr, items.getDictionary(&getContext()));
  }
};

} // namespace
