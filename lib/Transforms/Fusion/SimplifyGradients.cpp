//===- SimplifyGradients.cpp - Join gradient pieces autodiff left apart ---===//

#include "amp/Dialect/Amp/IR/Branches.h"
#include "amp/Dialect/Amp/IR/Source.h"
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

/// The gradients of pieces that were cut out of one value, each padded to its
/// size: side by side instead of added up. Pieces that were read twice are
/// added first, what is no piece last.
struct SumOfPadsIsConcat : OpRewritePattern<FanInSumOp> {
  using OpRewritePattern::OpRewritePattern;

  /// The gradients of the piece that begins at `low`.
  struct Piece {
    int64_t low, size;
    SmallVector<Value> terms;
  };

  LogicalResult matchAndRewrite(FanInSumOp sum,
                                PatternRewriter &rewriter) const override {
    int64_t axis = -1, count = 0;
    SmallVector<Piece> pieces;
    SmallVector<Value> rest;
    for (Value term : sum.getTerms()) {
      auto pad = term.getDefiningOp<PadOp>();
      int64_t own = pad ? paddedAxis(pad) : -1;
      if (own < 0 || (axis >= 0 && own != axis) ||
          pad.getType() != sum.getType()) {
        rest.push_back(term);
        continue;
      }
      axis = own;
      ++count;
      pieces.push_back({pad.getLow()[axis],
                        tensorType(pad.getX()).getDimSize(axis),
                        {pad.getX()}});
    }
    if (count < 2)
      return rewriter.notifyMatchFailure(sum, "no two pads of one axis");
    if (failed(mergeEqual(pieces)))
      return rewriter.notifyMatchFailure(sum, "the ranges do not join");
    rest.push_back(join(sum, axis, pieces, rewriter));
    if (rest.size() == 1) {
      rewriter.replaceOp(sum, rest);
      return success();
    }
    rewriter.modifyOpInPlace(sum, [&] { sum.getTermsMutable().assign(rest); });
    return success();
  }

private:
  /// Sorts the pieces and joins those of one range; failure where others
  /// overlap or leave a gap between them.
  static LogicalResult mergeEqual(SmallVector<Piece> &pieces) {
    llvm::stable_sort(
        pieces, [](const Piece &a, const Piece &b) { return a.low < b.low; });
    SmallVector<Piece> merged;
    for (Piece &piece : pieces) {
      Piece *last = merged.empty() ? nullptr : &merged.back();
      if (last && last->low == piece.low && last->size == piece.size)
        llvm::append_range(last->terms, piece.terms);
      else if (last && last->low + last->size != piece.low)
        return failure();
      else
        merged.push_back(piece);
    }
    pieces = std::move(merged);
    return success();
  }

  static Value join(FanInSumOp sum, int64_t axis, ArrayRef<Piece> pieces,
                    PatternRewriter &rewriter) {
    Location loc = sum.getLoc();
    SmallVector<Value> parts;
    for (const Piece &piece : pieces) {
      parts.push_back(piece.terms.front());
      if (piece.terms.size() == 1)
        continue;
      parts.back() = FanInSumOp::create(rewriter, loc, parts.back().getType(),
                                        piece.terms, sum.getAcc());
      inheritPhase(sum, parts.back().getDefiningOp());
    }
    int64_t low = pieces.front().low;
    int64_t end = pieces.back().low + pieces.back().size;
    SmallVector<int64_t> shape(tensorType(sum).getShape());
    int64_t whole = std::exchange(shape[axis], end - low);
    Value joined = parts.front();
    if (parts.size() > 1) {
      joined = ConcatOp::create(
          rewriter, loc,
          RankedTensorType::get(shape, tensorType(sum).getElementType()), parts,
          rewriter.getI64IntegerAttr(axis));
      inheritPhase(sum, joined.getDefiningOp());
    }
    if (end - low == whole)
      return joined;
    SmallVector<int64_t> before(shape.size(), 0), after(before), none(before);
    before[axis] = low;
    after[axis] = whole - end;
    auto pad = PadOp::create(rewriter, loc, sum.getType(), joined, before,
                             after, none, APFloat(0.0));
    inheritPhase(sum, pad);
    return pad;
  }
};

