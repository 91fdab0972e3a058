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
    b.give(d, b.make<ConvOp>(Type(d.getType()), g, w, Value(), op.getStrides(),
                             op.getPads(), op.getDilations(), op.getGroup(),
                             b.wide()));
  if (b.wants(w))
    b.give(w, like<ConvWeightGradOp>(op, b, withElement(w.getType(), b.wide()),
                                     d, g));
  return success();
}

} // namespace

void amp::attachConvGradients(MLIRContext *context) {
  attachRule<ConvOp, convRule>(context);
  attachRule<ConvInputGradOp, convInputGradRule>(context);
  attachMustNotBeAsked<kSecondOrder, ConvWeightGradOp>(context);
}
