//===- SimplifyGradients.cpp - Join gradient pieces autodiff left apart ---===//

#include "amp/Transforms/Fusion/Passes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_SIMPLIFYGRADIENTSPASS
#include "amp/Transforms/Fusion/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// Keeps the phase of the op that is replaced.
void inheritPhase(Operation *from, Operation *to) {
  if (Attribute phase = from->getAttr("amp.phase"))
    to->setAttr("amp.phase", phase);
}

/// The one dimension a plain zero pad extends, or -1.
int64_t paddedAxis(PadOp pad) {
  if (!pad || !pad.getValue().isZero() || !pad->hasOneUse())
    return -1;
  int64_t axis = -1;
  for (int64_t i = 0, e = pad.getLow().size(); i < e; ++i) {
    if (pad.getInterior()[i])
      return -1;
    if (pad.getLow()[i] || pad.getHigh()[i]) {
      if (axis >= 0)
        return -1;
      axis = i;
    }
  }
  return axis;
}

struct SumOfPadsIsConcat : OpRewritePattern<FanInSumOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(FanInSumOp sum,
                                PatternRewriter &rewriter) const override {
    int64_t axis = -1;
    SmallVector<PadOp> pads;
    for (Value term : sum.getTerms()) {
      auto pad = term.getDefiningOp<PadOp>();
      int64_t own = pad ? paddedAxis(pad) : -1;
      if (own < 0 || (axis >= 0 && own != axis))
        return rewriter.notifyMatchFailure(sum, "a term is no pad of one axis");
      axis = own;
      pads.push_back(pad);
    }
    llvm::sort(pads, [&](PadOp a, PadOp b) {
      return a.getLow()[axis] < b.getLow()[axis];
    });
    int64_t next = 0;
    SmallVector<Value> parts;
    for (PadOp pad : pads) {
      if (pad.getLow()[axis] != next)
        return rewriter.notifyMatchFailure(sum, "the ranges do not join");
      parts.push_back(pad.getX());
      next += tensorType(pad.getX()).getDimSize(axis);
    }
    if (next != tensorType(sum).getDimSize(axis))
      return rewriter.notifyMatchFailure(sum, "the ranges leave a gap");
    auto concat = ConcatOp::create(rewriter, sum.getLoc(), sum.getType(), parts,
                                   rewriter.getI64IntegerAttr(axis));
    inheritPhase(sum, concat);
    rewriter.replaceOp(sum, concat);
    return success();
  }
};

struct DropImplicitBroadcast : RewritePattern {
  DropImplicitBroadcast(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!op->hasTrait<Broadcasting>() || op->getNumResults() != 1)
      return failure();
    auto result = tensorType(op->getResult(0)).getShape();
    for (OpOperand &use : op->getOpOperands()) {
      auto broadcast = use.get().getDefiningOp<BroadcastOp>();
      if (!broadcast)
        continue;
      SmallVector<int64_t> shape(
          tensorType(broadcast.getX()).getShape());
      for (OpOperand &other : op->getOpOperands()) {
        if (&other == &use)
          continue;
        auto joined =
            broadcastShapes(shape, tensorType(other.get()).getShape());
        if (!joined)
          return failure();
        shape = *joined;
      }
      if (ArrayRef<int64_t>(shape) != result)
        continue;
      rewriter.modifyOpInPlace(op, [&] { use.set(broadcast.getX()); });
      return success();
    }
    return failure();
  }
};

struct BiasIntoMatmul : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp add,
                                PatternRewriter &rewriter) const override {
    for (unsigned side : {0u, 1u}) {
      auto matmul = add->getOperand(side).getDefiningOp<MatmulOp>();
      Value bias = add->getOperand(1 - side);
      if (!matmul || !matmul->hasOneUse() || matmul.getBias() ||
          matmul.getType() != add.getType())
        continue;
      auto type = tensorType(bias);
      int64_t columns = tensorType(matmul).getShape().back();
      if (type.getNumElements() != columns || type.getRank() == 0 ||
          type.getShape().back() != columns)
        continue;
      if (type.getRank() != 1)
        bias = ReshapeOp::create(
            rewriter, add.getLoc(),
            RankedTensorType::get({columns}, type.getElementType()), bias);
      auto fused = MatmulOp::create(rewriter, matmul.getLoc(), add.getType(),
                                    matmul.getLhs(), matmul.getRhs(),
                                    matmul.getTransposeLhs(),
                                    matmul.getTransposeRhs(), bias);
      fused.setAcc(matmul.getAcc());
      inheritPhase(matmul, fused);
      rewriter.replaceOp(add, fused);
      return success();
    }
    return failure();
  }
};

struct SimplifyGradients
    : amp::impl::SimplifyGradientsPassBase<SimplifyGradients> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SumOfPadsIsConcat, DropImplicitBroadcast, BiasIntoMatmul>(
        &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
