// RUN: amp-opt %s --amp-analyze-ranges | FileCheck %s

// Truth values add up to counts, and run up to positions: whole numbers that
// bf16 cannot tell apart beyond 256. What they divide is data.
// CHECK-LABEL: func.func @counts(
// CHECK: amp.reduce_sum {{.*}}amp.forbid = {bf16 = "RG-integers: whole numbers up to 1000 > 256"}
// CHECK: amp.cum_sum {{.*}}amp.forbid = {bf16 = "RG-integers: whole numbers up to 1000 > 256"}
// CHECK: amp.mul {{.*}}amp.forbid = {bf16 = "RG-integers: computed from whole numbers, up to 500"
// CHECK: amp.div
// CHECK-NOT: amp.forbid
// CHECK: return
func.func @counts(%m: tensor<4x1000xi1>, %x: tensor<4x1xf32>) -> (tensor<4x1000xf32>, tensor<4x1xf32>, tensor<4x1xf32>) {
  %0 = amp.cast %m : (tensor<4x1000xi1>) -> tensor<4x1000xf32>
  %1 = amp.reduce_sum %0 {acc = f32, axes = array<i64: 1>, keepdims} : (tensor<4x1000xf32>) -> tensor<4x1xf32>
  %2 = amp.cum_sum %0 {acc = f32, axis = 1 : i64} : (tensor<4x1000xf32>) -> tensor<4x1000xf32>
  %half = amp.constant dense<0.5> : tensor<f32>
  %3 = amp.mul %1, %half : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %5 = amp.div %x, %1 : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  return %2, %3, %5 : tensor<4x1000xf32>, tensor<4x1xf32>, tensor<4x1xf32>
}

// A few of them are exact, and the sum of one element is that element.
// CHECK-LABEL: func.func @few(
// CHECK-NOT: amp.forbid
// CHECK: return
func.func @few(%m: tensor<4x100xi1>, %n: tensor<4x1xi1>) -> (tensor<4x1xf32>, tensor<4x1xf32>) {
  %0 = amp.cast %m : (tensor<4x100xi1>) -> tensor<4x100xf32>
  %1 = amp.reduce_sum %0 {acc = f32, axes = array<i64: 1>, keepdims} : (tensor<4x100xf32>) -> tensor<4x1xf32>
  %2 = amp.cast %n : (tensor<4x1xi1>) -> tensor<4x1xf32>
  %3 = amp.reduce_sum %2 {acc = f32, axes = array<i64: 1>, keepdims} : (tensor<4x1xf32>) -> tensor<4x1xf32>
  return %1, %3 : tensor<4x1xf32>, tensor<4x1xf32>
}
