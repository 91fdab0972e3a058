// RUN: amp-opt %s -split-input-file --amp-raise-patterns | FileCheck %s

// The factor behind the product, a causal mask that is added, and a key that
// was transposed for the product together with its heads.
// CHECK-LABEL: func @eager
// CHECK-SAME: (%[[X:.*]]: tensor<2x5x4x8xf32>, %[[Q:.*]]: tensor<2x4x3x8xf32>, %[[V:.*]]: tensor<2x4x5x6xf32>, %[[M:.*]]: tensor<3x5xf32>)
// CHECK: %[[K:.*]] = amp.transpose %[[X]] {perm = array<i64: 0, 2, 1, 3>}
// CHECK: %[[Y:.*]], %{{.*}} = amp.attention %[[Q]], %[[K]], %[[V]] mask %[[M]] {acc = f32, scale = 2.500000e-01 : f64}
// CHECK-NOT: amp.softmax
// CHECK: return %[[Y]]
func.func @eager(%x: tensor<2x5x4x8xf32>, %q: tensor<2x4x3x8xf32>, %v: tensor<2x4x5x6xf32>, %m: tensor<3x5xf32>) -> tensor<2x4x3x6xf32> {
  %c = amp.constant dense<4.0> : tensor<f32>
  %k = amp.transpose %x {perm = array<i64: 0, 2, 3, 1>} : (tensor<2x5x4x8xf32>) -> tensor<2x4x8x5xf32>
  %0 = amp.matmul %q, %k {acc = f32} : (tensor<2x4x3x8xf32>, tensor<2x4x8x5xf32>) -> tensor<2x4x3x5xf32>
  %1 = amp.div %0, %c : (tensor<2x4x3x5xf32>, tensor<f32>) -> tensor<2x4x3x5xf32>
  %2 = amp.add %1, %m : (tensor<2x4x3x5xf32>, tensor<3x5xf32>) -> tensor<2x4x3x5xf32>
  %3 = amp.softmax %2 {acc = f32, axis = 3 : i64} : (tensor<2x4x3x5xf32>) -> tensor<2x4x3x5xf32>
  %4 = amp.matmul %3, %v {acc = f32} : (tensor<2x4x3x5xf32>, tensor<2x4x5x6xf32>) -> tensor<2x4x3x6xf32>
  return %4 : tensor<2x4x3x6xf32>
}

// -----

