// RUN: amp-opt %s --split-input-file --amp-seed-regions --amp-form-regions --amp-fuse-casts | FileCheck %s

// The description's example: a gather converts while it reads.
// CHECK-LABEL: func.func @gather(
// CHECK-NEXT: [[G:%[0-9]+]] = amp.gather %arg0, %arg1 {axis = 0 : i64} : (tensor<64x16xf32>, tensor<32xi64>) -> tensor<32x16xbf16>
// CHECK-NEXT: amp.matmul [[G]], %arg2
func.func @gather(%t: tensor<64x16xf32>, %i: tensor<32xi64>, %w: tensor<16x4xbf16>) -> tensor<32x4xbf16> {
  %0 = amp.gather %t, %i {axis = 0 : i64} : (tensor<64x16xf32>, tensor<32xi64>) -> tensor<32x16xf32>
  %1 = amp.cast %0 : (tensor<32x16xf32>) -> tensor<32x16xbf16>
  %2 = amp.matmul %1, %w {acc = f32} : (tensor<32x16xbf16>, tensor<16x4xbf16>) -> tensor<32x4xbf16>
  return %2 : tensor<32x4xbf16>
}

// So does a reduction that is left to the routine, also under another shape.
// CHECK-LABEL: func.func @reduction(
// CHECK-NEXT: [[S:%[0-9]+]] = amp.reduce_sum %arg0 {{.+}} : (tensor<4x8x16xf32>) -> tensor<4x16xf16>
// CHECK-NEXT: [[R:%[0-9]+]] = amp.reshape [[S]] : (tensor<4x16xf16>) -> tensor<64xf16>
// CHECK-NEXT: amp.concat [[R]], %arg1
func.func @reduction(%x: tensor<4x8x16xf32>, %y: tensor<1xf16>) -> tensor<65xf16> {
  %0 = amp.reduce_sum %x {acc = f32, axes = array<i64: 1>} : (tensor<4x8x16xf32>) -> tensor<4x16xf32>
  %1 = amp.reshape %0 : (tensor<4x16xf32>) -> tensor<64xf32>
  %2 = amp.cast %1 : (tensor<64xf32>) -> tensor<64xf16>
  %3 = amp.concat %2, %y {axis = 0 : i64} : (tensor<64xf16>, tensor<1xf16>) -> tensor<65xf16>
  return %3 : tensor<65xf16>
}

// A copy reads the source of a cast itself, in both directions.
// CHECK-LABEL: func.func @copy_behind(
// CHECK-NEXT: [[A:%[0-9]+]] = amp.strided_copy %arg0 {{.+}} : (tensor<8x4xf32>) -> tensor<4x8xbf16>
// CHECK-NEXT: [[B:%[0-9]+]] = amp.strided_copy %arg1 {{.+}} : (tensor<8x4xbf16>) -> tensor<4x8xf32>
// CHECK-NEXT: return [[A]], [[B]]
func.func @copy_behind(%x: tensor<8x4xf32>, %y: tensor<8x4xbf16>) -> (tensor<4x8xbf16>, tensor<4x8xf32>) {
  %0 = amp.cast %x : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %1 = amp.strided_copy %0 {offset = 0 : i64, strides = array<i64: 1, 4>} : (tensor<8x4xbf16>) -> tensor<4x8xbf16>
  %2 = amp.cast %y : (tensor<8x4xbf16>) -> tensor<8x4xf32>
  %3 = amp.strided_copy %2 {offset = 0 : i64, strides = array<i64: 1, 4>} : (tensor<8x4xf32>) -> tensor<4x8xf32>
  return %1, %3 : tensor<4x8xbf16>, tensor<4x8xf32>
}

