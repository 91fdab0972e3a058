// RUN: amp-opt %s --amp-differentiate | FileCheck %s

// The gradient of a parameter that a model reads in 16 bits: the sum over the
// rows leaves in float32, and what moves elements does not round it. In front
// of the product it is a gradient like others and has the type of its value.
// CHECK-LABEL: func.func @backward(
// CHECK: [[G:%[a-zA-Z0-9_]+]] = amp.cast {{.+}} {{.+}} : (tensor<3x4xf32>) -> tensor<3x4xf16>
// CHECK: [[SUM:%[a-zA-Z0-9_]+]] = amp.reduce_sum [[G]] {{.+}} : (tensor<3x4xf16>) -> tensor<4xf32>
// CHECK: [[S:%[a-zA-Z0-9_]+]] = amp.reduce_sum {{.+}} : (tensor<3x4xf16>) -> tensor<4xf32>
// CHECK: [[LOW:%[a-zA-Z0-9_]+]] = amp.cast [[S]] {{.+}} : (tensor<4xf32>) -> tensor<4xf16>
// CHECK: [[E:%[a-zA-Z0-9_]+]] = amp.mul [[LOW]],
// CHECK: [[B:%[a-zA-Z0-9_]+]] = amp.reshape [[SUM]] {{.+}} : (tensor<4xf32>) -> tensor<4x1xf32>
// CHECK: return %{{[a-zA-Z0-9_]+}}, [[B]],
amp.variable @b : tensor<4x1xf32> kind parameter {trained}
amp.variable @s : tensor<4xf32> kind parameter {trained}
func.func @loss(%x: tensor<3x4xf16>)
    -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}) {
  %b = amp.read @b : tensor<4x1xf32>
  %low = amp.cast %b : (tensor<4x1xf32>) -> tensor<4x1xf16>
  %row = amp.reshape %low : (tensor<4x1xf16>) -> tensor<4xf16>
  %s = amp.read @s : tensor<4xf32>
  %t = amp.cast %s : (tensor<4xf32>) -> tensor<4xf16>
  %twice = amp.mul %t, %t : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  %0 = amp.mul %x, %twice : (tensor<3x4xf16>, tensor<4xf16>) -> tensor<3x4xf16>
  %1 = amp.add %0, %row : (tensor<3x4xf16>, tensor<4xf16>) -> tensor<3x4xf16>
  %2 = amp.cast %1 : (tensor<3x4xf16>) -> tensor<3x4xf32>
  %3 = amp.reduce_mean %2 {axes = array<i64: 0, 1>, acc = f32} : (tensor<3x4xf32>) -> tensor<f32>
  return %3 : tensor<f32>
}
