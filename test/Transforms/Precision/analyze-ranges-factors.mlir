// RUN: amp-opt %s --amp-analyze-ranges 2>/dev/null | FileCheck %s

amp.variable @scale : tensor<4xf32> kind parameter init dense<1.0e-6> : tensor<4xf32> {trained, source = "S"}
amp.variable @bias : tensor<4xf32> kind parameter init dense<[1.0, 2.0, 1.0e5, 3.0]> : tensor<4xf32> {trained, source = "B"}
amp.variable @ones : tensor<4xf32> kind parameter init dense<1.0> : tensor<4xf32> {trained, source = "O"}

// A mask of floats times its sentinel: a row that is masked as a whole would be
// -inf everywhere, and its softmax NaN.
// CHECK-LABEL: func.func @factor_beyond_the_type(
// CHECK: amp.mul {{.*}}amp.forbid = {f16 = "RG-overflow: numbers of unknown size times [-1e+09, -1e+09], beyond 65504"}
// CHECK: amp.div {{.*}}amp.forbid = {f16 = "RG-overflow: numbers of unknown size by [1e-06, 1e-06], beyond 65504"}
// CHECK: amp.mul %{{[^{]*}} :
func.func @factor_beyond_the_type(%m: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %c = amp.constant dense<-1.0e9> : tensor<f32>
  %d = amp.constant dense<1.0e-6> : tensor<f32>
  %e = amp.constant dense<-1.0e4> : tensor<f32>
  %0 = amp.mul %m, %c : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %1 = amp.div %m, %d : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %2 = amp.mul %m, %e : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %0, %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// CHECK-LABEL: func.func @factor_below_the_least_normal_number(
// CHECK: amp.mul {{.*}}amp.forbid = {f16 = "RG-underflow: numbers of unknown size times [1e-09, 1e-09], below 6.10352e-05"}
// CHECK: amp.mul {{.*}}f16 = "RG-underflow: numbers of unknown size times [1e-06, 1e-06], below 6.10352e-05"
// CHECK: amp.mul %{{[^{]*}} :
func.func @factor_below_the_least_normal_number(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %c = amp.constant dense<1.0e-9> : tensor<f32>
  %d = amp.constant dense<1.0e-3> : tensor<f32>
  %s = amp.read @scale : tensor<4xf32>
  %0 = amp.mul %x, %c : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %1 = amp.mul %x, %s : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %2 = amp.mul %x, %d : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %0, %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// CHECK-LABEL: func.func @bounded_below_the_least_normal_number(
// CHECK: amp.sigmoid %{{[^{]*}} {amp.range
// CHECK: amp.mul {{.*}}amp.forbid = {f16 = "RG-underflow: |x| <= 1e-06 < 6.10352e-05 (mul of [0, 1] and [1e-06, 1e-06])"}
func.func @bounded_below_the_least_normal_number(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = amp.constant dense<1.0e-6> : tensor<f32>
  %0 = amp.sigmoid %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = amp.mul %0, %c : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// A bias tells where results begin, whoever adds it.
// CHECK-LABEL: func.func @bias_beyond_the_type(
// CHECK: amp.matmul {{.*}}f16 = "RG-overflow: |x| <= 100000 > 65504 (sum of 4 products in [-inf, inf], and a bias in [1, 100000])"
// CHECK: amp.matmul %{{[^{]*}} {acc = f32} :
// CHECK: amp.layer_norm {{.*}}f16 = "RG-overflow: |x| <= 100000 > 65504
func.func @bias_beyond_the_type(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %b = amp.read @bias : tensor<4xf32>
  %s = amp.read @ones : tensor<4xf32>
  %0 = amp.matmul %x, %w bias %b {acc = f32} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %1 = amp.matmul %x, %w bias %s {acc = f32} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %2, %mean, %rstd = amp.layer_norm %x, %s, %b {acc = f32, axis = 1 : i64, epsilon = 1.0e-5 : f64} : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4x1xf32>, tensor<4x1xf32>)
  return %0, %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// Numbers around 1 do not show beside a constant whose neighbours are farther
// apart than that.
// CHECK-LABEL: func.func @beside_a_large_constant(
// CHECK: amp.add {{.*}}amp.forbid = {bf16 = "RG-resolution: numbers of unknown size beside [1024, 1024], where neighbours are 8 apart", f16 = "RG-resolution: numbers of unknown size beside [1024, 1024], where neighbours are 1 apart"}
// CHECK: amp.add {{.*}}amp.forbid = {bf16 = "RG-resolution: numbers of unknown size beside [200, 200], where neighbours are 1 apart"}
// CHECK: amp.add %{{[^{]*}} :
func.func @beside_a_large_constant(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %c = amp.constant dense<1024.0> : tensor<f32>
  %d = amp.constant dense<200.0> : tensor<f32>
  %e = amp.constant dense<100.0> : tensor<f32>
  %0 = amp.add %x, %c : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %1 = amp.add %x, %d : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %2 = amp.add %x, %e : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %0, %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// log(1 - p + e): what p loses is what the logarithm reads.
// CHECK-LABEL: func.func @logarithm_of_what_is_left(
// CHECK: amp.sigmoid {{.*}}bf16 = "RG-amplified: log
// CHECK: amp.sub {{.*}}bf16 = "RG-amplified: log
// CHECK: amp.add {{.*}}bf16 = "RG-amplified: log
func.func @logarithm_of_what_is_left(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = amp.constant dense<1.0> : tensor<f32>
  %e = amp.constant dense<1.0e-8> : tensor<f32>
  %0 = amp.sigmoid %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = amp.sub %c, %0 : (tensor<f32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = amp.add %1, %e : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %3 = amp.log %2 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}

// A square is as small as the epsilon beside it.
// CHECK-LABEL: func.func @square_beside_an_epsilon(
// CHECK: amp.mul {{.*}}amp.forbid = {f16 = "RG-epsilon
// CHECK: amp.add {{.*}}amp.forbid = {f16 = "RG-epsilon
func.func @square_beside_an_epsilon(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = amp.constant dense<1.0e-12> : tensor<f32>
  %0 = amp.mul %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = amp.add %0, %e : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %2 = amp.div %y, %1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
