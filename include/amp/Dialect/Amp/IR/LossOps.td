//===- LossOps.td - Losses ---------------------------------*- tablegen -*-===//

#ifndef AMP_LOSS_OPS_TD
#define AMP_LOSS_OPS_TD

include "amp/Dialect/Amp/IR/AmpBase.td"

def Amp_SoftmaxCrossEntropyOp : Amp_SumOp<"softmax_cross_entropy",
    Amp_Precision<"Keep", [], [0, 1, 2]>, [Pure]> {
  let summary = "cross-entropy of softmax(logits) and integer targets";
  let description = [{
    logits [rows..., C], target [rows...] integer. `loss` is the mean over the
    targets that are not `ignore_index` (or the sum); `lse` the log of the sum
    of exponentials of each row [rows...]; `count` the number of targets that
    count. With label smoothing e the target distribution is
    `(1 - e) onehot + e / C` (PyTorch CrossEntropyLoss).
  }];
  let arguments = (ins Amp_FloatTensor:$logits, Amp_IntTensor:$target,
    I64Attr:$ignore_index, F64Attr:$label_smoothing,
    Amp_LossReductionAttr:$reduction, TypeAttr:$acc);
  let results = (outs Amp_F32Scalar:$loss, Amp_FloatTensor:$lse,
                      Amp_F32Scalar:$count);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Amp_SoftmaxCrossEntropyGradOp : Amp_SumOp<"softmax_cross_entropy_grad",
    Amp_Precision<"Keep", [0, 3, 4]>, [Pure]> {
  let summary = "dloss * (softmax(logits) - target distribution) / count";
  let arguments = (ins Amp_F32Scalar:$dloss, Amp_FloatTensor:$logits,
    Amp_IntTensor:$target, Amp_FloatTensor:$lse, Amp_F32Scalar:$count,
    I64Attr:$ignore_index, F64Attr:$label_smoothing,
    Amp_LossReductionAttr:$reduction, TypeAttr:$acc);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Amp_CountCorrectOp
    : Amp_Op<"count_correct", Amp_Precision<"Keep", [], [0, 1]>, [Pure]> {
  let summary = "how many rows have their largest logit at the target";
  let description = [{
    Rows beyond the first `valid` samples (first dimension) do not count.
  }];
  let arguments = (ins Amp_FloatTensor:$logits, Amp_IntTensor:$target,
    Optional<Amp_IntTensor>:$valid, I64Attr:$ignore_index);
  let results = (outs Amp_F32Scalar:$correct, Amp_F32Scalar:$counted);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Amp_SeedGradientOp
    : Amp_Op<"seed_gradient", Amp_Precision<"Keep", [-1], [0]>, [Pure]> {
  let summary = "where backward begins: 1, or the loss scale";
  let description = [{
    The gradient of the loss with respect to itself. Without operand it is 1;
    loss scaling gives it the scale. There is one per differentiated loss;
    `loss` is its name where there are several.
  }];
  let arguments = (ins Optional<Amp_F32Scalar>:$scale,
                       OptionalAttr<StrAttr>:$loss);
  let results = (outs Amp_F32Scalar:$result);
  let assemblyFormat = "($scale^ `:` type($scale) `->`)? attr-dict type($result)";
}

#endif // AMP_LOSS_OPS_TD
