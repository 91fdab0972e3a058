//===- Attention.cpp - Gradients of attention -----------------------------===//

#include "RuleBuilder.h"

using namespace mlir;
using namespace amp;

namespace {

/// Probabilities are a result too; what reads them adds a gradient of its own:
/// dscores = softmax_grad(dprobs), which reaches query and key by the product.
void probabilitiesRule(AttentionOp op, RuleBuilder &b) {
  Value q = op.getQuery(), k = op.getKey(), probs = op.getProbs();
  double scale = op.getScale().convertToDouble();
  int64_t last = tensorType(probs).getRank() - 1;
  Value dscores = b.make<SoftmaxGradOp>(Type(probs.getType()), b.grad(1), probs,
                                        last, b.wide());
  if (b.wants(q))
    b.give(q, b.scaled(b.make<MatmulOp>(q.getType(), dscores, k), scale));
  if (b.wants(k))
    b.give(k, b.scaled(b.make<MatmulOp>(k.getType(), dscores, q,
                                        /*transposeLhs=*/true),
                       scale));
  if (op.getMask())
    b.give(op.getMask(), dscores);
}

LogicalResult attentionRule(AttentionOp op, RuleBuilder &b) {
  Value q = op.getQuery(), k = op.getKey(), v = op.getValue();
  if (Value dy = b.grad()) {
    auto grad = AttentionGradOp::create(
        b.getBuilder(), b.getLoc(), q.getType(), k.getType(), v.getType(),
        op.getProbs().getType(), dy, q, k, v, op.getProbs(), op.getScaleAttr(),
        TypeAttr::get(b.wide()));
    b.give(q, grad.getDquery());
    b.give(k, grad.getDkey());
    b.give(v, grad.getDvalue());
    if (op.getMask())
      b.give(op.getMask(), grad.getDscores());
  }
  if (b.grad(1))
    probabilitiesRule(op, b);
  return success();
}

} // namespace

void amp::attachAttentionGradients(MLIRContext *context) {
  attachRule<AttentionOp, attentionRule>(context);
  attachMustNotBeAsked<kSecondOrder, AttentionGradOp>(context);
}
