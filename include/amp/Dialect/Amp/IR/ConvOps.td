//===- ConvOps.td - Convolutions and their gradients -------*- tablegen -*-===//

#ifndef AMP_CONV_OPS_TD
#define AMP_CONV_OPS_TD

include "amp/Dialect/Amp/IR/AmpBase.td"

defvar Amp_ConvAttrs = (ins
  DenseI64ArrayAttr:$strides,    // one per spatial dimension
  DenseI64ArrayAttr:$pads,       // begins, then ends
  DenseI64ArrayAttr:$dilations,
  I64Attr:$group,
  TypeAttr:$acc);

class Amp_ConvLikeOp<string mnemonic, Amp_Precision precision>
    : Amp_SumOp<mnemonic, precision, [Pure]> {
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Amp_ConvOp : Amp_ConvLikeOp<"conv", Amp_Precision<"Allow", [2]>> {
  let summary = "convolution (cross-correlation), any number of dimensions";
  let description = [{
    x [N, C, S...], w [O, C/group, K...], optional bias [O], y [N, O, S'...]
    with `S' = (S + pads - ((K-1) dilation + 1)) / stride + 1`.
  }];
  let arguments = !con((ins Amp_FloatTensor:$x, Amp_FloatTensor:$w,
                            Optional<Amp_FloatTensor>:$bias), Amp_ConvAttrs);
  let results = (outs Amp_FloatTensor:$result);
}

def Amp_ConvInputGradOp
    : Amp_ConvLikeOp<"conv_input_grad", Amp_Precision<"Allow">> {
  let summary = "gradient of a convolution with respect to its input";
  let description = [{
    Attributes are those of the convolution; the result has the shape of x.
    Also what ConvTranspose computes.
  }];
  let arguments = !con((ins Amp_FloatTensor:$dy, Amp_FloatTensor:$w),
                       Amp_ConvAttrs);
  let results = (outs Amp_FloatTensor:$result);
}

def Amp_ConvWeightGradOp
    : Amp_ConvLikeOp<"conv_weight_grad", Amp_Precision<"Allow", [], [0]>> {
  let summary = "gradient of a convolution with respect to its weight";
  let description = "The result has the shape of w and leaves in float32.";
  let arguments = !con((ins Amp_FloatTensor:$dy, Amp_FloatTensor:$x),
                       Amp_ConvAttrs);
  let results = (outs Amp_FloatTensor:$result);
}

#endif // AMP_CONV_OPS_TD
