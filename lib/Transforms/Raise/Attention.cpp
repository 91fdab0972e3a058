//===- Attention.cpp - Attention from products and a softmax --------------===//
//
// softmax(scale q k^T + mask) v. The factor may stand behind the product or be
// split over query and key, in front of their transposes too; the mask may be
// added, or select a number of which nothing is left beside the others. What
// exporters write behind the softmax, zeros in the place of NaN, is dropped
// where no row is masked as a whole: there is no NaN then, unless the scores
// hold one.
//
//===----------------------------------------------------------------------===//

#include "Match.h"
#include "amp/Dialect/Amp/IR/AttentionMask.h"
#include "mlir/IR/IRMapping.h"
#include <cmath>

using namespace amp;
using namespace amp::raise;
using mlir::Value;

namespace {

/// An operand of the first product, without its share of the factor.
struct Operand {
  Value value;
  /// Views between the factor and the product, the outermost first.
  llvm::SmallVector<mlir::Operation *> views;
  double factor = 1;
};

/// What the scores are made of.
struct Scores {
  MatmulOp product;
  double factor = 1;
  Value mask;
  /// Not null if the mask is a condition: true keeps the score.
  Value condition;
  Value masked;
};

} // namespace

/// x of x * c or x / c with a constant c and nothing repeated, or null.
static Value unscaled(Value value, double &factor) {
  Value x, number;
  bool divides = false;
  if (auto mul = only<MulOp>(value)) {
    auto sides = ordered(mul, [](Value side) { return !!splatOf(side); });
    if (!sides)
      return {};
    std::tie(number, x) = *sides;
  } else if (auto div = only<DivOp>(value)) {
    x = div.getLhs();
    number = div.getRhs();
    divides = true;
  } else {
    return {};
  }
  std::optional<double> splat = splatOf(number);
  if (!splat || *splat == 0 || !std::isfinite(*splat) ||
      x.getType() != value.getType())
    return {};
  factor = divides ? factor / *splat : factor * *splat;
  return x;
}

/// Looks for factors behind transposes and reshapes that nothing else reads.
static Operand operandOf(Value value) {
  Operand found{value, {}, 1};
  llvm::SmallVector<mlir::Operation *> views;
  Value at = value;
  while (true) {
    if (Value x = unscaled(at, found.factor)) {
      at = found.value = x;
      found.views = views;
      continue;
    }
    mlir::Operation *op = at.getDefiningOp();
    if (!op || !llvm::isa<TransposeOp, ReshapeOp>(op) || !at.hasOneUse())
      return found;
    views.push_back(op);
    at = op->getOperand(0);
  }
}

/// The operand as the product read it, unscaled.
static Value rebuilt(const Operand &operand, mlir::PatternRewriter &rewriter) {
  Value value = operand.value;
  for (mlir::Operation *view : llvm::reverse(operand.views)) {
    mlir::IRMapping mapping;
    mapping.map(view->getOperand(0), value);
    value = rewriter.clone(*view, mapping)->getResult(0);
  }
  return value;
}

/// Exchanges the last two dimensions; joins a transpose that is there.
static Value flipped(Value value, mlir::Location loc,
                     mlir::PatternRewriter &rewriter) {
  llvm::SmallVector<int64_t> perm;
  auto inner = value.getDefiningOp<TransposeOp>();
  if (inner)
    perm.assign(inner.getPerm().begin(), inner.getPerm().end());
  else
    llvm::append_range(perm,
                       llvm::seq<int64_t>(0, tensorType(value).getRank()));
  std::swap(perm.back(), perm[perm.size() - 2]);
  llvm::SmallVector<int64_t> shape(tensorType(value).getShape());
  std::swap(shape.back(), shape[shape.size() - 2]);
  Value source = inner ? Value(inner.getX()) : value;
  if (llvm::is_sorted(perm))
    return source;
  return TransposeOp::create(
      rewriter, loc,
      mlir::RankedTensorType::get(shape, tensorType(value).getElementType()),
      source, perm);
}

/// Product, factor and mask of what the softmax takes.
static std::optional<Scores> scoresOf(Value x) {
  Scores scores;
  Value rest = x;
  auto isProduct = [](Value side) {
    double ignored = 1;
    Value inner = side;
    while (Value next = unscaled(inner, ignored))
      inner = next;
    return static_cast<bool>(only<MatmulOp>(inner));
  };
  if (auto add = only<AddOp>(x)) {
    auto sides = ordered(add, isProduct);
    if (!sides)
      return std::nullopt;
    std::tie(rest, scores.mask) = *sides;
  } else if (auto select = only<SelectOp>(x)) {
    rest = select.getOnTrue();
    scores.condition = select.getCondition();
    scores.masked = select.getOnFalse();
    std::optional<double> low = splatOf(scores.masked);
    if (!low || !(*low <= kMaskedScore))
      return std::nullopt;
  }
  if (rest.getType() != x.getType())
    return std::nullopt;
  while (Value next = unscaled(rest, scores.factor))
    rest = next;
  scores.product = only<MatmulOp>(rest);
  if (!scores.product || scores.product.getBias() ||
      scores.product.getLhsScale() || scores.product.getRhsScale())
    return std::nullopt;
  return scores;
}

