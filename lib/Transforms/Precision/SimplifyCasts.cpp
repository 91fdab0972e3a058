//===- SimplifyCasts.cpp - Share, move and fold casts ---------------------===//

#include "CastMoves.h"
#include "Slots.h"
#include "amp/Dialect/Amp/IR/Functions.h"
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

/// The cast makes float elements larger, and loses nothing.
bool widens(CastOp cast) {
  Type from = tensorType(cast.getX()).getElementType();
  Type to = tensorType(cast).getElementType();
  return from != to && holdsAll(from, to);
}

/// Records that the only result of a transparent op has another type now.
void decideAgain(Operation *op, Type element, StringRef rule) {
  auto decision = op->getAttrOfType<DictionaryAttr>(kDecisionAttr);
  if (!decision)
    return;
  Builder builder(op->getContext());
  NamedAttrList items(decision);
  items.set("storage", builder.getArrayAttr({TypeAttr::get(element)}));
  items.set("rule", builder.getStringAttr(rule));
  op->setAttr(kDecisionAttr, items.getDictionary(op->getContext()));
}

/// A cast behind a transparent op with one float operand moves in front of it,
/// where there are fewer bytes.
struct HoistAboveTransparent : OpRewritePattern<CastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CastOp cast,
                                PatternRewriter &rewriter) const override {
    Operation *op = cast.getX().getDefiningOp();
    if (!op || cast.getUser() || !op->hasOneUse() ||
        !(narrows(cast) || widens(cast)) || !mayHoistCast(op, narrows(cast)))
      return failure();
    Value source = op->getOperand(0);
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
      decideAgain(op, element, "TR-cast-hoisted");
    });
    rewriter.replaceOp(cast, op->getResult(0));
    return success();
  }
};

/// A cast in front of a transparent op moves behind it, where there are fewer
/// bytes.
struct SinkBelowTransparent : OpRewritePattern<CastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CastOp cast,
                                PatternRewriter &rewriter) const override {
    if (cast.getUser() || !cast->hasOneUse())
      return failure();
    OpOperand &use = *cast->use_begin();
    Operation *op = use.getOwner();
    if (use.getOperandNumber() != 0 || !(narrows(cast) || widens(cast)) ||
        !maySinkCast(op, cast.getX(), narrows(cast)))
      return failure();
    Value result = op->getResult(0);
    Type element = tensorType(cast.getX()).getElementType();
    // A reduction may have a type of its own.
    if (tensorType(result).getElementType() !=
        tensorType(cast).getElementType())
      return failure();
    Type late = result.getType();
    rewriter.modifyOpInPlace(op, [&] {
      op->setOperand(0, cast.getX());
      result.setType(withElement(late, element));
      decideAgain(op, element, "TR-cast-sunk");
    });
    rewriter.setInsertionPointAfter(op);
    auto sunk =
        CastOp::create(rewriter, cast.getLoc(), late, result, UnitAttr());
    if (Attribute phase = op->getAttr("amp.phase"))
      sunk->setAttr("amp.phase", phase);
    rewriter.replaceAllUsesExcept(result, sunk.getResult(), sunk);
    rewriter.eraseOp(cast);
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
    patterns.add<FoldWidening, HoistAboveTransparent, SinkBelowTransparent>(
        &getContext());
    FrozenRewritePatternSet frozen(std::move(patterns));
    for (auto function : functionsWithBody(getOperation())) {
      shareCasts(function);
      if (failed(applyPatternsGreedily(function, frozen)))
        return signalPassFailure();
      shareCasts(function);
    }
  }
};

} // namespace
