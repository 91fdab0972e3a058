// RUN: amp-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @moves
func.func @moves(%x: tensor<2x3xbf16>, %m: tensor<2x3xi1>) {
  // CHECK: amp.reshape %{{.*}} : (tensor<2x3xbf16>) -> tensor<6xbf16>
  amp.reshape %x : (tensor<2x3xbf16>) -> tensor<6xbf16>
  // CHECK: amp.transpose %{{.*}} {perm = array<i64: 1, 0>} : (tensor<2x3xi1>) -> tensor<3x2xi1>
  amp.transpose %m {perm = array<i64: 1, 0>} : (tensor<2x3xi1>) -> tensor<3x2xi1>
  // CHECK: amp.broadcast %{{.*}} : (tensor<2x3xbf16>) -> tensor<4x2x3xbf16>
  amp.broadcast %x : (tensor<2x3xbf16>) -> tensor<4x2x3xbf16>
  // CHECK: amp.concat %{{.*}}, %{{.*}} {axis = 1 : i64} : (tensor<2x3xbf16>, tensor<2x3xbf16>) -> tensor<2x6xbf16>
  amp.concat %x, %x {axis = 1 : i64}
    : (tensor<2x3xbf16>, tensor<2x3xbf16>) -> tensor<2x6xbf16>
  return
}

// CHECK-LABEL: @slices_walk_both_ways
func.func @slices_walk_both_ways(%x: tensor<4x6xf32>) {
  // CHECK: amp.slice %{{.*}} {starts = array<i64: 1, 5>, steps = array<i64: 1, -2>} : (tensor<4x6xf32>) -> tensor<2x3xf32>
  amp.slice %x {starts = array<i64: 1, 5>, steps = array<i64: 1, -2>}
    : (tensor<4x6xf32>) -> tensor<2x3xf32>
  // CHECK: -> tensor<0x6xf32>
  amp.slice %x {starts = array<i64: 4, 0>, steps = array<i64: 1, 1>}
    : (tensor<4x6xf32>) -> tensor<0x6xf32>
  return
}

// CHECK-LABEL: @pad_spreads_elements
func.func @pad_spreads_elements(%x: tensor<3xf32>) {
  // CHECK: amp.pad %{{.*}} {high = array<i64: 2>, interior = array<i64: 1>, low = array<i64: 1>, value = 0xFFF0000000000000 : f64} : (tensor<3xf32>) -> tensor<8xf32>
  amp.pad %x {low = array<i64: 1>, high = array<i64: 2>,
      interior = array<i64: 1>, value = 0xFFF0000000000000 : f64}
    : (tensor<3xf32>) -> tensor<8xf32>
  return
}

// CHECK-LABEL: @relayout
func.func @relayout(%x: tensor<2x3x4x5xf32>) {
  // CHECK: amp.relayout %{{.*}} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32, #amp.channels_last>
  amp.relayout %x
    : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32, #amp.channels_last>
  return
}

// CHECK-LABEL: @strided_copy
func.func @strided_copy(%x: tensor<2x3xf32>) {
  // CHECK: amp.strided_copy %{{.*}} {offset = 5 : i64, strides = array<i64: 0, -3, -1>} : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  amp.strided_copy %x {offset = 5 : i64, strides = array<i64: 0, -3, -1>}
    : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  // CHECK: amp.strided_copy %{{.*}} {offset = 0 : i64, strides = array<i64: 1, 3>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  amp.strided_copy %x {offset = 0 : i64, strides = array<i64: 1, 3>}
    : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}
