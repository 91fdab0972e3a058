// RUN: amp-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @cross_entropy_and_gradient
func.func @cross_entropy_and_gradient(%x: tensor<2x5x7xf32>,
    %t: tensor<2x5xi64>) -> tensor<2x5x7xf32> {
  // CHECK: %[[LOSS:.*]], %[[LSE:.*]], %[[COUNT:.*]] = amp.softmax_cross_entropy %{{.*}}, %{{.*}} {acc = f32, ignore_index = -100 : i64, label_smoothing = 1.000000e-01 : f64, reduction = #amp<loss_reduction mean>}
  %loss, %lse, %count = amp.softmax_cross_entropy %x, %t {
      ignore_index = -100 : i64, label_smoothing = 0.1 : f64,
      reduction = #amp<loss_reduction mean>, acc = f32}
    : (tensor<2x5x7xf32>, tensor<2x5xi64>)
    -> (tensor<f32>, tensor<2x5xf32>, tensor<f32>)
  // CHECK: %[[SEED:.*]] = amp.seed_gradient tensor<f32>
  %seed = amp.seed_gradient tensor<f32>
  // CHECK: amp.softmax_cross_entropy_grad %[[SEED]], %{{.*}}, %{{.*}}, %[[LSE]], %[[COUNT]]
  // CHECK-SAME: reduction = #amp<loss_reduction sum>
  %dx = amp.softmax_cross_entropy_grad %seed, %x, %t, %lse, %count {
      ignore_index = -100 : i64, label_smoothing = 0.1 : f64,
      reduction = #amp<loss_reduction sum>, acc = f32}
    : (tensor<f32>, tensor<2x5x7xf32>, tensor<2x5xi64>, tensor<2x5xf32>,
       tensor<f32>) -> tensor<2x5x7xf32>
  return %dx : tensor<2x5x7xf32>
}

// CHECK-LABEL: @one_row_of_logits
func.func @one_row_of_logits(%x: tensor<7xf32>, %t: tensor<i32>) {
  // CHECK: (tensor<7xf32>, tensor<i32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  amp.softmax_cross_entropy %x, %t {ignore_index = -1 : i64,
      label_smoothing = 0.0 : f64, reduction = #amp<loss_reduction sum>,
      acc = f32}
    : (tensor<7xf32>, tensor<i32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  return
}

// CHECK-LABEL: @count_correct_with_and_without_valid
func.func @count_correct_with_and_without_valid(%x: tensor<5x7xf32>,
    %t: tensor<5xi64>, %valid: tensor<i64>) {
  // CHECK: amp.count_correct %{{.*}}, %{{.*}}, %{{.*}} {ignore_index = -100 : i64}
  amp.count_correct %x, %t, %valid {ignore_index = -100 : i64}
    : (tensor<5x7xf32>, tensor<5xi64>, tensor<i64>)
    -> (tensor<f32>, tensor<f32>)
  // CHECK: (tensor<5x7xf32>, tensor<5xi64>) -> (tensor<f32>, tensor<f32>)
  amp.count_correct %x, %t {ignore_index = -100 : i64}
    : (tensor<5x7xf32>, tensor<5xi64>) -> (tensor<f32>, tensor<f32>)
  return
}

// CHECK-LABEL: @scaled_seed
func.func @scaled_seed(%scale: tensor<f32>) -> tensor<f32> {
  // CHECK: amp.seed_gradient %{{.*}} : tensor<f32> -> tensor<f32>
  %seed = amp.seed_gradient %scale : tensor<f32> -> tensor<f32>
  return %seed : tensor<f32>
}
