// RUN: amp-opt %s --amp-analyze-ranges --amp-assign-precision="precision=bf16" --amp-insert-casts | sed s/bf16/LOW/g > %t.bf16
// RUN: amp-opt %s --amp-analyze-ranges --amp-assign-precision="precision=fp16" --amp-insert-casts | sed s/f16/LOW/g > %t.f16
// RUN: diff %t.bf16 %t.f16
// RUN: FileCheck %s < %t.f16

// Structure does not depend on which of the low types it is: the norm reads
// what the product wrote.
// CHECK-LABEL: func.func @norm_of_product
// CHECK: amp.matmul {{.*}} -> tensor<4x8xLOW>
// CHECK: amp.layer_norm {{.*}}(tensor<4x8xLOW>, tensor<8xf32>, tensor<8xf32>)
func.func @norm_of_product(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %v: tensor<8x8xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = amp.relu %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = amp.matmul %1, %v {acc = f32} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %3:3 = amp.layer_norm %2, %s, %b {acc = f32, axis = 1 : i64, epsilon = 1.0e-5 : f64} : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>)
  return %3#0 : tensor<4x8xf32>
}
