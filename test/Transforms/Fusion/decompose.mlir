// RUN: amp-opt %s --split-input-file --amp-decompose | FileCheck %s

// The factor and the mask stand beside the softmax, in float32.
// CHECK-LABEL: func.func @masked_and_scaled(
// CHECK-SAME: %[[Q:.*]]: tensor<2x3x8xbf16>, %[[K:.*]]: tensor<2x5x8xbf16>, %[[V:.*]]: tensor<2x5x6xbf16>, %[[M:.*]]: tensor<3x5xf32>
// CHECK: %[[S:.*]] = amp.matmul %[[Q]], %[[K]] {acc = f32, amp.phase = #amp<phase forward>, transpose_rhs} : (tensor<2x3x8xbf16>, tensor<2x5x8xbf16>) -> tensor<2x3x5xbf16>
// CHECK: %[[C:.*]] = amp.constant {{.*}}dense<2.500000e-01> : tensor<f32>
// CHECK: %[[X:.*]] = amp.mul %[[S]], %[[C]] {{.*}} -> tensor<2x3x5xf32>
// CHECK: %[[A:.*]] = amp.add %[[X]], %[[M]] {{.*}} -> tensor<2x3x5xf32>
// CHECK: %[[P:.*]] = amp.softmax %[[A]] {acc = f32, amp.phase = #amp<phase forward>, axis = 2 : i64} : (tensor<2x3x5xf32>) -> tensor<2x3x5xbf16>
// CHECK: %[[Y:.*]] = amp.matmul %[[P]], %[[V]] {acc = f32, amp.phase = #amp<phase forward>} : {{.*}} -> tensor<2x3x6xbf16>
// CHECK: return %[[Y]], %[[P]]
func.func @masked_and_scaled(%q: tensor<2x3x8xbf16>, %k: tensor<2x5x8xbf16>, %v: tensor<2x5x6xbf16>, %m: tensor<3x5xf32>) -> (tensor<2x3x6xbf16>, tensor<2x3x5xbf16>) {
  %y, %p = amp.attention %q, %k, %v mask %m {scale = 0.25 : f64, acc = f32, amp.phase = #amp<phase forward>} : (tensor<2x3x8xbf16>, tensor<2x5x8xbf16>, tensor<2x5x6xbf16>, tensor<3x5xf32>) -> (tensor<2x3x6xbf16>, tensor<2x3x5xbf16>)
  return %y, %p : tensor<2x3x6xbf16>, tensor<2x3x5xbf16>
}

// -----

// Nothing is computed for a factor of 1, nor a cast for probabilities that
// only the product reads.
// CHECK-LABEL: func.func @plain(
// CHECK: %[[S:.*]] = amp.matmul {{.*}} transpose_rhs} {{.*}} -> tensor<3x5xbf16>
// CHECK-NEXT: %[[P:.*]] = amp.softmax %[[S]] {{.*}} -> tensor<3x5xbf16>
// CHECK-NEXT: amp.matmul %[[P]], {{.*}} -> tensor<3x6xf32>
// CHECK-NEXT: return
func.func @plain(%q: tensor<3x8xbf16>, %k: tensor<5x8xbf16>, %v: tensor<5x6xbf16>) -> tensor<3x6xf32> {
  %y, %p = amp.attention %q, %k, %v {scale = 1.0 : f64, acc = f32} : (tensor<3x8xbf16>, tensor<5x8xbf16>, tensor<5x6xbf16>) -> (tensor<3x6xf32>, tensor<3x5xf32>)
  return %y : tensor<3x6xf32>
}

// -----

// Probabilities that something reads in float32 are rounded for the product.
// CHECK-LABEL: func.func @wide_probabilities(
// CHECK: %[[P:.*]] = amp.softmax {{.*}} -> tensor<3x5xf32>
// CHECK: %[[L:.*]] = amp.cast %[[P]] : (tensor<3x5xf32>) -> tensor<3x5xbf16>
// CHECK: amp.matmul %[[L]], %{{.*}} {acc = f32}
// CHECK: return {{.*}}%[[P]]
func.func @wide_probabilities(%q: tensor<3x8xbf16>, %k: tensor<5x8xbf16>, %v: tensor<5x6xbf16>) -> (tensor<3x6xbf16>, tensor<3x5xf32>) {
  %y, %p = amp.attention %q, %k, %v {scale = 0.5 : f64, acc = f32} : (tensor<3x8xbf16>, tensor<5x8xbf16>, tensor<5x6xbf16>) -> (tensor<3x6xbf16>, tensor<3x5xf32>)
  return %y, %p : tensor<3x6xbf16>, tensor<3x5xf32>
}

// -----

// Products not yet scaled may leave float16.
// CHECK-LABEL: func.func @scores_of_float16_are_wide(
// CHECK: amp.matmul {{.*}} transpose_rhs} : (tensor<3x8xf16>, tensor<5x8xf16>) -> tensor<3x5xf32>
// CHECK: amp.softmax {{.*}} -> tensor<3x5xf16>
func.func @scores_of_float16_are_wide(%q: tensor<3x8xf16>, %k: tensor<5x8xf16>, %v: tensor<5x6xf16>) -> tensor<3x6xf16> {
  %y, %p = amp.attention %q, %k, %v {scale = 0.5 : f64, acc = f32} : (tensor<3x8xf16>, tensor<5x8xf16>, tensor<5x6xf16>) -> (tensor<3x6xf16>, tensor<3x5xf16>)
  return %y : tensor<3x6xf16>
}

// -----

// CHECK-LABEL: func.func @gradients(
// CHECK-SAME: %[[DY:.*]]: tensor<3x6xbf16>, %[[Q:.*]]: tensor<3x8xbf16>, %[[K:.*]]: tensor<5x8xbf16>, %[[V:.*]]: tensor<5x6xbf16>, %[[P:.*]]: tensor<3x5xbf16>
// CHECK: %[[DP:.*]] = amp.matmul %[[DY]], %[[V]] {acc = f32, transpose_rhs} : {{.*}} -> tensor<3x5xbf16>
// CHECK: %[[DV:.*]] = amp.matmul %[[P]], %[[DY]] {acc = f32, transpose_lhs} : {{.*}} -> tensor<5x6xbf16>
// CHECK: %[[DS:.*]] = amp.softmax_grad %[[DP]], %[[P]] {{.*}} -> tensor<3x5xf32>
// CHECK: %[[F:.*]] = amp.mul %[[DS]], %{{.*}} -> tensor<3x5xbf16>
// CHECK: %[[DQ:.*]] = amp.matmul %[[F]], %[[K]] {acc = f32} : {{.*}} -> tensor<3x8xbf16>
// CHECK: %[[DK:.*]] = amp.matmul %[[F]], %[[Q]] {acc = f32, transpose_lhs} : {{.*}} -> tensor<5x8xf32>
// CHECK: return %[[DQ]], %[[DK]], %[[DV]], %[[DS]]
func.func @gradients(%dy: tensor<3x6xbf16>, %q: tensor<3x8xbf16>, %k: tensor<5x8xbf16>, %v: tensor<5x6xbf16>, %p: tensor<3x5xbf16>) -> (tensor<3x8xbf16>, tensor<5x8xf32>, tensor<5x6xbf16>, tensor<3x5xf32>) {
  %dq, %dk, %dv, %ds = amp.attention_grad %dy, %q, %k, %v, %p {scale = 0.5 : f64, acc = f32} : (tensor<3x6xbf16>, tensor<3x8xbf16>, tensor<5x8xbf16>, tensor<5x6xbf16>, tensor<3x5xbf16>) -> (tensor<3x8xbf16>, tensor<5x8xf32>, tensor<5x6xbf16>, tensor<3x5xf32>)
  return %dq, %dk, %dv, %ds : tensor<3x8xbf16>, tensor<5x8xf32>, tensor<5x6xbf16>, tensor<3x5xf32>
}

// -----

// Gradients that nothing reads are not computed.
// CHECK-LABEL: func.func @gradient_of_the_value_alone(
// CHECK-NEXT: %[[DV:.*]] = amp.matmul
// CHECK-NEXT: return %[[DV]]
func.func @gradient_of_the_value_alone(%dy: tensor<3x6xf32>, %q: tensor<3x8xf32>, %k: tensor<5x8xf32>, %v: tensor<5x6xf32>, %p: tensor<3x5xf32>) -> tensor<5x6xf32> {
  %dq, %dk, %dv, %ds = amp.attention_grad %dy, %q, %k, %v, %p {scale = 0.5 : f64, acc = f32} : (tensor<3x6xf32>, tensor<3x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>, tensor<3x5xf32>) -> (tensor<3x8xf32>, tensor<5x8xf32>, tensor<5x6xf32>, tensor<3x5xf32>)
  return %dv : tensor<5x6xf32>
}

// -----

// Launches walk forwards; other dimensions are cut first.
// CHECK-LABEL: func.func @backwards(
// CHECK: %[[S:.*]] = amp.slice %arg0 {starts = array<i64: 1, 0, 2>, steps = array<i64: 1, 1, 1>} : (tensor<4x6x8xf32>) -> tensor<2x6x1xf32>
// CHECK: %[[I:.*]] = amp.constant {{.*}}dense<[5, 3, 1]> : tensor<3xi64>
// CHECK: %[[G:.*]] = amp.gather %[[S]], %[[I]] {axis = 1 : i64} : {{.*}} -> tensor<2x3x1xf32>
// CHECK: return %[[G]]
func.func @backwards(%x: tensor<4x6x8xf32>) -> tensor<2x3x1xf32> {
  %0 = amp.slice %x {starts = array<i64: 1, 5, 2>, steps = array<i64: 1, -2, -1>} : (tensor<4x6x8xf32>) -> tensor<2x3x1xf32>
  return %0 : tensor<2x3x1xf32>
}

// CHECK-LABEL: func.func @forwards(
// CHECK-NEXT: amp.slice %arg0 {starts = array<i64: 0>, steps = array<i64: 2>}
// CHECK-NEXT: return
func.func @forwards(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0 = amp.slice %x {starts = array<i64: 0>, steps = array<i64: 2>} : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
