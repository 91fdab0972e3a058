// RUN: amp-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @heads_without_mask
func.func @heads_without_mask(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x5x8xf32>,
    %v: tensor<2x4x5x6xf32>) -> (tensor<2x4x3x6xf32>, tensor<2x4x3x5xf32>) {
  // CHECK: amp.attention %{{.*}}, %{{.*}}, %{{.*}} {acc = f32, scale = 2.500000e-01 : f64} : (tensor<2x4x3x8xf32>, tensor<2x4x5x8xf32>, tensor<2x4x5x6xf32>) -> (tensor<2x4x3x6xf32>, tensor<2x4x3x5xf32>)
  %y, %p = amp.attention %q, %k, %v {scale = 0.25 : f64, acc = f32}
    : (tensor<2x4x3x8xf32>, tensor<2x4x5x8xf32>, tensor<2x4x5x6xf32>)
    -> (tensor<2x4x3x6xf32>, tensor<2x4x3x5xf32>)
  return %y, %p : tensor<2x4x3x6xf32>, tensor<2x4x3x5xf32>
}

// CHECK-LABEL: @masks_broadcast_and_stay_wide
func.func @masks_broadcast_and_stay_wide(%q: tensor<4x3x8xbf16>, %k: tensor<4x5x8xbf16>,
    %v: tensor<4x5x6xbf16>, %m: tensor<3x5xf32>)
    -> (tensor<4x3x6xbf16>, tensor<4x3x5xbf16>) {
  // CHECK: amp.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} {acc = f32, scale = 1.000000e+00 : f64} : (tensor<4x3x8xbf16>, tensor<4x5x8xbf16>, tensor<4x5x6xbf16>, tensor<3x5xf32>)
  %y, %p = amp.attention %q, %k, %v mask %m {scale = 1.0 : f64, acc = f32}
    : (tensor<4x3x8xbf16>, tensor<4x5x8xbf16>, tensor<4x5x6xbf16>, tensor<3x5xf32>)
    -> (tensor<4x3x6xbf16>, tensor<4x3x5xbf16>)
  return %y, %p : tensor<4x3x6xbf16>, tensor<4x3x5xbf16>
}

// CHECK-LABEL: @matrices_are_one_head
func.func @matrices_are_one_head(%q: tensor<3x8xf64>, %k: tensor<5x8xf64>,
    %v: tensor<5x6xf64>) -> (tensor<3x6xf64>, tensor<3x5xf64>) {
  // CHECK: amp.attention %{{.*}} {acc = f64, scale = 5.000000e-01 : f64}
  %y, %p = amp.attention %q, %k, %v {scale = 0.5 : f64, acc = f64}
    : (tensor<3x8xf64>, tensor<5x8xf64>, tensor<5x6xf64>)
    -> (tensor<3x6xf64>, tensor<3x5xf64>)
  return %y, %p : tensor<3x6xf64>, tensor<3x5xf64>
}

// CHECK-LABEL: @gradients
func.func @gradients(%dy: tensor<2x3x6xf32>, %q: tensor<2x3x8xf32>, %k: tensor<2x5x8xf32>,
    %v: tensor<2x5x6xf32>, %p: tensor<2x3x5xf32>)
    -> (tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>, tensor<2x3x5xf32>) {
  // CHECK: amp.attention_grad %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {acc = f32, scale = 2.500000e-01 : f64}
  %dq, %dk, %dv, %ds = amp.attention_grad %dy, %q, %k, %v, %p {scale = 0.25 : f64, acc = f32}
    : (tensor<2x3x6xf32>, tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>, tensor<2x3x5xf32>)
    -> (tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>, tensor<2x3x5xf32>)
  return %dq, %dk, %dv, %ds : tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>, tensor<2x3x5xf32>
}
