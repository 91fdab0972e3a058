// RUN: amp-opt %s --amp-plan-memory --amp-to-schedule --amp-verify-schedule | FileCheck %s

// Equal constants of all functions are kept once and numbered.
// CHECK: module attributes {amp.constants = [dense<[1, 2]> : tensor<2xi64>, dense<[3, 4]> : tensor<2xi64>]}
// CHECK-LABEL: amp.entry @first
// CHECK: #amp.buffer<constant, 0, 0, tensor<2xi64>, []>
// CHECK-LABEL: amp.entry @second
// CHECK: #amp.buffer<constant, 1, 0, tensor<2xi64>, []>
// CHECK: #amp.buffer<constant, 0, 0, tensor<2xi64>, []>
func.func @first(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0 = amp.constant dense<[1, 2]> : tensor<2xi64>
  %1 = amp.gather %x, %0 {axis = 0 : i64} : (tensor<4xf32>, tensor<2xi64>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func @second(%x: tensor<6xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = amp.constant dense<[3, 4]> : tensor<2xi64>
  %1 = amp.constant dense<[1, 2]> : tensor<2xi64>
  %2 = amp.gather %x, %0 {axis = 0 : i64} : (tensor<6xf32>, tensor<2xi64>) -> tensor<2xf32>
  %3 = amp.gather %x, %1 {axis = 0 : i64} : (tensor<6xf32>, tensor<2xi64>) -> tensor<2xf32>
  return %2, %3 : tensor<2xf32>, tensor<2xf32>
}
