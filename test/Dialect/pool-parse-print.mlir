// RUN: amp-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @max_pool_and_gradient
func.func @max_pool_and_gradient(%x: tensor<2x4x9x8xbf16>)
    -> tensor<2x4x9x8xbf16> {
  // CHECK: %[[Y:.*]], %[[I:.*]] = amp.max_pool %{{.*}} {dilations = array<i64: 1, 1>, kernel = array<i64: 3, 2>, pads = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>} : (tensor<2x4x9x8xbf16>) -> (tensor<2x4x5x4xbf16>, tensor<2x4x5x4xui8>)
  %y, %index = amp.max_pool %x {kernel = array<i64: 3, 2>,
      strides = array<i64: 2, 2>, pads = array<i64: 1, 0, 1, 0>,
      dilations = array<i64: 1, 1>}
    : (tensor<2x4x9x8xbf16>) -> (tensor<2x4x5x4xbf16>, tensor<2x4x5x4xui8>)
  // CHECK: amp.max_pool_grad %[[Y]], %[[I]]
  %dx = amp.max_pool_grad %y, %index {kernel = array<i64: 3, 2>,
      strides = array<i64: 2, 2>, pads = array<i64: 1, 0, 1, 0>,
      dilations = array<i64: 1, 1>}
    : (tensor<2x4x5x4xbf16>, tensor<2x4x5x4xui8>) -> tensor<2x4x9x8xbf16>
  return %dx : tensor<2x4x9x8xbf16>
}

// CHECK-LABEL: @global_window_has_wide_indices
func.func @global_window_has_wide_indices(%x: tensor<1x2x16x16xf32>) {
  // CHECK: (tensor<1x2x1x1xf32>, tensor<1x2x1x1xi32>)
  amp.max_pool %x {kernel = array<i64: 16, 16>, strides = array<i64: 1, 1>,
      pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<1x2x16x16xf32>) -> (tensor<1x2x1x1xf32>, tensor<1x2x1x1xi32>)
  return
}

// CHECK-LABEL: @avg_pool_and_gradient
func.func @avg_pool_and_gradient(%x: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  // CHECK: amp.avg_pool %{{.*}} {acc = f32, count_include_pad, dilations = array<i64: 1>, kernel = array<i64: 3>, pads = array<i64: 1, 1>, strides = array<i64: 1>}
  %y = amp.avg_pool %x {kernel = array<i64: 3>, strides = array<i64: 1>,
      pads = array<i64: 1, 1>, dilations = array<i64: 1>, count_include_pad,
      acc = f32} : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  // CHECK: amp.avg_pool_grad
  %dx = amp.avg_pool_grad %y {kernel = array<i64: 3>, strides = array<i64: 1>,
      pads = array<i64: 1, 1>, dilations = array<i64: 1>, acc = f32}
    : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %dx : tensor<2x4x8xf32>
}
