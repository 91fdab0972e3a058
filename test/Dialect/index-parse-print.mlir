// RUN: amp-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @gather_and_gradient
func.func @gather_and_gradient(%table: tensor<9x4xf32>,
    %tokens: tensor<2x3xi64>) -> tensor<9x4xf32> {
  // CHECK: amp.gather %{{.*}}, %{{.*}} {axis = 0 : i64} : (tensor<9x4xf32>, tensor<2x3xi64>) -> tensor<2x3x4xf32>
  %0 = amp.gather %table, %tokens {axis = 0 : i64}
    : (tensor<9x4xf32>, tensor<2x3xi64>) -> tensor<2x3x4xf32>
  // CHECK: amp.gather_grad %{{.*}}, %{{.*}} {acc = f32, axis = 0 : i64} : (tensor<2x3x4xf32>, tensor<2x3xi64>) -> tensor<9x4xf32>
  %1 = amp.gather_grad %0, %tokens {axis = 0 : i64, acc = f32}
    : (tensor<2x3x4xf32>, tensor<2x3xi64>) -> tensor<9x4xf32>
  return %1 : tensor<9x4xf32>
}

// CHECK-LABEL: @scalar_index_drops_the_axis
func.func @scalar_index_drops_the_axis(%x: tensor<2x3x4xf32>, %i: tensor<i32>) {
  // CHECK: -> tensor<2x4xf32>
  amp.gather %x, %i {axis = 1 : i64}
    : (tensor<2x3x4xf32>, tensor<i32>) -> tensor<2x4xf32>
  return
}
