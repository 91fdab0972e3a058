//===- Decompose.cpp - Write ops with those that are launched -------------===//
//
// Attention:
//
//   x = scale q k^T + mask      dprobs = dy v^T
//   p = softmax(x)              ds = p * (dprobs - sum(p dprobs))
//   y = p v                     dq = scale ds k, dk = scale ds^T q, dv = p^T dy
//
// The factor is applied beside the softmax, whose kernel holds float32 in
// registers, so that neither products nor buffers are added for it.
//
// Slices that walk backwards gather: launches take views in ascending order.
//
//===----------------------------------------------------------------------===//

#include "RegionBuilder.h"
#include "amp/Analysis/Traffic.h"
#include "amp/Dialect/Amp/IR/Source.h"
#include "amp/Transforms/Fusion/Passes.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_DECOMPOSEPASS
#include "amp/Transforms/Fusion/Passes.h.inc"
} // namespace amp

using namespace amp;

namespace {

/// Makes the pieces of one op: beside it, at its location, in its phase.
class PieceBuilder {
public:
  PieceBuilder(Operation *source, Type wide)
      : builder(source), source(source), wide(wide) {}

  template <typename OpTy, typename... Args>
  Value make(Args &&...args) {
    auto op =
        OpTy::create(builder, source->getLoc(), std::forward<Args>(args)...);
    copyPhase(source, op);
    return op->getResult(0);
  }
  Value product(Type type, Value lhs, Value rhs, bool flipLhs, bool flipRhs) {
    return make<MatmulOp>(type, lhs, rhs, flipLhs, flipRhs);
  }
  /// x times the factor, rounded to `element`.
  Value scaled(Value x, const APFloat &factor, Type element) {
    if (factor.isExactlyValue(1.0))
      return rounded(x, element);
    Type scalar = RankedTensorType::get({}, wide);
    Value number = make<ConstantOp>(DenseElementsAttr::get(
        cast<RankedTensorType>(scalar),
        builder.getFloatAttr(wide, factor.convertToDouble())));
    return make<MulOp>(withElement(x.getType(), element), x, number);
  }
  Value rounded(Value x, Type element) {
    if (tensorType(x).getElementType() == element)
      return x;
    return make<CastOp>(withElement(x.getType(), element), x);
  }
  /// Puts a piece in the place of a result of the source.
  void give(OpResult result, Value piece) {
    Operation *op = piece.getDefiningOp();
    if (auto mark = sourceOf(op->getLoc()))
      op->setLoc(
          withSource(op->getLoc(), {mark->key, result.getResultNumber()}));
    result.replaceAllUsesWith(piece);
  }
  Type getWide() const { return wide; }

private:
  OpBuilder builder;
  Operation *source;
  Type wide;
};

void decompose(AttentionOp op) {
  Type compute = tensorType(op.getQuery()).getElementType();
  PieceBuilder b(op, op.getAcc());
  Type scores =
      withElement(op.getProbs().getType(), scoresType(compute, op.getAcc()));
  Value x = b.product(scores, op.getQuery(), op.getKey(), false, true);
  if (!op.getScale().isExactlyValue(1.0))
    x = b.scaled(x, op.getScale(), b.getWide());
  if (op.getMask())
    x = b.make<AddOp>(withElement(x.getType(), b.getWide()), x, op.getMask());
  // What nothing else reads need not be wider than the product takes it.
  Type stored = op.getProbs().use_empty()
                    ? compute
                    : tensorType(op.getProbs()).getElementType();
  Value probs = b.make<SoftmaxOp>(withElement(x.getType(), stored), x,
                                  tensorType(x).getRank() - 1, b.getWide());
  b.give(op->getResult(0),
         b.product(op.getResult().getType(), b.rounded(probs, compute),
                   op.getValue(), false, false));
  b.give(op->getResult(1), probs);
  op->erase();
}

void decompose(AttentionGradOp op) {
  Value dy = op.getDresult(), probs = op.getProbs();
  Type compute = tensorType(dy).getElementType();
  PieceBuilder b(op, op.getAcc());
  Type wide = b.getWide();
  Value dprobs = b.product(withElement(probs.getType(), compute), dy,
                           op.getValue(), false, true);
  b.give(op->getResult(2),
         b.product(op.getDvalue().getType(), probs, dy, true, false));
  Value dscores =
      b.make<SoftmaxGradOp>(withElement(probs.getType(), wide), dprobs, probs,
                            tensorType(probs).getRank() - 1, wide);
  b.give(op->getResult(3),
         b.rounded(dscores, tensorType(op.getDscores()).getElementType()));
  Value factor = b.scaled(dscores, op.getScale(), compute);
  b.give(op->getResult(0), b.product(op.getDquery().getType(), factor,
                                     op.getKey(), false, false));
  b.give(op->getResult(1),
         b.product(op.getDkey().getType(), factor, op.getQuery(), true, false));
  op->erase();
}

void decompose(SliceOp op) {
  SmallVector<int64_t> starts(op.getStarts()), steps(op.getSteps());
  ArrayRef<int64_t> counts = tensorType(op.getResult()).getShape();
  SmallVector<int64_t> shape(counts), backwards;
  for (auto [dim, step] : llvm::enumerate(op.getSteps())) {
    if (step > 0)
      continue;
    steps[dim] = 1;
    // One element has no direction.
    if (counts[dim] <= 1)
      continue;
    backwards.push_back(dim);
    starts[dim] = 0;
    shape[dim] = tensorType(op.getX()).getDimSize(dim);
  }
  if (ArrayRef<int64_t>(steps) == op.getSteps())
    return;
  OpBuilder builder(op);
  Type element = tensorType(op.getX()).getElementType();
  Value x = SliceOp::create(builder, op.getLoc(),
                            RankedTensorType::get(shape, element), op.getX(),
                            starts, steps);
  copyPhase(op, x.getDefiningOp());
  for (int64_t dim : backwards) {
    SmallVector<int64_t> places;
    for (int64_t i = 0; i < counts[dim]; ++i)
      places.push_back(op.getStarts()[dim] + i * op.getSteps()[dim]);
    auto indices = ConstantOp::create(
        builder, op.getLoc(),
        DenseElementsAttr::get(
            RankedTensorType::get({counts[dim]}, builder.getI64Type()),
            ArrayRef<int64_t>(places)));
    shape[dim] = counts[dim];
    x = GatherOp::create(builder, op.getLoc(),
                         RankedTensorType::get(shape, element), x, indices,
                         dim);
    copyPhase(op, x.getDefiningOp());
  }
  op.getResult().replaceAllUsesWith(x);
  op->erase();
}

struct Decompose : amp::impl::DecomposePassBase<Decompose> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    for (Operation &op :
         llvm::make_early_inc_range(getOperation().getBody().front())) {
      if (auto attention = dyn_cast<AttentionOp>(op))
        decompose(attention);
      else if (auto gradient = dyn_cast<AttentionGradOp>(op))
        decompose(gradient);
      else if (auto slice = dyn_cast<SliceOp>(op))
        decompose(slice);
    }
    // Pieces of results that nothing reads.
    for (Operation &op : llvm::make_early_inc_range(
             llvm::reverse(getOperation().getBody().front())))
      if (isOpTriviallyDead(&op))
        op.erase();
  }
};

} // namespace
