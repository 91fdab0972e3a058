// RUN: amp-opt %s -split-input-file --amp-raise-patterns | FileCheck %s

// CHECK-LABEL: func @with_bias
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<2x4x8xf32>, %[[S:[a-z0-9]+]]: tensor<8xf32>, %[[B:[a-z0-9]+]]: tensor<8xf32>)
// CHECK: %[[Y:.*]], %{{.*}}, %{{.*}} = amp.layer_norm %[[X]], %[[S]], %[[B]] {acc = f32, axis = 2 : i64, epsilon = 9.9999997473787516E-6 : f64}
// CHECK-NOT: amp.reduce_mean
// CHECK: return %[[Y]]
func.func @with_bias(%x: tensor<2x4x8xf32>, %scale: tensor<8xf32>, %bias: tensor<8xf32>) -> tensor<2x4x8xf32> {
  %two = amp.constant dense<2.0> : tensor<f32>
  %eps = amp.constant dense<1.0e-5> : tensor<f32>
  %mean = amp.reduce_mean %x {acc = f32, axes = array<i64: 2>, keepdims} : (tensor<2x4x8xf32>) -> tensor<2x4x1xf32>
  %c = amp.sub %x, %mean : (tensor<2x4x8xf32>, tensor<2x4x1xf32>) -> tensor<2x4x8xf32>
  %sq = amp.pow %c, %two : (tensor<2x4x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %var = amp.reduce_mean %sq {acc = f32, axes = array<i64: 2>, keepdims} : (tensor<2x4x8xf32>) -> tensor<2x4x1xf32>
  %sh = amp.add %var, %eps : (tensor<2x4x1xf32>, tensor<f32>) -> tensor<2x4x1xf32>
  %sd = amp.sqrt %sh : (tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
  %n = amp.div %c, %sd : (tensor<2x4x8xf32>, tensor<2x4x1xf32>) -> tensor<2x4x8xf32>
  %m = amp.mul %n, %scale : (tensor<2x4x8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32>
  %y = amp.add %m, %bias : (tensor<2x4x8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

// -----

// Two dimensions, the square as a product, 1/sqrt as one op, no bias.
// CHECK-LABEL: func @two_dimensions
// CHECK: amp.layer_norm %{{.*}}, %{{[a-z0-9]+}} {acc = f32, axis = 1 : i64
// CHECK-NOT: amp.rsqrt
func.func @two_dimensions(%x: tensor<2x4x8xf32>, %scale: tensor<4x8xf32>) -> tensor<2x4x8xf32> {
  %eps = amp.constant dense<1.0e-6> : tensor<f32>
  %mean = amp.reduce_mean %x {acc = f32, axes = array<i64: 1, 2>, keepdims} : (tensor<2x4x8xf32>) -> tensor<2x1x1xf32>
  %c = amp.sub %x, %mean : (tensor<2x4x8xf32>, tensor<2x1x1xf32>) -> tensor<2x4x8xf32>
  %sq = amp.mul %c, %c : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %var = amp.reduce_mean %sq {acc = f32, axes = array<i64: 1, 2>, keepdims} : (tensor<2x4x8xf32>) -> tensor<2x1x1xf32>
  %sh = amp.add %eps, %var : (tensor<f32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %r = amp.rsqrt %sh : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %n = amp.mul %c, %r : (tensor<2x4x8xf32>, tensor<2x1x1xf32>) -> tensor<2x4x8xf32>
  %m = amp.mul %scale, %n : (tensor<4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %m : tensor<2x4x8xf32>
}

// -----

// Batch norm statistics are not those of a row.
// CHECK-LABEL: func @other_axis
// CHECK-NOT: amp.layer_norm
func.func @other_axis(%x: tensor<4x8xf32>, %scale: tensor<8xf32>) -> tensor<4x8xf32> {
  %two = amp.constant dense<2.0> : tensor<f32>
  %eps = amp.constant dense<1.0e-5> : tensor<f32>
  %mean = amp.reduce_mean %x {acc = f32, axes = array<i64: 0>, keepdims} : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %c = amp.sub %x, %mean : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %sq = amp.pow %c, %two : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %var = amp.reduce_mean %sq {acc = f32, axes = array<i64: 0>, keepdims} : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %sh = amp.add %var, %eps : (tensor<1x8xf32>, tensor<f32>) -> tensor<1x8xf32>
  %sd = amp.sqrt %sh : (tensor<1x8xf32>) -> tensor<1x8xf32>
  %n = amp.div %c, %sd : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %m = amp.mul %n, %scale : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %m : tensor<4x8xf32>
}

// -----

// The exponent is not 2.
// CHECK-LABEL: func @other_power
// CHECK-NOT: amp.layer_norm
func.func @other_power(%x: tensor<4x8xf32>, %scale: tensor<8xf32>) -> tensor<4x8xf32> {
  %four = amp.constant dense<4.0> : tensor<f32>
  %eps = amp.constant dense<1.0e-5> : tensor<f32>
  %mean = amp.reduce_mean %x {acc = f32, axes = array<i64: 1>, keepdims} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %c = amp.sub %x, %mean : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %sq = amp.pow %c, %four : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %var = amp.reduce_mean %sq {acc = f32, axes = array<i64: 1>, keepdims} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %sh = amp.add %var, %eps : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %sd = amp.sqrt %sh : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %n = amp.div %c, %sd : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %m = amp.mul %n, %scale : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %m : tensor<4x8xf32>
}

// -----

// The mean is read elsewhere.
// CHECK-LABEL: func @second_use
// CHECK-NOT: amp.layer_norm
func.func @second_use(%x: tensor<4x8xf32>, %scale: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>) {
  %two = amp.constant dense<2.0> : tensor<f32>
  %eps = amp.constant dense<1.0e-5> : tensor<f32>
  %mean = amp.reduce_mean %x {acc = f32, axes = array<i64: 1>, keepdims} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %c = amp.sub %x, %mean : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %sq = amp.pow %c, %two : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %var = amp.reduce_mean %sq {acc = f32, axes = array<i64: 1>, keepdims} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %sh = amp.add %var, %eps : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %sd = amp.sqrt %sh : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %n = amp.div %c, %sd : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %m = amp.mul %n, %scale : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %m, %mean : tensor<4x8xf32>, tensor<4x1xf32>
}
