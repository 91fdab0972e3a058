//===- NormOps.td - Normalisations and their gradients -----*- tablegen -*-===//

#ifndef AMP_NORM_OPS_TD
#define AMP_NORM_OPS_TD

include "amp/Dialect/Amp/IR/AmpBase.td"
include "mlir/IR/SymbolInterfaces.td"

class Amp_NormOp<string mnemonic, Amp_Precision precision,
                 list<Trait> traits = []>
    : Amp_SumOp<mnemonic, precision, !listconcat(traits, [Pure])> {
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Amp_BatchNormOp
    : Amp_NormOp<"batch_norm", Amp_Precision<"Follow", [1, 2], [1, 2]>,
                 [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "batch normalisation with the statistics of the batch";
  let description = [{
    x [N, C, S...]; scale, bias, mean, variance [C] float32. The variance is
    the population's (divided by N*S). Running statistics are updated by
    elementwise ops beside it; `running_mean` and `running_variance` name their
    variables, for the inference form of the op.
  }];
  let arguments = (ins Amp_FloatTensor:$x, Amp_FloatTensor:$scale,
                       Amp_FloatTensor:$bias, F64Attr:$epsilon,
                       OptionalAttr<FlatSymbolRefAttr>:$running_mean,
                       OptionalAttr<FlatSymbolRefAttr>:$running_variance,
                       TypeAttr:$acc);
  let results = (outs Amp_FloatTensor:$result, Amp_FloatTensor:$mean,
                      Amp_FloatTensor:$variance);
}

def Amp_BatchNormInferenceOp
    : Amp_Op<"batch_norm_inference", Amp_Precision<"Follow", [1, 2, 3, 4]>,
             [Pure]> {
  let summary = "batch normalisation with given statistics";
  let arguments = (ins Amp_FloatTensor:$x, Amp_FloatTensor:$scale,
                       Amp_FloatTensor:$bias, Amp_FloatTensor:$mean,
                       Amp_FloatTensor:$variance, F64Attr:$epsilon);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Amp_BatchNormGradOp : Amp_NormOp<"batch_norm_grad",
    Amp_Precision<"Follow", [2, 3, 4], [1, 2]>> {
  let summary = "gradients of batch_norm: dx, dscale, dbias";
  let arguments = (ins Amp_FloatTensor:$dy, Amp_FloatTensor:$x,
                       Amp_FloatTensor:$scale, Amp_FloatTensor:$mean,
                       Amp_FloatTensor:$variance, F64Attr:$epsilon,
                       TypeAttr:$acc);
  let results = (outs Amp_FloatTensor:$dx, Amp_FloatTensor:$dscale,
                      Amp_FloatTensor:$dbias);
}

def Amp_LayerNormOp
    : Amp_NormOp<"layer_norm", Amp_Precision<"Keep", [1, 2], [1, 2]>> {
  let summary = "layer normalisation over the dimensions from axis on";
  let description = [{
    scale and the optional bias have the shape `x.shape[axis:]`; mean and rstd
    (1/sqrt(variance + epsilon)) have x's shape with 1 from `axis` on.
  }];
  let arguments = (ins Amp_FloatTensor:$x, Amp_FloatTensor:$scale,
                       Optional<Amp_FloatTensor>:$bias, I64Attr:$axis,
                       F64Attr:$epsilon, TypeAttr:$acc);
  let results = (outs Amp_FloatTensor:$result, Amp_FloatTensor:$mean,
                      Amp_FloatTensor:$rstd);
}

def Amp_LayerNormGradOp : Amp_NormOp<"layer_norm_grad",
    Amp_Precision<"Keep", [2, 3, 4], [1, 2]>> {
  let summary = "gradients of layer_norm: dx, dscale, dbias";
  let arguments = (ins Amp_FloatTensor:$dy, Amp_FloatTensor:$x,
                       Amp_FloatTensor:$scale, Amp_FloatTensor:$mean,
                       Amp_FloatTensor:$rstd, I64Attr:$axis, TypeAttr:$acc);
  let results = (outs Amp_FloatTensor:$dx, Amp_FloatTensor:$dscale,
                      Amp_FloatTensor:$dbias);
}

class Amp_SoftmaxLikeOp<string mnemonic, string text>
    : Amp_SumOp<mnemonic, Amp_Precision<"Keep">, [Pure]> {
  let summary = text;
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Amp_SoftmaxOp : Amp_SoftmaxLikeOp<"softmax", "e^x / sum of e^x on axis"> {
  let arguments = (ins Amp_FloatTensor:$x, I64Attr:$axis, TypeAttr:$acc);
}
def Amp_SoftmaxGradOp
    : Amp_SoftmaxLikeOp<"softmax_grad", "y (dy - sum of y dy on axis)"> {
  let arguments = (ins Amp_FloatTensor:$dy, Amp_FloatTensor:$y, I64Attr:$axis,
                       TypeAttr:$acc);
}
def Amp_LogSoftmaxOp
    : Amp_SoftmaxLikeOp<"log_softmax", "x - log of the sum of e^x on axis"> {
  let arguments = (ins Amp_FloatTensor:$x, I64Attr:$axis, TypeAttr:$acc);
}
def Amp_LogSoftmaxGradOp
    : Amp_SoftmaxLikeOp<"log_softmax_grad", "dy - e^y sum of dy on axis"> {
  let arguments = (ins Amp_FloatTensor:$dy, Amp_FloatTensor:$y, I64Attr:$axis,
                       TypeAttr:$acc);
}

#endif // AMP_NORM_OPS_TD
