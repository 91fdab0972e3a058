// RUN: amp-opt %s --amp-mark-regions | FileCheck %s
// RUN: amp-opt %s --amp-mark-regions --amp-mark-regions | FileCheck %s

// The example of the description: one kernel, whose inner value moves nothing.
// CHECK-LABEL: func.func @ops_share_a_kernel(
// CHECK-SAME: amp.fixed_bytes = 0 : i64
// CHECK: amp.relu {{.+}}amp.region = 0 : i64, amp.traffic = {inner = 0 : i64, loads = array<i64: 32>, stores = array<i64: 0>}
// CHECK: amp.mul {{.+}}amp.region = 0 : i64, amp.traffic = {inner = 0 : i64, loads = array<i64: 0, 0>, stores = array<i64: 32>}
func.func @ops_share_a_kernel(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = amp.relu %x : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = amp.mul %0, %0 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// A routine of the runtime has traffic, but no region; a view of dense memory
// and a transpose that becomes a flag have neither.
// CHECK-LABEL: func.func @views_move_nothing(
// CHECK: amp.reshape
// CHECK-NOT: amp.traffic
// CHECK-SAME: ->
// CHECK: amp.transpose
// CHECK-NOT: amp.traffic
// CHECK-SAME: ->
// CHECK: amp.matmul
// CHECK-NOT: amp.region
// CHECK-SAME: amp.traffic = {inner = 0 : i64, loads = array<i64: 32, 12>, stores = array<i64: 24>}
func.func @views_move_nothing(%x: tensor<2x4x4xf32>, %w: tensor<3x4xf32>) -> tensor<8x3xf32> {
  %0 = amp.reshape %x : (tensor<2x4x4xf32>) -> tensor<8x4xf32>
  %1 = amp.transpose %w {perm = array<i64: 1, 0>} : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %2 = amp.matmul %0, %1 {acc = f32} : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  return %2 : tensor<8x3xf32>
}

// Of a table only the rows that are picked move; integers have no choice of
// type and count in bytes.
// CHECK-LABEL: func.func @gather_moves_rows(
// CHECK-SAME: amp.fixed_bytes = 32 : i64
// CHECK: amp.gather {{.+}}amp.traffic = {inner = 0 : i64, loads = array<i64: 32, 0>, stores = array<i64: 32>}
func.func @gather_moves_rows(%t: tensor<1000x8xf32>, %i: tensor<4xi64>) -> tensor<4x8xf32> {
  %0 = amp.gather %t, %i {axis = 0 : i64} : (tensor<1000x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The pieces of a batch norm read its input, copied into channels-last order
// before, three times and hand sums of columns to each other; the result is
// written once, then read and written once more where it leaves the function in
// row-major order.
// CHECK-LABEL: func.func @pieces_of_a_norm(
// CHECK: amp.batch_norm {{.+}}amp.traffic = {copies = array<i64: 1152, 0, 0>, inner = {{[1-9][0-9]*}} : i64, loads = array<i64: 3456, 16, 16>, stores = array<i64: 3456, 0, 0>}
func.func @pieces_of_a_norm(%x: tensor<2x16x6x6xf32>, %s: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<2x16x6x6xf32> {
  %y, %m, %v = amp.batch_norm %x, %s, %b {epsilon = 1.0e-05 : f64, acc = f32} : (tensor<2x16x6x6xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<2x16x6x6xf32>, tensor<16xf32>, tensor<16xf32>)
  return %y : tensor<2x16x6x6xf32>
}

// Scores are a step on the way; so are probabilities that nothing else reads,
// while those that something reads are a result of their own.
// CHECK-LABEL: func.func @pieces_of_attention(
// CHECK: amp.attention {{.+}}amp.traffic = {inner = 1024 : i64, loads = array<i64: 128, 128, 128>, stores = array<i64: 128, 0>}
func.func @pieces_of_attention(%q: tensor<2x2x8x4xf32>, %k: tensor<2x2x8x4xf32>, %v: tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32> {
  %y, %p = amp.attention %q, %k, %v {scale = 0.25 : f64, acc = f32} : (tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) -> (tensor<2x2x8x4xf32>, tensor<2x2x8x8xf32>)
  return %y : tensor<2x2x8x4xf32>
}
// CHECK-LABEL: func.func @probabilities_are_read(
// CHECK: amp.attention {{.+}}amp.traffic = {inner = 512 : i64, loads = array<i64: 128, 128, 128>, stores = array<i64: 128, 512>}
func.func @probabilities_are_read(%q: tensor<2x2x8x4xf32>, %k: tensor<2x2x8x4xf32>, %v: tensor<2x2x8x4xf32>) -> (tensor<2x2x8x4xf32>, tensor<2x2x8x8xf32>) {
  %y, %p = amp.attention %q, %k, %v {scale = 0.25 : f64, acc = f32} : (tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) -> (tensor<2x2x8x4xf32>, tensor<2x2x8x8xf32>)
  return %y, %p : tensor<2x2x8x4xf32>, tensor<2x2x8x8xf32>
}

// What has its casts is left alone.
// CHECK-LABEL: func.func @decided(
// CHECK-NOT: amp.fixed_bytes
// CHECK: amp.relu
// CHECK-NOT: amp.traffic
// CHECK: return
func.func @decided(%x: tensor<8x4xbf16>) -> tensor<8x4xbf16> attributes {amp.precision_applied} {
  %0 = amp.relu %x : (tensor<8x4xbf16>) -> tensor<8x4xbf16>
  return %0 : tensor<8x4xbf16>
}

// The parameters of a 16-bit model are float32 and cast where they are read, but
// the update writes these copies: no launch makes them, and what reads float32
// anyway (a bias) reads the parameter. 128 bytes are the weight, 64 x and the
// result.
amp.variable @w : tensor<8x8xf32> kind parameter
amp.variable @b : tensor<8xf32> kind parameter
// CHECK-LABEL: func.func @copies_of_parameters(
// CHECK-SAME: amp.fixed_bytes = 192 : i64
// CHECK: amp.read @b {{.+}}stores = array<i64: 8>
func.func @copies_of_parameters(%x: tensor<2x8xf16>) -> tensor<2x8xf16> {
  %0 = amp.read @w : tensor<8x8xf32>
  %1 = amp.cast %0 : (tensor<8x8xf32>) -> tensor<8x8xf16>
  %2 = amp.read @b : tensor<8xf32>
  %3 = amp.cast %2 : (tensor<8xf32>) -> tensor<8xf16>
  %4 = amp.matmul %x, %1 bias %3 {acc = f32} : (tensor<2x8xf16>, tensor<8x8xf16>, tensor<8xf16>) -> tensor<2x8xf16>
  return %4 : tensor<2x8xf16>
}
