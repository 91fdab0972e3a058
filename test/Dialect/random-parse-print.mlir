// RUN: amp-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @dropout
func.func @dropout(%x: tensor<4x8xbf16>, %rng: tensor<2xi64>,
    %iteration: tensor<i64>) -> tensor<4x8xbf16> {
  // CHECK: amp.dropout %{{.*}}, %{{.*}}, %{{.*}} {node = 3 : i64, ratio = 1.000000e-01 : f64} : (tensor<4x8xbf16>, tensor<2xi64>, tensor<i64>) -> tensor<4x8xbf16>
  %0 = amp.dropout %x, %rng, %iteration {ratio = 0.1 : f64, node = 3 : i64}
    : (tensor<4x8xbf16>, tensor<2xi64>, tensor<i64>) -> tensor<4x8xbf16>
  return %0 : tensor<4x8xbf16>
}