// The factor is split over query and key, there behind a transpose of merged
// heads; zeros for NaN, where every row of the mask keeps a score.
// CHECK-LABEL: func @scaled_dot_product
// CHECK-SAME: (%[[Q:.*]]: tensor<1x2x2x8xf32>, %[[K:.*]]: tensor<1x2x2x8xf32>, %[[V:.*]]: tensor<1x2x2x6xf32>)
// CHECK: %[[M:.*]] = amp.constant dense<{{.*}}0xFF800000
// CHECK: amp.attention %[[Q]], %{{.*}}, %[[V]] mask %[[M]] {acc = f32, scale = 2.500000e-01 : f64}
// CHECK-NOT: amp.is_nan
func.func @scaled_dot_product(%q: tensor<1x2x2x8xf32>, %k: tensor<1x2x2x8xf32>, %v: tensor<1x2x2x6xf32>) -> tensor<1x2x2x6xf32> {
  %c = amp.constant dense<0.5> : tensor<1xf32>
  %zero = amp.constant dense<0.0> : tensor<f32>
  %m = amp.constant dense<[[0.0, 0xFF800000], [0.0, 0.0]]> : tensor<2x2xf32>
  %a = amp.mul %q, %c : (tensor<1x2x2x8xf32>, tensor<1xf32>) -> tensor<1x2x2x8xf32>
  %r = amp.reshape %k : (tensor<1x2x2x8xf32>) -> tensor<2x2x8xf32>
  %s = amp.mul %c, %r : (tensor<1xf32>, tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
  %t = amp.transpose %s {perm = array<i64: 0, 2, 1>} : (tensor<2x2x8xf32>) -> tensor<2x8x2xf32>
  %b = amp.reshape %t : (tensor<2x8x2xf32>) -> tensor<1x2x8x2xf32>
  %0 = amp.matmul %a, %b {acc = f32} : (tensor<1x2x2x8xf32>, tensor<1x2x8x2xf32>) -> tensor<1x2x2x2xf32>
  %1 = amp.add %m, %0 : (tensor<2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = amp.softmax %1 {acc = f32, axis = 3 : i64} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %n = amp.is_nan %2 : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xi1>
  %3 = amp.select %n, %zero, %2 : (tensor<1x2x2x2xi1>, tensor<f32>, tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %4 = amp.matmul %3, %v {acc = f32} : (tensor<1x2x2x2xf32>, tensor<1x2x2x6xf32>) -> tensor<1x2x2x6xf32>
  return %4 : tensor<1x2x2x6xf32>
}

// -----

// A condition that keeps scores is a mask of zeros and what replaces them.
// CHECK-LABEL: func @selected
// CHECK: %[[C:.*]] = amp.constant dense<{{.*}}> : tensor<2x2xi1>
// CHECK: %[[M:.*]] = amp.select %[[C]], %{{.*}}, %{{.*}} -> tensor<2x2xf32>
// CHECK: amp.attention %{{.*}} mask %[[M]] {acc = f32, scale = 1.000000e+00 : f64}
// CHECK-NOT: amp.softmax
func.func @selected(%q: tensor<2x8xf32>, %k: tensor<2x8xf32>, %v: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %c = amp.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %low = amp.constant dense<-3.40282347E+38> : tensor<f32>
  %0 = amp.matmul %q, %k {acc = f32, transpose_rhs} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x2xf32>
  %1 = amp.select %c, %0, %low : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %2 = amp.softmax %1 {acc = f32, axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = amp.matmul %2, %v {acc = f32} : (tensor<2x2xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  return %3 : tensor<2x6xf32>
}

// -----

// A condition that may mask a whole row: the mean of the values is not what an
// addition gives.
// CHECK-LABEL: func @unknown_condition
// CHECK-NOT: amp.attention
// CHECK: return
func.func @unknown_condition(%q: tensor<2x8xf32>, %k: tensor<2x8xf32>, %v: tensor<2x6xf32>, %c: tensor<2x2xi1>) -> tensor<2x6xf32> {
  %low = amp.constant dense<-3.40282347E+38> : tensor<f32>
  %0 = amp.matmul %q, %k {acc = f32, transpose_rhs} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x2xf32>
  %1 = amp.select %c, %0, %low : (tensor<2x2xi1>, tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %2 = amp.softmax %1 {acc = f32, axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = amp.matmul %2, %v {acc = f32} : (tensor<2x2xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  return %3 : tensor<2x6xf32>
}

// -----

// Zeros instead of NaN, where the second row is masked as a whole.
// CHECK-LABEL: func @empty_row
// CHECK-NOT: amp.attention
// CHECK: return
func.func @empty_row(%q: tensor<2x8xf32>, %k: tensor<2x8xf32>, %v: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %zero = amp.constant dense<0.0> : tensor<f32>
  %m = amp.constant dense<[[0.0, 0xFF800000], [0xFF800000, 0xFF800000]]> : tensor<2x2xf32>
  %0 = amp.matmul %q, %k {acc = f32, transpose_rhs} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x2xf32>
  %1 = amp.add %0, %m : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = amp.softmax %1 {acc = f32, axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %n = amp.is_nan %2 : (tensor<2x2xf32>) -> tensor<2x2xi1>
  %3 = amp.select %n, %zero, %2 : (tensor<2x2xi1>, tensor<f32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = amp.matmul %3, %v {acc = f32} : (tensor<2x2xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  return %4 : tensor<2x6xf32>
}

// -----

// The probabilities are read elsewhere.
// CHECK-LABEL: func @second_use
// CHECK-NOT: amp.attention
// CHECK: return
func.func @second_use(%q: tensor<2x8xf32>, %k: tensor<2x8xf32>, %v: tensor<2x6xf32>) -> (tensor<2x6xf32>, tensor<2x2xf32>) {
  %0 = amp.matmul %q, %k {acc = f32, transpose_rhs} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x2xf32>
  %2 = amp.softmax %0 {acc = f32, axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = amp.matmul %2, %v {acc = f32} : (tensor<2x2xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  return %4, %2 : tensor<2x6xf32>, tensor<2x2xf32>
}

// -----

// A dropout that drops; one that never does is no hindrance.
// CHECK-LABEL: func @dropped
// CHECK-NOT: amp.attention
// CHECK: return
func.func @dropped(%q: tensor<2x8xf32>, %k: tensor<2x8xf32>, %v: tensor<2x6xf32>, %r: tensor<2xi64>, %i: tensor<i64>) -> tensor<2x6xf32> {
  %0 = amp.matmul %q, %k {acc = f32, transpose_rhs} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x2xf32>
  %2 = amp.softmax %0 {acc = f32, axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = amp.dropout %2, %r, %i {node = 0 : i64, ratio = 0.1 : f64} : (tensor<2x2xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2x2xf32>
  %4 = amp.matmul %3, %v {acc = f32} : (tensor<2x2xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  return %4 : tensor<2x6xf32>
}

// -----

// CHECK-LABEL: func @never_dropped
// CHECK: amp.attention
func.func @never_dropped(%q: tensor<2x8xf32>, %k: tensor<2x8xf32>, %v: tensor<2x6xf32>, %r: tensor<2xi64>, %i: tensor<i64>) -> tensor<2x6xf32> {
  %0 = amp.matmul %q, %k {acc = f32, transpose_rhs} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x2xf32>
  %2 = amp.softmax %0 {acc = f32, axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = amp.dropout %2, %r, %i {node = 0 : i64, ratio = 0.0 : f64} : (tensor<2x2xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2x2xf32>
  %4 = amp.matmul %3, %v {acc = f32} : (tensor<2x2xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  return %4 : tensor<2x6xf32>
}

// -----

// The softmax of another dimension, a factor that is no constant, and keys
// that are repeated for a batch: none is the op.
// CHECK-LABEL: func @other_axis
// CHECK-NOT: amp.attention
// CHECK: return
func.func @other_axis(%q: tensor<2x8xf32>, %k: tensor<2x8xf32>, %v: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %0 = amp.matmul %q, %k {acc = f32, transpose_rhs} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x2xf32>
  %2 = amp.softmax %0 {acc = f32, axis = 0 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = amp.matmul %2, %v {acc = f32} : (tensor<2x2xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  return %4 : tensor<2x6xf32>
}

// -----

// CHECK-LABEL: func @variable_factor
// CHECK-NOT: amp.attention
// CHECK: return
func.func @variable_factor(%q: tensor<2x8xf32>, %k: tensor<2x8xf32>, %v: tensor<2x6xf32>, %c: tensor<f32>) -> tensor<2x6xf32> {
  %0 = amp.matmul %q, %k {acc = f32, transpose_rhs} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x2xf32>
  %1 = amp.mul %0, %c : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %2 = amp.softmax %1 {acc = f32, axis = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = amp.matmul %2, %v {acc = f32} : (tensor<2x2xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  return %4 : tensor<2x6xf32>
}

// -----

// CHECK-LABEL: func @repeated_keys
// CHECK-NOT: amp.attention
// CHECK: return
func.func @repeated_keys(%q: tensor<3x2x8xf32>, %k: tensor<1x2x8xf32>, %v: tensor<3x2x6xf32>) -> tensor<3x2x6xf32> {
  %0 = amp.matmul %q, %k {acc = f32, transpose_rhs} : (tensor<3x2x8xf32>, tensor<1x2x8xf32>) -> tensor<3x2x2xf32>
  %2 = amp.softmax %0 {acc = f32, axis = 2 : i64} : (tensor<3x2x2xf32>) -> tensor<3x2x2xf32>
  %4 = amp.matmul %2, %v {acc = f32} : (tensor<3x2x2xf32>, tensor<3x2x6xf32>) -> tensor<3x2x6xf32>
  return %4 : tensor<3x2x6xf32>
}
