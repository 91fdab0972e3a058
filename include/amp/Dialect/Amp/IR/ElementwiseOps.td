//===- ElementwiseOps.td - Elementwise family --------------*- tablegen -*-===//

#ifndef AMP_ELEMENTWISE_OPS_TD
#define AMP_ELEMENTWISE_OPS_TD

include "amp/Dialect/Amp/IR/AmpBase.td"

class Amp_ElementwiseOp<string mnemonic, Amp_Precision precision,
                        list<Trait> traits = []>
    : Amp_Op<mnemonic, precision,
             !listconcat(traits, [Pure, Amp_Broadcasting])> {
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
}

class Amp_UnaryOp<string mnemonic, string text,
                  Amp_Precision precision = Amp_Precision<"Follow">>
    : Amp_ElementwiseOp<mnemonic, precision> {
  let summary = text;
  let description = "Result has the shape of `x`; arithmetic is float32.";
  let arguments = (ins Amp_Tensor:$x);
  let results = (outs Amp_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$x), [{
    build($_builder, $_state, x.getType(), x);
  }]>];
}

class Amp_BinaryOp<string mnemonic, string text,
                   Amp_Precision precision = Amp_Precision<"Follow">,
                   list<Trait> traits = []>
    : Amp_ElementwiseOp<mnemonic, precision, traits> {
  let summary = text;
  let description = [{
    Shapes broadcast by NumPy's rule; arithmetic is float32 for float tensors.
  }];
  let arguments = (ins Amp_Tensor:$lhs, Amp_Tensor:$rhs);
  let results = (outs Amp_Tensor:$result);
  // Result: broadcast shape, element type of lhs.
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs), [{
    build($_builder, $_state,
          ::amp::broadcastType(lhs.getType(), rhs.getType()), lhs, rhs);
  }]>];
}

def Amp_NegOp : Amp_UnaryOp<"neg", "-x">;
def Amp_AbsOp : Amp_UnaryOp<"abs", "|x|">;
def Amp_SignOp : Amp_UnaryOp<"sign", "sign of x: -1, 0 or 1">;
def Amp_FloorOp : Amp_UnaryOp<"floor", "largest integer <= x">;
def Amp_CeilOp : Amp_UnaryOp<"ceil", "smallest integer >= x">;
def Amp_RoundOp : Amp_UnaryOp<"round", "nearest integer, ties to even">;
def Amp_ExpOp : Amp_UnaryOp<"exp", "e^x", Amp_Precision<"Keep">>;
def Amp_Expm1Op : Amp_UnaryOp<"expm1", "e^x - 1", Amp_Precision<"Keep">>;
def Amp_LogOp : Amp_UnaryOp<"log", "natural logarithm", Amp_Precision<"Keep">>;
def Amp_Log1pOp : Amp_UnaryOp<"log1p", "log(1 + x)", Amp_Precision<"Keep">>;
def Amp_SqrtOp : Amp_UnaryOp<"sqrt", "square root">;
def Amp_RsqrtOp
    : Amp_UnaryOp<"rsqrt", "1 / square root", Amp_Precision<"Keep">>;
def Amp_ReciprocalOp
    : Amp_UnaryOp<"reciprocal", "1 / x", Amp_Precision<"Keep">>;
def Amp_TanhOp : Amp_UnaryOp<"tanh", "hyperbolic tangent">;
def Amp_SigmoidOp : Amp_UnaryOp<"sigmoid", "1 / (1 + e^-x)">;
def Amp_SoftplusOp
    : Amp_UnaryOp<"softplus", "log(1 + e^x)", Amp_Precision<"Keep">>;
def Amp_ErfOp : Amp_UnaryOp<"erf", "error function">;
def Amp_SinOp : Amp_UnaryOp<"sin", "sine", Amp_Precision<"Keep">>;
def Amp_CosOp : Amp_UnaryOp<"cos", "cosine", Amp_Precision<"Keep">>;
def Amp_ReluOp : Amp_UnaryOp<"relu", "max(x, 0); NaN stays NaN">;
def Amp_NotOp : Amp_UnaryOp<"not", "logical not of i1">;
def Amp_IsNanOp : Amp_ElementwiseOp<"is_nan", Amp_Precision<"Follow">> {
  let summary = "i1: x is not a number";
  let arguments = (ins Amp_FloatTensor:$x);
  let results = (outs Amp_BoolTensor:$result);
}

