// RUN: amp-opt %s --split-input-file --amp-differentiate --verify-diagnostics

// Each parameter without a gradient is named, as the model names it.
// expected-error @below {{parameter 'net.scale' is trained but gets no gradient: no path from the loss leads to it; freeze it with --freeze 'net.scale'}}
amp.variable @p0 : tensor<3xf32> kind parameter {source = "net.scale", trained}
// expected-error @below {{parameter 'unused' is trained but gets no gradient}}
amp.variable @unused : tensor<3xf32> kind parameter {trained}
amp.variable @good : tensor<3xf32> kind parameter {trained}
func.func @loss(%x: tensor<3xf32>)
    -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}) {
  %p = amp.read @p0 : tensor<3xf32>
  %g = amp.read @good : tensor<3xf32>
  %0 = amp.floor %p : (tensor<3xf32>) -> tensor<3xf32>
  %1 = amp.mul %0, %g : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %2 = amp.reduce_sum %1 {axes = array<i64: 0>, acc = f32} : (tensor<3xf32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// -----

amp.variable @w : tensor<3xf32> kind parameter {trained}
func.func @loss(%x: tensor<3xf32>)
    -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}) {
  %w = amp.read @w : tensor<3xf32>
  // expected-error @below {{second derivatives are not provided}}
  %0 = amp.gelu_grad %w, %x {form = #amp<gelu_form erf>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %1 = amp.reduce_sum %0 {axes = array<i64: 0>, acc = f32} : (tensor<3xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// expected-error @below {{there is no function @loss to differentiate; amp-attach-loss makes one}}
module {
  func.func @forward() { return }
}

// -----

// expected-error @below {{there is nothing to train: no parameter of the model is trained}}
module {
  amp.variable @w : tensor<f32> kind parameter
  func.func @loss() -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}) {
    %w = amp.read @w : tensor<f32>
    return %w : tensor<f32>
  }
}

// -----

amp.variable @w : tensor<f32> kind parameter {trained}
// expected-error @below {{expected one result with the role loss, got 0}}
func.func @loss() -> tensor<f32> {
  %w = amp.read @w : tensor<f32>
  return %w : tensor<f32>
}

// -----

// KF-17: all ops without a gradient are listed, not the first one only.
amp.variable @w : tensor<3xf32> kind parameter {trained}
func.func @loss(%x: tensor<3xf32>)
    -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}) {
  %w = amp.read @w : tensor<3xf32>
  // expected-error @below {{'amp.gelu_grad' op lies between a trained parameter and the loss but has no gradient: it is itself made by differentiation}}
  %0 = amp.gelu_grad %w, %x {form = #amp<gelu_form erf>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  // expected-error @below {{'amp.gelu_grad' op lies between a trained parameter and the loss but has no gradient: it is itself made by differentiation}}
  %1 = amp.gelu_grad %0, %x {form = #amp<gelu_form erf>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %2 = amp.reduce_sum %1 {axes = array<i64: 0>, acc = f32} : (tensor<3xf32>) -> tensor<f32>
  return %2 : tensor<f32>
}
