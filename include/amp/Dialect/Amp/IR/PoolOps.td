//===- PoolOps.td - Pooling and its gradients --------------*- tablegen -*-===//

#ifndef AMP_POOL_OPS_TD
#define AMP_POOL_OPS_TD

include "amp/Dialect/Amp/IR/AmpBase.td"

defvar Amp_PoolAttrs = (ins
  DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides,
  DenseI64ArrayAttr:$pads,       // begins, then ends; ceil_mode is in the ends
  DenseI64ArrayAttr:$dilations);

def Amp_MaxPoolOp : Amp_Op<"max_pool", Amp_Precision<"Transparent">, [Pure]> {
  let summary = "largest value of each window, and its place";
  let description = [{
    `index` is the position inside the window (row-major), ui8 where the window
    has at most 255 places, else i32; the first of equal values wins.
  }];
  let arguments = !con((ins Amp_FloatTensor:$x), Amp_PoolAttrs);
  let results = (outs Amp_FloatTensor:$result, Amp_IntTensor:$index);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Amp_MaxPoolGradOp
    : Amp_Op<"max_pool_grad", Amp_Precision<"Transparent">, [Pure]> {
  let summary = "sends dy to the places that max_pool chose";
  let arguments = !con((ins Amp_FloatTensor:$dy, Amp_IntTensor:$index),
                       Amp_PoolAttrs);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

class Amp_AvgPoolLikeOp<string mnemonic>
    : Amp_SumOp<mnemonic, Amp_Precision<"Follow">, [Pure]> {
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Amp_AvgPoolOp : Amp_AvgPoolLikeOp<"avg_pool"> {
  let summary = "mean of each window";
  let arguments = !con((ins Amp_FloatTensor:$x), Amp_PoolAttrs,
                       (ins UnitAttr:$count_include_pad, TypeAttr:$acc));
}

def Amp_AvgPoolGradOp : Amp_AvgPoolLikeOp<"avg_pool_grad"> {
  let summary = "spreads dy over the windows of avg_pool";
  let arguments = !con((ins Amp_FloatTensor:$dy), Amp_PoolAttrs,
                       (ins UnitAttr:$count_include_pad, TypeAttr:$acc));
}

#endif // AMP_POOL_OPS_TD
