// RUN: amp-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @two_dimensions_with_bias
func.func @two_dimensions_with_bias(%x: tensor<2x4x8x9xf32>,
    %w: tensor<6x4x3x3xf32>, %b: tensor<6xf32>) -> tensor<2x6x4x5xf32> {
  // CHECK: amp.conv %{{.*}}, %{{.*}}, %{{.*}} {acc = f32, dilations = array<i64: 1, 1>, group = 1 : i64, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
  %0 = amp.conv %x, %w, %b {strides = array<i64: 2, 2>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 1 : i64, acc = f32}
    : (tensor<2x4x8x9xf32>, tensor<6x4x3x3xf32>, tensor<6xf32>)
    -> tensor<2x6x4x5xf32>
  return %0 : tensor<2x6x4x5xf32>
}

// CHECK-LABEL: @depthwise_dilated_one_dimension
func.func @depthwise_dilated_one_dimension(%x: tensor<2x4x10xbf16>,
    %w: tensor<4x1x3xbf16>) -> tensor<2x4x7xbf16> {
  // CHECK: amp.conv {{.*}}group = 4
  %0 = amp.conv %x, %w {strides = array<i64: 1>, pads = array<i64: 0, 1>,
      dilations = array<i64: 2>, group = 4 : i64, acc = f32}
    : (tensor<2x4x10xbf16>, tensor<4x1x3xbf16>) -> tensor<2x4x7xbf16>
  return %0 : tensor<2x4x7xbf16>
}

// CHECK-LABEL: @gradients
func.func @gradients(%dy: tensor<2x6x4x5xf32>, %x: tensor<2x4x8x9xf32>,
    %w: tensor<6x4x3x3xf32>) {
  // CHECK: amp.conv_input_grad
  // CHECK-SAME: -> tensor<2x4x8x9xf32>
  amp.conv_input_grad %dy, %w {strides = array<i64: 2, 2>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 1 : i64, acc = f32}
    : (tensor<2x6x4x5xf32>, tensor<6x4x3x3xf32>) -> tensor<2x4x8x9xf32>
  // CHECK: amp.conv_weight_grad
  // CHECK-SAME: -> tensor<6x4x3x3xf32>
  amp.conv_weight_grad %dy, %x {strides = array<i64: 2, 2>,
      pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>,
      group = 1 : i64, acc = f32}
    : (tensor<2x6x4x5xf32>, tensor<2x4x8x9xf32>) -> tensor<6x4x3x3xf32>
  return
}
