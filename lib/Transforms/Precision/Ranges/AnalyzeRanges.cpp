//===- AnalyzeRanges.cpp - Rule out what ranges forbid --------------------===//

#include "../Forbid.h"
#include "../Slots.h"
#include "Verdicts.h"
#include "amp/Transforms/Precision/Passes.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_ANALYZERANGESPASS
#include "amp/Transforms/Precision/Passes.h.inc"
} // namespace amp

using namespace amp;
using namespace amp::ranges;

namespace {

struct AnalyzeRanges : amp::impl::AnalyzeRangesPassBase<AnalyzeRanges> {
  using AnalyzeRangesPassBase::AnalyzeRangesPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!(headroom >= 1) || !(gradientScale > 0) || !(mostLost >= 0)) {
      module.emitError() << "headroom must be at least 1, gradient-scale above "
                            "0 and most-lost at least 0";
      return signalPassFailure();
    }
    auto evidence = module->getAttrOfType<BoolAttr>(kRangeEvidenceAttr);
    if (evidence && !evidence.getValue())
      return;
    if (allowBF16)
      module->setAttr(kAllowBF16Attr, UnitAttr::get(&getContext()));
    RangeAnalysis facts(module);
    for (auto function : module.getOps<func::FuncOp>())
      if (!function->hasAttr("amp.precision_applied") && !function.isExternal())
        run(function, facts);
  }

  void run(func::FuncOp function, RangeAnalysis &facts);
  void writeRange(Operation *op, const RangeAnalysis &facts);
};

} // namespace

/// Bounds of a result as an attribute; empty if nothing is known.
static DictionaryAttr rangeOf(OpResult result, const RangeAnalysis &facts) {
  Builder builder(result.getContext());
  NamedAttrList items;
  const ValueFacts &known = facts[result];
  DictionaryAttr measured = calibratedRange(result);
  if (!known.bounds.isFinite() && measured && measured.contains("min") &&
      measured.contains("max")) {
    items.set("lo", measured.get("min"));
    items.set("hi", measured.get("max"));
    items.set("src", builder.getStringAttr("calibrated"));
  } else if (known.bounds.isKnown()) {
    items.set("lo", builder.getF64FloatAttr(known.bounds.lo));
    items.set("hi", builder.getF64FloatAttr(known.bounds.hi));
    items.set("src",
              builder.getStringAttr(known.constant ? "constant" : "static"));
    if (!known.why.empty())
      items.set("why", builder.getStringAttr(known.why));
  }
  return items.getDictionary(builder.getContext());
}

void AnalyzeRanges::writeRange(Operation *op, const RangeAnalysis &facts) {
  SmallVector<Attribute> ranges;
  bool isKnown = false;
  for (OpResult result : op->getResults()) {
    if (!isFloatTensor(result.getType()))
      continue;
    DictionaryAttr range = rangeOf(result, facts);
    isKnown |= !range.empty();
    ranges.push_back(range);
  }
  if (isKnown)
    op->setAttr(kRangeAttr, ArrayAttr::get(&getContext(), ranges));
  else
    op->removeAttr(kRangeAttr);
}

void AnalyzeRanges::run(func::FuncOp function, RangeAnalysis &facts) {
  Block &block = function.getBody().front();
  facts.run(block);
  CalibrationRule rule;
  rule.headroom = headroom;
  rule.gradientScale = gradientScale;
  rule.mostLost = mostLost;
  SmallVector<Verdicts, 2> verdicts;
  for (const LowType &type : kLowTypes) {
    verdicts.emplace_back(type, facts, rule);
    verdicts.back().run(block);
  }
  Builder builder(&getContext());
  for (Operation &op : block) {
    if (isa<ReadOp, ConstantOp>(op))
      continue;
    writeRange(&op, facts);
    NamedAttrList forbid;
    for (auto [type, judged] : llvm::zip_equal(kLowTypes, verdicts)) {
      Reason reason = judged.forbids(&op);
      if (reason.empty())
        continue;
      forbid.set(type.key, builder.getStringAttr(reason));
      for (OpOperand &operand : op.getOpOperands())
        if (const WeightLoss *loss = judged.lossOf(operand.get());
            loss && operandSlot(operand) == Slot::Low)
          op.emitRemark() << "not in " << type.key << ": " << reason;
    }
    if (forbid.empty())
      op.removeAttr(kForbidAttr);
    else
      op.setAttr(kForbidAttr, forbid.getDictionary(&getContext()));
    auto select = dyn_cast<SelectOp>(op);
    if (select && selectsMask(select, facts))
      op.setAttr(kClampAttr, builder.getUnitAttr());
  }
}
