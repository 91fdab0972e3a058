//===- Conv.cpp - Gradients of convolutions -------------------------------===//

#include "RuleBuilder.h"

using namespace mlir;
using namespace amp;

namespace {

/// An op of the family with the attributes of `op`.
template <typename ResultOp, typename OpTy>
Value like(OpTy op, RuleBuilder &b, Type type, Value first, Value second) {
  return b.make<ResultOp>(type, first, second, op.getStrides(), op.getPads(),
                          op.getDilations(), op.getGroup(), b.wide());
}

/// The convolution without bias.
template <typename OpTy>
Value convolution(OpTy op, RuleBuilder &b, Type type, Value x, Value w) {
  return b.make<ConvOp>(type, x, w, Value(), op.getStrides(), op.getPads(),
                        op.getDilations(), op.getGroup(), b.wide());
}

LogicalResult convRule(ConvOp op, RuleBuilder &b) {
  Value x = op.getX(), w = op.getW(), dy = b.grad();
  if (b.wants(x))
    b.give(x, like<ConvInputGradOp>(op, b, x.getType(), dy, w));
  if (b.wants(w))
    b.give(w, like<ConvWeightGradOp>(op, b, withElement(w.getType(), b.wide()),
                                     dy, x));
  if (b.wants(op.getBias())) {
    SmallVector<int64_t> axes = {0};
    llvm::append_range(axes, llvm::seq<int64_t>(2, tensorType(dy).getRank()));
    b.give(op.getBias(), b.sum(dy, axes, false, b.wide()));
  }
  return success();
}

/// The op is linear in both operands: <conv_input_grad(d, w), g> equals
/// <d, conv(g, w)>. This is also how ConvTranspose is differentiated.
LogicalResult convInputGradRule(ConvInputGradOp op, RuleBuilder &b) {
  Value d = op.getDy(), w = op.getW(), g = b.grad();
  if (b.wants(d))
    b.give(d, convolution(op, b, d.getType(), g, w));
  if (b.wants(w))
    b.give(w, like<ConvWeightGradOp>(op, b, withElement(w.getType(), b.wide()),
                                     d, g));
  return success();
}

/// Linear in both, too: <conv_weight_grad(d, x), g> equals <d, conv(x, g)>.
LogicalResult convWeightGradRule(ConvWeightGradOp op, RuleBuilder &b) {
  Value d = op.getDy(), x = op.getX();
  // The gradient of a weight is float32.
  Value g = b.cast(b.grad(), tensorType(x).getElementType());
  if (b.wants(d))
    b.give(d, convolution(op, b, d.getType(), x, g));
  if (b.wants(x))
    b.give(x, like<ConvInputGradOp>(op, b, x.getType(), d, g));
  return success();
}

} // namespace

void amp::attachConvGradients(MLIRContext *context) {
  attachRule<ConvOp, convRule>(context);
  attachRule<ConvInputGradOp, convInputGradRule>(context);
  attachRule<ConvWeightGradOp, convWeightGradRule>(context);
}
