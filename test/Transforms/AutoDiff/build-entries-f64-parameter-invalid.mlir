// RUN: amp-opt %s --amp-differentiate --amp-build-entries --verify-diagnostics

// expected-error @below {{parameter 'double.weight' is trained and has the type 'tensor<3xf64>', expected float32: amp-narrow-float64 (--float64-as-float32) makes it so}}
amp.variable @p : tensor<3xf64> kind parameter {source = "double.weight", trained}
func.func @loss(%x: tensor<3xf64>)
    -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}) {
  %p = amp.read @p : tensor<3xf64>
  %0 = amp.mul %x, %p : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %1 = amp.reduce_sum %0 {axes = array<i64: 0>, acc = f64} : (tensor<3xf64>) -> tensor<f64>
  %2 = amp.cast %1 : (tensor<f64>) -> tensor<f32>
  return %2 : tensor<f32>
}