def Amp_GeluOp : Amp_ElementwiseOp<"gelu", Amp_Precision<"Follow">> {
  let summary = "Gaussian error linear unit";
  let description = [{
    erf: `x/2 (1 + erf(x/sqrt 2))`; tanh:
    `x/2 (1 + tanh(sqrt(2/pi)(x + 0.044715 x^3)))` (Hendrycks, Gimpel 2016).
  }];
  let arguments = (ins Amp_FloatTensor:$x, Amp_GeluFormAttr:$form);
  let results = (outs Amp_FloatTensor:$result);
}

def Amp_GeluGradOp : Amp_ElementwiseOp<"gelu_grad", Amp_Precision<"Follow">> {
  let summary = "dy times the derivative of GELU at x";
  let arguments = (ins Amp_FloatTensor:$dy, Amp_FloatTensor:$x,
                       Amp_GeluFormAttr:$form);
  let results = (outs Amp_FloatTensor:$result);
}

def Amp_ReluGradOp : Amp_ElementwiseOp<"relu_grad", Amp_Precision<"Follow">> {
  let summary = "dy where y > 0, else 0";
  let description = "`y` is the input or the result of the relu.";
  let arguments = (ins Amp_FloatTensor:$dy, Amp_FloatTensor:$y);
  let results = (outs Amp_FloatTensor:$result);
}

def Amp_AddOp : Amp_BinaryOp<"add", "lhs + rhs", Amp_Precision<"Follow">,
                             [Commutative]>;
def Amp_SubOp : Amp_BinaryOp<"sub", "lhs - rhs">;
def Amp_MulOp : Amp_BinaryOp<"mul", "lhs * rhs", Amp_Precision<"Follow">,
                             [Commutative]>;
def Amp_DivOp : Amp_BinaryOp<"div", "lhs / rhs; integers truncate">;
def Amp_MaxOp : Amp_BinaryOp<"max", "larger of both; NaN wins">;
def Amp_MinOp : Amp_BinaryOp<"min", "smaller of both; NaN wins">;
def Amp_PowOp : Amp_BinaryOp<"pow", "lhs ^ rhs", Amp_Precision<"Keep">>;
def Amp_ModOp : Amp_BinaryOp<"mod", "remainder with the sign of rhs">;
def Amp_FModOp : Amp_BinaryOp<"fmod", "remainder with the sign of lhs">;
def Amp_AndOp : Amp_BinaryOp<"and", "logical and of i1">;
def Amp_OrOp : Amp_BinaryOp<"or", "logical or of i1">;
def Amp_XorOp : Amp_BinaryOp<"xor", "logical exclusive or of i1">;

def Amp_CompareOp : Amp_ElementwiseOp<"compare", Amp_Precision<"Follow">> {
  let summary = "i1 result of a comparison; false for NaN except ne";
  let arguments = (ins Amp_Tensor:$lhs, Amp_Tensor:$rhs,
                       Amp_ComparePredicateAttr:$predicate);
  let results = (outs Amp_BoolTensor:$result);
}

def Amp_SelectOp : Amp_ElementwiseOp<"select", Amp_Precision<"Follow">> {
  let summary = "on_true where condition, else on_false";
  let arguments = (ins Amp_BoolTensor:$condition, Amp_Tensor:$on_true,
                       Amp_Tensor:$on_false);
  let results = (outs Amp_Tensor:$result);
}

def Amp_FanInSumOp : Amp_SumOp<"fan_in_sum", Amp_Precision<"Follow">,
                               [Pure, Amp_Broadcasting]> {
  let summary = "sum of the gradients that reach one value";
  let description = [{
    Autodiff makes one for each value with several uses. All operands have the
    shape of the result; the sum is taken in `acc`.
  }];
  let arguments = (ins Variadic<Amp_FloatTensor>:$terms, TypeAttr:$acc);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Amp_IotaOp : Amp_Op<"iota", Amp_Precision<"Transparent">, [Pure]> {
  let summary = "index along an axis";
  let arguments = (ins I64Attr:$axis);
  let results = (outs Amp_Tensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Amp_ConstantOp : Amp_Op<"constant", Amp_Precision<"Transparent">,
                            [Pure, ConstantLike,
                             AllTypesMatch<["value", "result"]>]> {
  let summary = "constant tensor";
  let description = [{
    Large values are resource blobs, never dense text.
    Example: `%c = amp.constant dense<1.0> : tensor<f32>`
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Amp_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::ElementsAttr":$value), [{
    build($_builder, $_state, value.getType(), value);
  }]>];
}

#endif // AMP_ELEMENTWISE_OPS_TD
