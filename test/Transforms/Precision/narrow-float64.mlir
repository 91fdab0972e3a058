// RUN: amp-opt %s --split-input-file --amp-narrow-float64 2>%t.err | FileCheck %s --implicit-check-not=f64
// RUN: FileCheck %s --check-prefix=WARN < %t.err

// Variables, constants, arguments, results, accumulators; a cast that no longer
// changes anything goes, one that does stays.
// CHECK: amp.variable @k : tensor<2xf32> kind parameter init dense<[1.000000e+00, -1.500000e+00]> : tensor<2xf32> {trained}
amp.variable @k : tensor<2xf64> kind parameter init dense<[1.0000000000000002, -1.5]> : tensor<2xf64> {trained}
// CHECK-LABEL: func.func @all_of_it(
// CHECK-SAME: %arg0: tensor<2xf32>, %arg1: tensor<3x2xf32>, %arg2: tensor<2xf16>) -> (tensor<2xf32>, tensor<3xf32>)
func.func @all_of_it(%x: tensor<2xf32>, %y: tensor<3x2xf64>, %h: tensor<2xf16>) -> (tensor<2xf32>, tensor<3xf64>) {
  // CHECK: [[K:%.+]] = amp.read @k : tensor<2xf32>
  %k = amp.read @k : tensor<2xf64>
  // CHECK: [[C:%.+]] = amp.constant dense<3.3333333E-4> : tensor<f32>
  %c = amp.constant dense<3.3333333333333335e-4> : tensor<f64>
  %0 = amp.cast %x {user} : (tensor<2xf32>) -> tensor<2xf64>
  // CHECK: [[H:%.+]] = amp.cast %arg2 {user} : (tensor<2xf16>) -> tensor<2xf32>
  %1 = amp.cast %h {user} : (tensor<2xf16>) -> tensor<2xf64>
  // CHECK: [[P:%.+]] = amp.mul %arg0, [[K]]
  %2 = amp.mul %0, %k : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  // CHECK: [[Q:%.+]] = amp.add [[P]], [[H]]
  %3 = amp.add %2, %1 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  // CHECK: [[R:%.+]] = amp.mul [[Q]], [[C]]
  %4 = amp.mul %3, %c : (tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
  %5 = amp.cast %4 {user} : (tensor<2xf64>) -> tensor<2xf32>
  // CHECK: [[S:%.+]] = amp.reduce_sum %arg1 {acc = f32, axes = array<i64: 1>}
  %6 = amp.reduce_sum %y {acc = f64, axes = array<i64: 1>} : (tensor<3x2xf64>) -> tensor<3xf64>
  // CHECK: return [[R]], [[S]]
  return %5, %6 : tensor<2xf32>, tensor<3xf64>
}

// -----

// What float32 makes 0 is said.
// WARN: warning: float32 makes 0 of 2 of 4 elements
// CHECK: dense<[0.000000e+00, -0.000000e+00, 1.401300e-45, 0.000000e+00]> : tensor<4xf32>
func.func @too_small() -> tensor<4xf64> {
  %0 = amp.constant dense<[1.0e-50, -1.0e-60, 1.4e-45, 0.0]> : tensor<4xf64>
  return %0 : tensor<4xf64>
}
