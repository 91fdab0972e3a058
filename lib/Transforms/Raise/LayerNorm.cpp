//===- LayerNorm.cpp - Layer norm from its formula ------------------------===//
//
// (x - mean) / sqrt(mean((x - mean)^2) + epsilon) * scale + bias. The product
// becomes the op, and a sum behind it its bias.
//
//===----------------------------------------------------------------------===//

#include "Match.h"

using namespace amp;
using namespace amp::raise;
using mlir::Value;

namespace {

/// What a normalised value was made from.
struct Normalised {
  Value x;
  int64_t axis;
  double epsilon;
};

} // namespace

/// The value below the square, if the value is one of exactly one op.
static Value squareRoot(Value value, mlir::Operation *&op) {
  if (auto pow = only<PowOp>(value)) {
    op = pow;
    return isSplat(pow.getRhs(), 2) ? Value(pow.getLhs()) : Value();
  }
  auto mul = only<MulOp>(value);
  op = mul;
  return mul && mul.getLhs() == mul.getRhs() ? Value(mul.getLhs()) : Value();
}

/// The centred value and sqrt(variance + epsilon) of a quotient, which may be
/// written as a product with a reciprocal.
static std::optional<std::pair<Value, Value>> quotient(Value value) {
  if (auto div = only<DivOp>(value)) {
    auto root = only<SqrtOp>(div.getRhs());
    if (!root)
      return std::nullopt;
    return std::make_pair(Value(div.getLhs()), Value(root.getX()));
  }
  auto mul = only<MulOp>(value);
  if (!mul)
    return std::nullopt;
  for (bool swapped : {false, true}) {
    Value centred = swapped ? mul.getRhs() : mul.getLhs();
    Value factor = swapped ? mul.getLhs() : mul.getRhs();
    if (auto rsqrt = only<RsqrtOp>(factor))
      return std::make_pair(centred, Value(rsqrt.getX()));
    auto reciprocal = only<ReciprocalOp>(factor);
    auto root = reciprocal ? only<SqrtOp>(reciprocal.getX()) : SqrtOp();
    if (root)
      return std::make_pair(centred, Value(root.getX()));
  }
  return std::nullopt;
}

/// Centres the same value twice? Exporters share the difference or repeat it.
static bool isSameDifference(SubOp first, SubOp second) {
  return first.getLhs() == second.getLhs() && first.getRhs() == second.getRhs();
}

static std::optional<Normalised> normalised(Value value) {
  auto parts = quotient(value);
  if (!parts)
    return std::nullopt;
  auto centred = parts->first.getDefiningOp<SubOp>();
  auto shifted = only<AddOp>(parts->second);
  if (!centred || !shifted)
    return std::nullopt;
  auto terms =
      ordered(shifted, [](Value term) { return splatOf(term).has_value(); });
  auto variance = terms ? only<ReduceMeanOp>(terms->second) : ReduceMeanOp();
  auto mean = centred.getRhs().getDefiningOp<ReduceMeanOp>();
  if (!variance || !mean || mean.getX() != centred.getLhs())
    return std::nullopt;
  mlir::Operation *square = nullptr;
  Value base = squareRoot(variance.getX(), square);
  auto squared = base ? base.getDefiningOp<SubOp>() : SubOp();
  if (!squared || !isSameDifference(centred, squared))
    return std::nullopt;
  // Nothing else may read what disappears.
  mlir::Operation *quotientOp = value.getDefiningOp();
  bool isPrivate = squared == centred
                       ? usedOnlyBy(centred.getResult(), {quotientOp, square})
                       : usedOnlyBy(centred.getResult(), {quotientOp}) &&
                             usedOnlyBy(squared.getResult(), {square});
  isPrivate &= usedOnlyBy(mean.getResult(), {centred, squared});
  std::optional<int64_t> axis = innermost(mean);
  if (!isPrivate || !axis || mean.getAxes() != variance.getAxes() ||
      !innermost(variance))
    return std::nullopt;
  double epsilon = *splatOf(terms->first);
  if (!(epsilon > 0) || !tensorType(mean.getX()).getElementType().isF32() ||
      mean.getX().getType() != value.getType())
    return std::nullopt;
  return Normalised{mean.getX(), *axis, epsilon};
}

/// True if the value has the shape of the normalised dimensions.
static bool isRow(Value value, mlir::RankedTensorType type, int64_t axis) {
  return tensorType(value).getShape() == type.getShape().drop_front(axis) &&
         tensorType(value).getElementType() == type.getElementType();
}

namespace {

struct RaiseLayerNorm : mlir::OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(MulOp root, mlir::PatternRewriter &rewriter) const override {
    for (bool swapped : {false, true}) {
      Value inner = swapped ? root.getRhs() : root.getLhs();
      Value scale = swapped ? root.getLhs() : root.getRhs();
      if (inner == scale)
        return mlir::failure();
      std::optional<Normalised> norm = normalised(inner);
      if (!norm || root.getType() != norm->x.getType() ||
          !isRow(scale, root.getType(), norm->axis))
        continue;
      mlir::RankedTensorType type = root.getType();
      llvm::SmallVector<int64_t> shape(type.getShape().take_front(norm->axis));
      shape.resize(type.getRank(), 1);
      auto statistics =
          mlir::RankedTensorType::get(shape, rewriter.getF32Type());
      auto op = LayerNormOp::create(
          rewriter, root.getLoc(), type, statistics, statistics, norm->x, scale,
          /*bias=*/Value(), rewriter.getI64IntegerAttr(norm->axis),
          rewriter.getF64FloatAttr(norm->epsilon),
          mlir::TypeAttr::get(rewriter.getF32Type()));
      rewriter.replaceOp(root, op.getResult());
      return mlir::success();
    }
    return mlir::failure();
  }
};

struct AddLayerNormBias : mlir::OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(AddOp root, mlir::PatternRewriter &rewriter) const override {
    for (bool swapped : {false, true}) {
      Value inner = swapped ? root.getRhs() : root.getLhs();
      Value bias = swapped ? root.getLhs() : root.getRhs();
      auto norm = inner.getDefiningOp<LayerNormOp>();
      if (!norm || norm.getBias() || inner != norm.getResult() ||
          !inner.hasOneUse() || root.getType() != inner.getType() ||
          !isRow(bias, root.getType(), norm.getAxis()))
        continue;
      auto op = LayerNormOp::create(
          rewriter, root.getLoc(), norm->getResultTypes()[0],
          norm->getResultTypes()[1], norm->getResultTypes()[2], norm.getX(),
          norm.getScale(), bias, norm.getAxisAttr(), norm.getEpsilonAttr(),
          norm.getAccAttr());
      rewriter.replaceAllUsesWith(norm.getMean(), op.getMean());
      rewriter.replaceAllUsesWith(norm.getRstd(), op.getRstd());
      rewriter.replaceOp(root, op.getResult());
      rewriter.eraseOp(norm);
      return mlir::success();
    }
    return mlir::failure();
  }
};

} // namespace

void raise::addLayerNormPatterns(mlir::RewritePatternSet &patterns) {
  patterns.add<RaiseLayerNorm, AddLayerNormBias>(patterns.getContext());
}