// Between a routine and a copy a widening goes into the copy, a narrowing into
// the routine: what is in between is small.
// CHECK-LABEL: func.func @between(
// CHECK-NEXT: [[G:%[0-9]+]] = amp.gather %arg0, %arg2 {{.+}} -> tensor<8x4xbf16>
// CHECK-NEXT: [[A:%[0-9]+]] = amp.strided_copy [[G]] {{.+}} : (tensor<8x4xbf16>) -> tensor<4x8xf32>
// CHECK-NEXT: [[H:%[0-9]+]] = amp.gather %arg1, %arg2 {{.+}} -> tensor<8x4xbf16>
// CHECK-NEXT: [[B:%[0-9]+]] = amp.strided_copy [[H]] {{.+}} : (tensor<8x4xbf16>) -> tensor<4x8xbf16>
// CHECK-NEXT: return [[A]], [[B]]
func.func @between(%t: tensor<9x4xbf16>, %u: tensor<9x4xf32>, %i: tensor<8xi64>) -> (tensor<4x8xf32>, tensor<4x8xbf16>) {
  %0 = amp.gather %t, %i {axis = 0 : i64} : (tensor<9x4xbf16>, tensor<8xi64>) -> tensor<8x4xbf16>
  %1 = amp.cast %0 : (tensor<8x4xbf16>) -> tensor<8x4xf32>
  %2 = amp.strided_copy %1 {offset = 0 : i64, strides = array<i64: 1, 4>} : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %3 = amp.gather %u, %i {axis = 0 : i64} : (tensor<9x4xf32>, tensor<8xi64>) -> tensor<8x4xf32>
  %4 = amp.cast %3 : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %5 = amp.strided_copy %4 {offset = 0 : i64, strides = array<i64: 1, 4>} : (tensor<8x4xbf16>) -> tensor<4x8xbf16>
  return %2, %5 : tensor<4x8xf32>, tensor<4x8xbf16>
}

// The value is needed in its own type, too; or the routine has one type only;
// or the user rounds in between: each is a launch of its own.
// CHECK-LABEL: func.func @not_fused(
// CHECK: amp.gather {{.+}} -> tensor<32x16xf32>
// CHECK: amp.region
// CHECK: amp.gather_grad {{.+}} -> tensor<64x16xf32>
// CHECK: amp.region
// CHECK: amp.gather {{.+}} -> tensor<32x16xf32>
// CHECK: amp.region
// CHECK: return
func.func @not_fused(%t: tensor<64x16xf32>, %i: tensor<32xi64>, %dy: tensor<32x16xf32>) -> (tensor<32x16xf32>, tensor<32x16xbf16>, tensor<64x16xbf16>, tensor<32x16xf32>) {
  %0 = amp.gather %t, %i {axis = 0 : i64} : (tensor<64x16xf32>, tensor<32xi64>) -> tensor<32x16xf32>
  %1 = amp.cast %0 : (tensor<32x16xf32>) -> tensor<32x16xbf16>
  %2 = amp.gather_grad %dy, %i {acc = f32, axis = 0 : i64} : (tensor<32x16xf32>, tensor<32xi64>) -> tensor<64x16xf32>
  %3 = amp.cast %2 : (tensor<64x16xf32>) -> tensor<64x16xbf16>
  %4 = amp.gather %t, %i {axis = 0 : i64} : (tensor<64x16xf32>, tensor<32xi64>) -> tensor<32x16xf32>
  %5 = amp.cast %4 {user} : (tensor<32x16xf32>) -> tensor<32x16xbf16>
  %6 = amp.cast %5 {user} : (tensor<32x16xbf16>) -> tensor<32x16xf32>
  return %0, %1, %3, %6 : tensor<32x16xf32>, tensor<32x16xbf16>, tensor<64x16xbf16>, tensor<32x16xf32>
}

// -----

// With a kernel for every op a cast is one, too.
module attributes {amp.unfused} {
// CHECK-LABEL: func.func @unfused(
// CHECK: amp.gather
// CHECK: amp.region
func.func @unfused(%t: tensor<64x16xf32>, %i: tensor<32xi64>) -> tensor<32x16xbf16> {
  %0 = amp.gather %t, %i {axis = 0 : i64} : (tensor<64x16xf32>, tensor<32xi64>) -> tensor<32x16xf32>
  %1 = amp.cast %0 : (tensor<32x16xf32>) -> tensor<32x16xbf16>
  return %1 : tensor<32x16xbf16>
}
}
