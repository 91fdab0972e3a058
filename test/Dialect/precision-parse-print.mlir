// RUN: amp-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @policy_cast
func.func @policy_cast(%x: tensor<4xf32>) -> tensor<4xbf16> {
  // CHECK: amp.cast %{{.*}} : (tensor<4xf32>) -> tensor<4xbf16>
  %0 = amp.cast %x : (tensor<4xf32>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: @user_cast
func.func @user_cast(%x: tensor<4xf32>) -> tensor<4xi64> {
  // CHECK: amp.cast %{{.*}} {user} : (tensor<4xf32>) -> tensor<4xi64>
  %0 = amp.cast %x {user} : (tensor<4xf32>) -> tensor<4xi64>
  return %0 : tensor<4xi64>
}

// CHECK-LABEL: @eight_bit_floats
func.func @eight_bit_floats(%x: tensor<4xf32>) {
  // CHECK: (tensor<4xf32>) -> tensor<4xf8E4M3FN>
  amp.cast %x : (tensor<4xf32>) -> tensor<4xf8E4M3FN>
  // CHECK: (tensor<4xf32>) -> tensor<4xf8E5M2>
  amp.cast %x : (tensor<4xf32>) -> tensor<4xf8E5M2>
  return
}
