//===- CrossEntropy.cpp - Cross-entropy from log-softmax and one-hot ------===//
//
// -mean over rows of the sum over classes of onehot(target) log_softmax(x),
// where the one-hot compares the target with the class numbers. A target
// outside the classes has a row of zeros there and is no legal target of the
// op, so both agree on every legal one.
//
//===----------------------------------------------------------------------===//

#include "Match.h"

using namespace amp;
using namespace amp::raise;
using mlir::Value;

/// The target of a one-hot over the last dimension of `type`, or null.
static Value targetOfOneHot(Value value, mlir::RankedTensorType type) {
  Value condition;
  if (auto select = only<SelectOp>(value)) {
    if (!isSplat(select.getOnTrue(), 1) || !isSplat(select.getOnFalse(), 0))
      return {};
    condition = select.getCondition();
  } else if (auto cast = only<CastOp>(value)) {
    condition = cast.getX();
  } else {
    return {};
  }
  auto compare = only<CompareOp>(condition);
  if (!compare || compare.getPredicate() != ComparePredicate::EQ ||
      compare.getType().getShape() != type.getShape())
    return {};
  int64_t last = type.getRank() - 1;
  auto isClasses = [&](Value side) {
    auto iota = side.getDefiningOp<IotaOp>();
    int64_t rank = tensorType(side).getRank();
    return iota && static_cast<int64_t>(iota.getAxis()) == rank - 1 &&
           tensorType(side).getShape().back() == type.getShape()[last];
  };
  auto sides = ordered(compare, isClasses);
  auto widened = sides ? sides->second.getDefiningOp<ReshapeOp>() : ReshapeOp();
  if (!widened)
    return {};
  // [rows...] with a class dimension of 1 behind it.
  llvm::SmallVector<int64_t> shape(type.getShape().drop_back());
  if (tensorType(widened.getX()).getShape() != llvm::ArrayRef<int64_t>(shape))
    return {};
  shape.push_back(1);
  return widened.getType().getShape() == llvm::ArrayRef<int64_t>(shape)
             ? Value(widened.getX())
             : Value();
}

namespace {

struct RaiseCrossEntropy : mlir::OpRewritePattern<NegOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(NegOp root, mlir::PatternRewriter &rewriter) const override {
    auto mean = only<ReduceMeanOp>(root.getX());
    auto sum = mean ? only<ReduceSumOp>(mean.getX()) : ReduceSumOp();
    auto product = sum ? only<MulOp>(sum.getX()) : MulOp();
    if (!product || root.getType().getRank() != 0)
      return mlir::failure();
    int64_t rank = product.getType().getRank();
    // The sum takes the classes, the mean all rows.
    if (sum.getAxes() != llvm::ArrayRef<int64_t>{rank - 1} ||
        static_cast<int64_t>(mean.getAxes().size()) !=
            tensorType(mean.getX()).getRank())
      return mlir::failure();
    auto sides = ordered(product, [](Value side) {
      return static_cast<bool>(only<LogSoftmaxOp>(side));
    });
    if (!sides)
      return mlir::failure();
    auto log = sides->first.getDefiningOp<LogSoftmaxOp>();
    if (static_cast<int64_t>(log.getAxis()) != rank - 1 ||
        log.getType() != product.getType() ||
        !log.getType().getElementType().isF32())
      return mlir::failure();
    Value target = targetOfOneHot(sides->second, log.getType());
    if (!target)
      return mlir::failure();
    auto f32 = rewriter.getF32Type();
    auto rows =
        mlir::RankedTensorType::get(log.getType().getShape().drop_back(), f32);
    auto op = SoftmaxCrossEntropyOp::create(
        rewriter, root.getLoc(), root.getType(), rows, root.getType(),
        log.getX(), target,
        // No target is ignored.
        rewriter.getI64IntegerAttr(std::numeric_limits<int64_t>::min()),
        rewriter.getF64FloatAttr(0),
        LossReductionAttr::get(getContext(), LossReduction::Mean),
        mlir::TypeAttr::get(f32));
    rewriter.replaceOp(root, op.getLoss());
    return mlir::success();
  }
};

} // namespace

void raise::addCrossEntropyPatterns(mlir::RewritePatternSet &patterns) {
  patterns.add<RaiseCrossEntropy>(patterns.getContext());
}