/// What a branch reads is the value itself once gradients are made.
struct BranchInputIsValue : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SelectOp select,
                                PatternRewriter &rewriter) const override {
    if (!select->hasAttr(kBranchInputAttr))
      return failure();
    if (select.getOnTrue() == select.getOnFalse() &&
        select.getOnTrue().getType() == select.getType())
      rewriter.replaceOp(select, select.getOnTrue());
    else
      rewriter.modifyOpInPlace(select,
                               [&] { select->removeAttr(kBranchInputAttr); });
    return success();
  }
};

/// True for an op whose operands may be smaller than its result; the terms of
/// a fan-in sum may not.
bool broadcasts(Operation *op) {
  return op->hasTrait<Broadcasting>() && op->getNumResults() == 1 &&
         !isa<FanInSumOp>(op);
}

/// Operands that the op broadcasts by itself.
SmallVector<OpOperand *> broadcastOperands(Operation *op) {
  SmallVector<OpOperand *> operands;
  if (broadcasts(op))
    for (OpOperand &operand : op->getOpOperands())
      operands.push_back(&operand);
  else if (auto attention = dyn_cast<AttentionOp>(op))
    if (attention.getMask())
      operands.push_back(&attention.getMaskMutable().begin()[0]);
  return operands;
}

/// True if the op has the same result with an operand of this shape, which
/// broadcasts to that of the operand it has.
bool stillBroadcasts(OpOperand &use, ArrayRef<int64_t> shape) {
  Operation *op = use.getOwner();
  // The scores of attention have the shape of its other operands.
  if (isa<AttentionOp>(op))
    return true;
  SmallVector<int64_t> joined(shape);
  for (OpOperand &other : op->getOpOperands()) {
    if (&other == &use)
      continue;
    auto both = broadcastShapes(joined, tensorType(other.get()).getShape());
    if (!both)
      return false;
    joined = *both;
  }
  return ArrayRef<int64_t>(joined) == tensorType(op->getResult(0)).getShape();
}

struct DropImplicitBroadcast : RewritePattern {
  DropImplicitBroadcast(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    for (OpOperand *use : broadcastOperands(op)) {
      auto broadcast = use->get().getDefiningOp<BroadcastOp>();
      if (!broadcast ||
          !stillBroadcasts(*use, tensorType(broadcast.getX()).getShape()))
        continue;
      rewriter.modifyOpInPlace(op, [&] { use->set(broadcast.getX()); });
      return success();
    }
    return failure();
  }
};

/// The bias of an addition as a tensor of one dimension.
Value asVector(PatternRewriter &rewriter, AddOp add, Value bias) {
  auto type = tensorType(bias);
  if (type.getRank() == 1)
    return bias;
  auto flat = ReshapeOp::create(
      rewriter, add.getLoc(),
      RankedTensorType::get({type.getNumElements()}, type.getElementType()),
      bias);
  inheritPhase(add, flat);
  return flat;
}

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
      bias = asVector(rewriter, add, bias);
      auto fused = MatmulOp::create(rewriter, matmul.getLoc(), add.getType(),
                                    matmul.getLhs(), matmul.getRhs(),
                                    matmul.getTransposeLhs(),
                                    matmul.getTransposeRhs(), bias);
      fused.setAcc(matmul.getAcc());
      inheritPhase(matmul, fused);
      noteMerged(fused, add.getLoc());
      rewriter.replaceOp(add, fused);
      return success();
    }
    return failure();
  }
};