/// True if no row of the scores is masked as a whole.
static bool keepsEveryRow(const Scores &scores) {
  Value mask = scores.condition ? scores.condition : scores.mask;
  return !mask || amp::keepsEveryRow(mask);
}

/// The softmax below what may stand between it and the second product.
static SoftmaxOp softmaxBelow(Value probs, bool &hidesNaN) {
  // A dropout that never drops.
  if (auto dropout = only<DropoutOp>(probs))
    if (dropout.getRatio().isZero())
      probs = dropout.getX();
  hidesNaN = false;
  if (auto select = only<SelectOp>(probs)) {
    auto isNaN = only<IsNanOp>(select.getCondition());
    if (!isNaN || !isSplat(select.getOnTrue(), 0) ||
        isNaN.getX() != select.getOnFalse() ||
        select.getType() != select.getOnFalse().getType())
      return {};
    hidesNaN = true;
    auto softmax = isNaN.getX().getDefiningOp<SoftmaxOp>();
    return softmax && usedOnlyBy(softmax.getResult(), {isNaN, select})
               ? softmax
               : SoftmaxOp();
  }
  return only<SoftmaxOp>(probs);
}

namespace {

struct RaiseAttention : mlir::OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(MatmulOp root,
                  mlir::PatternRewriter &rewriter) const override {
    if (root.getTransposeLhs() || root.getBias() || root.getLhsScale() ||
        root.getRhsScale() || !root.getType().getElementType().isF32())
      return mlir::failure();
    bool hidesNaN;
    SoftmaxOp softmax = softmaxBelow(root.getLhs(), hidesNaN);
    if (!softmax)
      return mlir::failure();
    mlir::RankedTensorType type = softmax.getType();
    if (static_cast<int64_t>(softmax.getAxis()) != type.getRank() - 1)
      return rewriter.notifyMatchFailure(root, "softmax of another dimension");
    std::optional<Scores> scores = scoresOf(softmax.getX());
    if (!scores)
      return rewriter.notifyMatchFailure(root, "no scaled product of scores");
    // A row without any score is NaN by one form and a mean by another.
    if ((hidesNaN || scores->condition) && !keepsEveryRow(*scores))
      return rewriter.notifyMatchFailure(root,
                                         "a row may be masked as a whole");
    MatmulOp product = scores->product;
    auto isBatch = [&](Value side) {
      return tensorType(side).getShape().drop_back(2) ==
             type.getShape().drop_back(2);
    };
    if (!isBatch(product.getLhs()) || !isBatch(product.getRhs()) ||
        !isBatch(root.getRhs()))
      return rewriter.notifyMatchFailure(root, "a batch is repeated");

    mlir::Location loc = root.getLoc();
    Operand left = operandOf(product.getLhs());
    Operand right = operandOf(product.getRhs());
    Value query = rebuilt(left, rewriter), key = rebuilt(right, rewriter);
    if (product.getTransposeLhs())
      query = flipped(query, loc, rewriter);
    if (!product.getTransposeRhs())
      key = flipped(key, loc, rewriter);
    Value value = root.getRhs();
    if (root.getTransposeRhs())
      value = flipped(value, loc, rewriter);
    Value mask = scores->mask;
    if (scores->condition)
      mask = maskOf(*scores, loc, rewriter);
    double factor = scores->factor * left.factor * right.factor;
    auto op = AttentionOp::create(
        rewriter, loc, root.getType(), type, query, key, value, mask,
        rewriter.getF64FloatAttr(factor), softmax.getAccAttr());
    rewriter.replaceOp(root, op.getResult());
    return mlir::success();
  }

  /// The condition as a number to add: 0 or what was selected.
  static Value maskOf(const Scores &scores, mlir::Location loc,
                      mlir::PatternRewriter &rewriter) {
    auto scalar = mlir::RankedTensorType::get({}, rewriter.getF32Type());
    auto number = [&](double value) {
      return ConstantOp::create(
          rewriter, loc,
          mlir::DenseElementsAttr::get(
              scalar, mlir::APFloat(static_cast<float>(value))));
    };
    auto type = withElement(scores.condition.getType(), rewriter.getF32Type());
    return SelectOp::create(rewriter, loc, type, scores.condition, number(0),
                            number(*splatOf(scores.masked)));
  }
};

} // namespace

void raise::addAttentionPatterns(mlir::RewritePatternSet &patterns) {
  patterns.add<RaiseAttention>(patterns.getContext());
}
