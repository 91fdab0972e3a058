//===- ExpandGradients.cpp - Gradients that a model asks for --------------===//
//
// With y = f(x) the result is the gradient of sum(y): reverse mode from a seed
// of ones. Arguments of the body stand for x while it is differentiated, so
// that two variables with one value, or a value that is computed from another,
// stay apart; the values come in afterwards.
//
//===----------------------------------------------------------------------===//

#include "ExpandGradients.h"
#include "Splat.h"
#include "amp/Transforms/AutoDiff/Differentiate.h"
#include "amp/Transforms/AutoDiff/Passes.h"
#include "amp/Transforms/AutoDiff/Phase.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;

namespace amp {
#define GEN_PASS_DEF_EXPANDGRADIENTSPASS
#include "amp/Transforms/AutoDiff/Passes.h.inc"
} // namespace amp

using namespace amp;

/// A constant of a float tensor's type, all of it `value`.
static Value filled(OpBuilder &builder, Location loc, Value like,
                    double value) {
  return ConstantOp::create(builder, loc, splatOf(tensorType(like), value));
}

/// Appends the gradients that something reads to the body; null for others.
static FailureOr<SmallVector<Value>> differentiateBody(GradientOp op) {
  Block &body = op.getBody().front();
  auto yield = cast<YieldOp>(body.getTerminator());
  Value y = yield.getValues().front();
  SmallVector<Value> sources;
  for (auto [argument, result] :
       llvm::zip_equal(body.getArguments(), op.getGradients()))
    if (!result.use_empty())
      sources.push_back(argument);

  OpBuilder builder(yield);
  Value seed = filled(builder, op.getLoc(), y, 1);
  FailureOr<SmallVector<Value>> found =
      differentiate(body, builder, {{y, seed}}, sources,
                    "a tensor of xs and y of a Gradient node");
  if (failed(found))
    return failure();
  SmallVector<Value> gradients;
  auto next = found->begin();
  for (Value result : op.getGradients()) {
    gradients.push_back({});
    if (result.use_empty())
      continue;
    Value &gradient = gradients.back();
    gradient = *next++;
    // Only integers, comparisons and steps lead from the argument to y.
    if (!gradient)
      gradient = filled(builder, op.getLoc(), result, 0);
    // Sums are wider than 16 bits.
    if (gradient.getType() != result.getType())
      gradient =
          CastOp::create(builder, op.getLoc(), result.getType(), gradient);
  }
  // All of it belongs to the node, whatever nodes it goes through.
  for (Operation *made = seed.getDefiningOp(); made != yield;
       made = made->getNextNode())
    made->setLoc(op.getLoc());
  return gradients;
}

static LogicalResult expand(GradientOp op) {
  FailureOr<SmallVector<Value>> gradients = differentiateBody(op);
  if (failed(gradients))
    return failure();
  Block &body = op.getBody().front();
  for (auto [argument, value] :
       llvm::zip_equal(body.getArguments(), op.getAt()))
    argument.replaceAllUsesWith(value);
  for (auto [result, gradient] : llvm::zip_equal(op.getGradients(), *gradients))
    if (gradient)
      result.replaceAllUsesWith(gradient);
  body.getTerminator()->erase();
  // Part of what the op itself is part of.
  Attribute phase = op->getAttr(kPhaseAttr);
  for (Operation &inner : body) {
    inner.removeAttr(kPhaseAttr);
    if (phase)
      inner.setAttr(kPhaseAttr, phase);
  }
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         body.getOperations());
  op.erase();
  return success();
}

bool amp::hasGradientOps(func::FuncOp function) {
  return function.walk([](GradientOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

LogicalResult amp::expandGradients(func::FuncOp function) {
  // Inner ones come first: they are part of what the outer ones differentiate.
  SmallVector<GradientOp> ops;
  function.walk([&](GradientOp op) { ops.push_back(op); });
  for (GradientOp op : ops)
    if (failed(expand(op)))
      return failure();
  if (ops.empty())
    return success();
  IRRewriter rewriter(function.getContext());
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  return success();
}

namespace {

struct ExpandGradientsPass
    : amp::impl::ExpandGradientsPassBase<ExpandGradientsPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(expandGradients(function)))
        return signalPassFailure();
  }
};

} // namespace
