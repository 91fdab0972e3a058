// RUN: amp-opt %s --verify-roundtrip | FileCheck %s

amp.variable @mean : tensor<4xf32> kind buffer
amp.variable @variance : tensor<4xf32> kind buffer

// CHECK-LABEL: @batch_norm_names_its_running_statistics
func.func @batch_norm_names_its_running_statistics(%x: tensor<2x4x5xbf16>,
    %s: tensor<4xf32>, %b: tensor<4xf32>) {
  // CHECK: amp.batch_norm %{{.*}}, %{{.*}}, %{{.*}} {acc = f32, epsilon = 1.000000e-05 : f64, running_mean = @mean, running_variance = @variance}
  %y, %mean, %variance = amp.batch_norm %x, %s, %b {epsilon = 1.0e-5 : f64,
      running_mean = @mean, running_variance = @variance, acc = f32}
    : (tensor<2x4x5xbf16>, tensor<4xf32>, tensor<4xf32>)
    -> (tensor<2x4x5xbf16>, tensor<4xf32>, tensor<4xf32>)
  // CHECK: amp.batch_norm_inference
  amp.batch_norm_inference %x, %s, %b, %mean, %variance {epsilon = 1.0e-5 : f64}
    : (tensor<2x4x5xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
       tensor<4xf32>) -> tensor<2x4x5xbf16>
  // CHECK: amp.batch_norm_grad
  amp.batch_norm_grad %y, %x, %s, %mean, %variance {epsilon = 1.0e-5 : f64,
      acc = f32}
    : (tensor<2x4x5xbf16>, tensor<2x4x5xbf16>, tensor<4xf32>, tensor<4xf32>,
       tensor<4xf32>) -> (tensor<2x4x5xbf16>, tensor<4xf32>, tensor<4xf32>)
  return
}

// CHECK-LABEL: @batch_norm_of_images
func.func @batch_norm_of_images(%x: tensor<2x4x5x6xf32>, %s: tensor<4xf32>) {
  // CHECK: amp.batch_norm %{{.*}} -> (tensor<2x4x5x6xf32>, tensor<4xf32>, tensor<4xf32>)
  %y, %mean, %variance = amp.batch_norm %x, %s, %s {epsilon = 1.0e-5 : f64,
      acc = f32} : (tensor<2x4x5x6xf32>, tensor<4xf32>, tensor<4xf32>)
    -> (tensor<2x4x5x6xf32>, tensor<4xf32>, tensor<4xf32>)
  // CHECK: amp.batch_norm_inference
  amp.batch_norm_inference %x, %s, %s, %mean, %variance {epsilon = 1.0e-5 : f64}
    : (tensor<2x4x5x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
       tensor<4xf32>) -> tensor<2x4x5x6xf32>
  // CHECK: amp.batch_norm_grad
  amp.batch_norm_grad %y, %x, %s, %mean, %variance {epsilon = 1.0e-5 : f64,
      acc = f32}
    : (tensor<2x4x5x6xf32>, tensor<2x4x5x6xf32>, tensor<4xf32>, tensor<4xf32>,
       tensor<4xf32>) -> (tensor<2x4x5x6xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// CHECK-LABEL: @layer_norm_over_the_last_two
func.func @layer_norm_over_the_last_two(%x: tensor<2x3x4xf32>,
    %s: tensor<3x4xf32>, %b: tensor<3x4xf32>) {
  // CHECK: amp.layer_norm %{{.*}}, %{{.*}}, %{{.*}} {acc = f32, axis = 1 : i64, epsilon = 1.000000e-05 : f64}
  %y, %mean, %rstd = amp.layer_norm %x, %s, %b {axis = 1 : i64,
      epsilon = 1.0e-5 : f64, acc = f32}
    : (tensor<2x3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
    -> (tensor<2x3x4xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>)
  // CHECK: amp.layer_norm_grad
  amp.layer_norm_grad %y, %x, %s, %mean, %rstd {axis = 1 : i64, acc = f32}
    : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<3x4xf32>,
       tensor<2x1x1xf32>, tensor<2x1x1xf32>)
    -> (tensor<2x3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
  return
}

// CHECK-LABEL: @layer_norm_without_bias
func.func @layer_norm_without_bias(%x: tensor<2x4xf32>, %s: tensor<4xf32>) {
  // CHECK: amp.layer_norm %{{[^,]*}}, %{{[^,]*}} {
  amp.layer_norm %x, %s {axis = 1 : i64, epsilon = 0.0 : f64, acc = f32}
    : (tensor<2x4xf32>, tensor<4xf32>)
    -> (tensor<2x4xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  return
}

// CHECK-LABEL: @softmax_family
func.func @softmax_family(%x: tensor<2x4xf16>) {
  // CHECK: amp.softmax %{{.*}} {acc = f32, axis = 1 : i64} : (tensor<2x4xf16>) -> tensor<2x4xf16>
  %0 = amp.softmax %x {axis = 1 : i64, acc = f32}
    : (tensor<2x4xf16>) -> tensor<2x4xf16>
  // CHECK: amp.softmax_grad
  %1 = amp.softmax_grad %x, %0 {axis = 1 : i64, acc = f32}
    : (tensor<2x4xf16>, tensor<2x4xf16>) -> tensor<2x4xf16>
  // CHECK: amp.log_softmax %{{.*}} {acc = f32, axis = 0 : i64}
  %2 = amp.log_softmax %1 {axis = 0 : i64, acc = f32}
    : (tensor<2x4xf16>) -> tensor<2x4xf16>
  // CHECK: amp.log_softmax_grad
  %3 = amp.log_softmax_grad %x, %2 {axis = 0 : i64, acc = f32}
    : (tensor<2x4xf16>, tensor<2x4xf16>) -> tensor<2x4xf16>
  // CHECK: amp.log_softmax %{{.*}} {acc = f32, axis = 1 : i64}
  %4 = amp.log_softmax %3 {axis = 1 : i64, acc = f32}
    : (tensor<2x4xf16>) -> tensor<2x4xf16>
  // CHECK: amp.log_softmax_grad %{{.*}} {acc = f32, axis = 1 : i64}
  %5 = amp.log_softmax_grad %x, %4 {axis = 1 : i64, acc = f32}
    : (tensor<2x4xf16>, tensor<2x4xf16>) -> tensor<2x4xf16>
  return
}
