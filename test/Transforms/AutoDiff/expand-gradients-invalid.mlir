// RUN: amp-opt %s --split-input-file --amp-expand-gradients --verify-diagnostics

// The op without a rule is named, at the place of the node that made it.
func.func @second(%x: tensor<3xf32>) -> tensor<3xf32> {
  %d2x = amp.gradient(%x) : (tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>):
    // expected-error @below {{'amp.gelu_grad' op lies between a tensor of xs and y of a Gradient node but has no gradient: it is itself made by differentiation; second derivatives are not provided}}
    %dx = amp.gradient(%a) : (tensor<3xf32>) -> tensor<3xf32> {
    ^bb0(%b: tensor<3xf32>):
      %0 = amp.gelu %b {form = #amp<gelu_form erf>} : (tensor<3xf32>) -> tensor<3xf32>
      %y = amp.mul %0, %0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      amp.yield %y : tensor<3xf32>
    }
    amp.yield %dx : tensor<3xf32>
  }
  return %d2x : tensor<3xf32>
}
