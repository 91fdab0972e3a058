//===- AttentionOps.td - Scaled dot-product attention ------*- tablegen -*-===//

#ifndef AMP_ATTENTION_OPS_TD
#define AMP_ATTENTION_OPS_TD

include "amp/Dialect/Amp/IR/AmpBase.td"

// What is added to the scores stays float32: a mask sentinel would become inf.
def Amp_AttentionOp : Amp_SumOp<"attention", Amp_Precision<"Allow", [3]>,
                                [Pure]> {
  let summary = "softmax(scale * query key^T + mask) value";
  let description = [{
    query [B..., L, E], key [B..., S, E], value [B..., S, D], all of one rank
    >= 2 with equal batch dimensions; `mask`, added to the scores, broadcasts to
    [B..., L, S]. `result` is [B..., L, D]; `probs` [B..., L, S], the softmax, is
    what backward reads. Scores, softmax and sums are float32.

    Example: `%y, %p = amp.attention %q, %k, %v mask %m {scale = 0.125 : f64,
      acc = f32} : (tensor<2x4x16x64xf32>, tensor<2x4x16x64xf32>,
      tensor<2x4x16x64xf32>, tensor<16x16xf32>) -> (tensor<2x4x16x64xf32>,
      tensor<2x4x16x16xf32>)`
  }];
  let arguments = (ins Amp_FloatTensor:$query, Amp_FloatTensor:$key,
    Amp_FloatTensor:$value, Optional<Amp_FloatTensor>:$mask, F64Attr:$scale,
    TypeAttr:$acc);
  let results = (outs Amp_FloatTensor:$result, Amp_FloatTensor:$probs);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`mask` $mask^)? attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Amp_AttentionGradOp : Amp_SumOp<"attention_grad", Amp_Precision<"Allow">,
                                    [Pure]> {
  let summary = "gradients of attention";
  let description = [{
    dprobs = dresult value^T, dscores = probs * (dprobs - sum(dprobs * probs)),
    dquery = scale * dscores key, dkey = scale * dscores^T query, dvalue =
    probs^T dresult. `dscores` is the gradient of what the mask was added to.
  }];
  let arguments = (ins Amp_FloatTensor:$dresult, Amp_FloatTensor:$query,
    Amp_FloatTensor:$key, Amp_FloatTensor:$value, Amp_FloatTensor:$probs,
    F64Attr:$scale, TypeAttr:$acc);
  let results = (outs Amp_FloatTensor:$dquery, Amp_FloatTensor:$dkey,
    Amp_FloatTensor:$dvalue, Amp_FloatTensor:$dscores);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif // AMP_ATTENTION_OPS_TD
