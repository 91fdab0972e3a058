//===- SimplifyCasts.cpp - Share, hoist and fold casts --------------------===//

#include "Slots.h"
#include "amp/Transforms/Precision/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_SIMPLIFYCASTSPASS
#include "amp/Transforms/Precision/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// Every value of the narrower type is one of the wider.
bool holdsAll(Type narrow, Type wide) {
  if (narrow == wide)
    return true;
  return (narrow.isBF16() || narrow.isF16()) && (wide.isF32() || wide.isF64());
}

/// The cast makes float elements smaller.
bool narrows(CastOp cast) {
  auto from = dyn_cast<FloatType>(tensorType(cast.getX()).getElementType());
  auto to = dyn_cast<FloatType>(tensorType(cast).getElementType());
  return from && to && to.getWidth() < from.getWidth();
}

/// cast(cast(x)) is x or one cast, where the first loses nothing.
struct FoldWidening : OpRewritePattern<CastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CastOp cast,
                                PatternRewriter &rewriter) const override {
    auto inner = cast.getX().getDefiningOp<CastOp>();
    if (!inner || inner.getUser() || cast.getUser())
      return failure();
    Type from = tensorType(inner.getX()).getElementType();
    if (!holdsAll(from, tensorType(inner).getElementType()))
      return rewriter.notifyMatchFailure(cast, "the first cast rounds");
    if (inner.getX().getType() == cast.getType())
      rewriter.replaceOp(cast, inner.getX());
    else
      rewriter.modifyOpInPlace(
          cast, [&] { cast.getXMutable().assign(inner.getX()); });
    return success();
  }
};

/// Records that the only result of a transparent op has another type now.
void decideAgain(Operation *op, Type element) {
  auto decision = op->getAttrOfType<DictionaryAttr>(kDecisionAttr);
  if (!decision)
    return;
  Builder builder(op->getContext());
  NamedAttrList items(decision);
  items.set("storage", builder.getArrayAttr({TypeAttr::get(element)}));
  items.set("rule", builder.getStringAttr("TR-cast-hoisted"));
  op->setAttr(kDecisionAttr, items.getDictionary(op->getContext()));
}

/// A narrowing behind a transparent op with one float operand moves in front
/// of it, where there are as many or fewer bytes and other uses may share it.
struct HoistAboveTransparent : OpRewritePattern<CastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CastOp cast,
                                PatternRewriter &rewriter) const override {
    Operation *op = cast.getX().getDefiningOp();
    // A gather reads few rows; casting the whole table for it costs more.
    if (!op || cast.getUser() || !narrows(cast) || !op->hasOneUse() ||
        !isa<ReshapeOp, TransposeOp, SliceOp, BroadcastOp>(op))
      return failure();
    Value source = op->getOperand(0);
    if (tensorType(source).getNumElements() > tensorType(cast).getNumElements())
      return failure();
    Type element = tensorType(cast).getElementType();
    auto early = CastOp::create(rewriter, cast.getLoc(),
                                withElement(source.getType(), element), source,
                                UnitAttr());
    if (Attribute phase = op->getAttr("amp.phase"))
      early->setAttr("amp.phase", phase);
    rewriter.moveOpBefore(early, op);
    rewriter.modifyOpInPlace(op, [&] {
      op->setOperand(0, early);
      op->getResult(0).setType(cast.getType());
      decideAgain(op, element);
    });
    rewriter.replaceOp(cast, op->getResult(0));
    return success();
  }
};

/// Merges equal casts of one value; the first one stays.
void shareCasts(func::FuncOp function) {
  Block &body = function.getBody().front();
  DenseMap<std::pair<Value, Type>, CastOp> known;
  for (auto cast : llvm::make_early_inc_range(body.getOps<CastOp>())) {
    if (cast.getUser())
      continue;
    CastOp &first = known[{cast.getX(), cast.getType()}];
    if (first) {
      cast.replaceAllUsesWith(first.getResult());
      cast.erase();
      continue;
    }
    first = cast;
  }
}

struct SimplifyCasts : amp::impl::SimplifyCastsPassBase<SimplifyCasts> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldWidening, HoistAboveTransparent>(&getContext());
    FrozenRewritePatternSet frozen(std::move(patterns));
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      shareCasts(function);
      if (failed(applyPatternsGreedily(function, frozen)))
        return signalPassFailure();
      shareCasts(function);
    }
  }
};

} // namespace