/// transpose(A B) = B^T A^T: the gradient of a weight that was read
/// transposed.
struct TransposeOfMatmul : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp transpose,
                                PatternRewriter &rewriter) const override {
    auto matmul = transpose.getX().getDefiningOp<MatmulOp>();
    if (!matmul || !matmul->hasOneUse() || matmul.getBias() ||
        matmul.getLhsScale() || matmul.getRhsScale())
      return rewriter.notifyMatchFailure(transpose, "no plain product");
    ArrayRef<int64_t> perm = transpose.getPerm();
    int64_t rank = perm.size();
    if (rank < 2 || perm[rank - 1] != rank - 2 || perm[rank - 2] != rank - 1)
      return rewriter.notifyMatchFailure(transpose, "other dimensions move");
    for (int64_t i = 0; i + 2 < rank; ++i)
      if (perm[i] != i)
        return rewriter.notifyMatchFailure(transpose, "other dimensions move");
    auto swapped = MatmulOp::create(
        rewriter, matmul.getLoc(), transpose.getType(), matmul.getRhs(),
        matmul.getLhs(), !matmul.getTransposeRhs(), !matmul.getTransposeLhs());
    swapped.setAcc(matmul.getAcc());
    inheritPhase(matmul, swapped);
    rewriter.replaceOp(transpose, swapped);
    return success();
  }
};

/// A constant that repeats along leading dimensions is stored once, where the
/// op broadcasts it back.
struct ShrinkConstant : RewritePattern {
  ShrinkConstant(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    for (OpOperand *use : broadcastOperands(op)) {
      auto constant = use->get().getDefiningOp<ConstantOp>();
      auto value = constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                            : DenseElementsAttr();
      if (!value || value.isSplat() || value.getElementType().isInteger(1))
        continue;
      if (Attribute smaller = shrink(*use, value)) {
        rewriter.setInsertionPoint(op);
        auto fresh = ConstantOp::create(rewriter, constant.getLoc(),
                                        cast<ElementsAttr>(smaller));
        rewriter.modifyOpInPlace(op, [&] { use->set(fresh); });
        return success();
      }
    }
    return failure();
  }

  /// The value with its first repeated leading dimension made 1, or null.
  static Attribute shrink(OpOperand &use, DenseElementsAttr value) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    size_t dim = 0;
    while (dim < shape.size() && shape[dim] == 1)
      ++dim;
    if (dim == shape.size() || shape[dim] == 0)
      return {};
    ArrayRef<char> bytes = value.getRawData();
    size_t part = bytes.size() / shape[dim];
    for (int64_t i = 1; i < shape[dim]; ++i)
      if (bytes.slice(i * part, part) != bytes.take_front(part))
        return {};
    shape[dim] = 1;
    if (!stillBroadcasts(use, shape))
      return {};
    return DenseElementsAttr::getFromRawBuffer(
        RankedTensorType::get(shape, type.getElementType()),
        bytes.take_front(part));
  }
};

/// True if a tensor of type `bias` differs along dimension 1 of a result of
/// type `of` only, and along all of it.
bool isChannelVector(RankedTensorType bias, RankedTensorType of) {
  int64_t lead = of.getRank() - bias.getRank();
  if (lead < 0 || bias.getNumElements() != of.getDimSize(1))
    return false;
  for (int64_t i = 0; i < bias.getRank(); ++i)
    if (i + lead != 1 && bias.getDimSize(i) != 1)
      return false;
  return bias.getRank() > 0;
}

struct BiasIntoConv : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp add,
                                PatternRewriter &rewriter) const override {
    for (unsigned side : {0u, 1u}) {
      auto conv = add->getOperand(side).getDefiningOp<ConvOp>();
      Value bias = add->getOperand(1 - side);
      if (!conv || !conv->hasOneUse() || conv.getBias() ||
          conv.getType() != add.getType() ||
          !isChannelVector(tensorType(bias), tensorType(conv)))
        continue;
      bias = asVector(rewriter, add, bias);
      auto fused = ConvOp::create(
          rewriter, conv.getLoc(), add.getType(), conv.getX(), conv.getW(),
          bias, conv.getStridesAttr(), conv.getPadsAttr(),
          conv.getDilationsAttr(), conv.getGroupAttr(), conv.getAccAttr());
      inheritPhase(conv, fused);
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
    patterns
        .add<BranchInputIsValue, SumOfPadsIsConcat, DropImplicitBroadcast,
             BiasIntoMatmul, BiasIntoConv, TransposeOfMatmul, ShrinkConstant>(
            &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
