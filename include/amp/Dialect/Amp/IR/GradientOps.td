//===- GradientOps.td - Gradients that a model asks for ----*- tablegen -*-===//

#ifndef AMP_GRADIENT_OPS_TD
#define AMP_GRADIENT_OPS_TD

include "amp/Dialect/Amp/IR/AmpBase.td"

// Gone before the policy asks: amp-expand-gradients puts the ops of the
// gradient in its place.
def Amp_GradientOp : Amp_Op<"gradient", Amp_Precision<"Transparent">,
    [Pure, SingleBlock]> {
  let summary = "gradient of a function that is written out in the body";
  let description = [{
    The body computes y from its block arguments, one for each operand, and
    yields it; what it reads from outside is held fixed. Result i is the
    gradient of the sum of the elements of y with respect to argument i, where
    the arguments have the values of the operands. ONNX:
    ai.onnx.preview.training Gradient.

    Two operands may be one value and still be two variables. A body may hold
    amp.gradient in turn: that is a derivative of higher order.

    ```mlir
    %dx = amp.gradient(%x) : (tensor<3xf32>) -> tensor<3xf32> {
    ^bb0(%a: tensor<3xf32>):
      %y = amp.mul %a, %z : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      amp.yield %y : tensor<3xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Amp_FloatTensor>:$at);
  let results = (outs Variadic<Amp_FloatTensor>:$gradients);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $at `)` `:` functional-type($at, $gradients) attr-dict-with-keyword
    $body
  }];
  let hasVerifier = 1;
}

#endif // AMP_GRADIENT_OPS_TD
