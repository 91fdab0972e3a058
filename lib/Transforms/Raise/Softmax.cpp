//===- Softmax.cpp - Softmax and log-softmax from their formulas ----------===//
//
// With s = x - max(x): e^s / sum(e^s) and s - log(sum(e^s)), both over the last
// dimension. Without the maximum the formula overflows where the op does not,
// so it stays.
//
//===----------------------------------------------------------------------===//

#include "Match.h"

using namespace amp;
using namespace amp::raise;
using mlir::Value;

/// x of `x - max of x over the last dimension`, or null. The maximum must have
/// no other use.
static Value shiftedByMaximum(SubOp sub) {
  auto maximum = sub ? only<ReduceMaxOp>(sub.getRhs()) : ReduceMaxOp();
  if (!maximum || maximum.getX() != sub.getLhs() ||
      sub.getType() != sub.getLhs().getType())
    return {};
  std::optional<int64_t> axis = innermost(maximum);
  return axis == sub.getType().getRank() - 1 ? Value(sub.getLhs()) : Value();
}

/// True if the op sums `value` over its last dimension, keeping it.
static bool sumsLast(ReduceSumOp sum, Value value) {
  return sum && sum.getX() == value &&
         innermost(sum) == tensorType(value).getRank() - 1;
}

namespace {

struct RaiseSoftmax : mlir::OpRewritePattern<DivOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(DivOp root, mlir::PatternRewriter &rewriter) const override {
    auto exp = root.getLhs().getDefiningOp<ExpOp>();
    auto sum = only<ReduceSumOp>(root.getRhs());
    if (!exp || !sumsLast(sum, exp.getResult()) ||
        !usedOnlyBy(exp.getResult(), {root, sum}) ||
        root.getType() != exp.getType())
      return mlir::failure();
    Value x = shiftedByMaximum(only<SubOp>(exp.getX()));
    if (!x)
      return mlir::failure();
    rewriter.replaceOpWithNewOp<SoftmaxOp>(
        root, root.getType(), x, root.getType().getRank() - 1, sum.getAcc());
    return mlir::success();
  }
};

struct RaiseLogSoftmax : mlir::OpRewritePattern<SubOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult
  matchAndRewrite(SubOp root, mlir::PatternRewriter &rewriter) const override {
    auto shifted = root.getLhs().getDefiningOp<SubOp>();
    auto log = only<LogOp>(root.getRhs());
    auto sum = log ? only<ReduceSumOp>(log.getX()) : ReduceSumOp();
    auto exp = sum ? only<ExpOp>(sum.getX()) : ExpOp();
    if (!shifted || !exp || exp.getX() != shifted.getResult() ||
        !sumsLast(sum, exp.getResult()) ||
        !usedOnlyBy(shifted.getResult(), {root, exp}) ||
        root.getType() != shifted.getType())
      return mlir::failure();
    Value x = shiftedByMaximum(shifted);
    if (!x)
      return mlir::failure();
    rewriter.replaceOpWithNewOp<LogSoftmaxOp>(
        root, root.getType(), x, root.getType().getRank() - 1, sum.getAcc());
    return mlir::success();
  }
};

} // namespace

void raise::addSoftmaxPatterns(mlir::RewritePatternSet &patterns) {
  patterns.add<RaiseSoftmax, RaiseLogSoftmax>(patterns.getContext());
}
