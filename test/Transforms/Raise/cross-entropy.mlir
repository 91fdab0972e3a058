// RUN: amp-opt %s -split-input-file --amp-raise-patterns | FileCheck %s

// CHECK-LABEL: func @one_hot
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[T:[a-z0-9]+]]: tensor<4xi64>)
// CHECK: %[[L:.*]], %{{.*}}, %{{.*}} = amp.softmax_cross_entropy %[[X]], %[[T]]
// CHECK-SAME: reduction = #amp<loss_reduction mean>
// CHECK-NOT: amp.log_softmax
// CHECK: return %[[L]]
func.func @one_hot(%x: tensor<4x8xf32>, %t: tensor<4xi64>) -> tensor<f32> {
  %one = amp.constant dense<1.0> : tensor<f32>
  %zero = amp.constant dense<0.0> : tensor<f32>
  %classes = amp.iota {axis = 1 : i64} : tensor<1x8xi64>
  %wide = amp.reshape %t : (tensor<4xi64>) -> tensor<4x1xi64>
  %is = amp.compare %wide, %classes {predicate = #amp<predicate eq>} : (tensor<4x1xi64>, tensor<1x8xi64>) -> tensor<4x8xi1>
  %hot = amp.select %is, %one, %zero : (tensor<4x8xi1>, tensor<f32>, tensor<f32>) -> tensor<4x8xf32>
  %log = amp.log_softmax %x {acc = f32, axis = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = amp.mul %log, %hot : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = amp.reduce_sum %p {acc = f32, axes = array<i64: 1>} : (tensor<4x8xf32>) -> tensor<4xf32>
  %m = amp.reduce_mean %s {acc = f32, axes = array<i64: 0>} : (tensor<4xf32>) -> tensor<f32>
  %l = amp.neg %m : (tensor<f32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// Smoothed targets are not a one-hot.
// CHECK-LABEL: func @smoothed
// CHECK-NOT: amp.softmax_cross_entropy
func.func @smoothed(%x: tensor<4x8xf32>, %t: tensor<4xi64>) -> tensor<f32> {
  %one = amp.constant dense<0.9> : tensor<f32>
  %zero = amp.constant dense<0.1> : tensor<f32>
  %classes = amp.iota {axis = 1 : i64} : tensor<1x8xi64>
  %wide = amp.reshape %t : (tensor<4xi64>) -> tensor<4x1xi64>
  %is = amp.compare %wide, %classes {predicate = #amp<predicate eq>} : (tensor<4x1xi64>, tensor<1x8xi64>) -> tensor<4x8xi1>
  %hot = amp.select %is, %one, %zero : (tensor<4x8xi1>, tensor<f32>, tensor<f32>) -> tensor<4x8xf32>
  %log = amp.log_softmax %x {acc = f32, axis = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = amp.mul %log, %hot : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = amp.reduce_sum %p {acc = f32, axes = array<i64: 1>} : (tensor<4x8xf32>) -> tensor<4xf32>
  %m = amp.reduce_mean %s {acc = f32, axes = array<i64: 0>} : (tensor<4xf32>) -> tensor<f32>
  %l = amp.neg %m : (tensor<f32>) -> tensor<f32>
  return %l : tensor<f32>
}
