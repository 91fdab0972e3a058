// RUN: amp-opt %s --amp-differentiate --amp-build-entries --verify-diagnostics

// expected-error @below {{parameter 'half.weight' is trained and has the type 'tensor<3xf16>', expected float32: low copies are made by the precision stage}}
amp.variable @p : tensor<3xf16> kind parameter {source = "half.weight", trained}
func.func @loss(%x: tensor<3xf16>)
    -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}) {
  %p = amp.read @p : tensor<3xf16>
  %0 = amp.mul %x, %p : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xf16>
  %1 = amp.cast %0 : (tensor<3xf16>) -> tensor<3xf32>
  %2 = amp.reduce_sum %1 {axes = array<i64: 0>, acc = f32} : (tensor<3xf32>) -> tensor<f32>
  return %2 : tensor<f32>
}
