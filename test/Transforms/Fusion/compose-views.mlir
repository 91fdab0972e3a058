// RUN: amp-opt %s --amp-compose-views | FileCheck %s

// The example of the description: the second third of a joint projection, one
// head after the other, is one copy. Offset and strides are elements of %arg0.
// CHECK-LABEL: func.func @split_heads(
// CHECK-NEXT: [[C:%[0-9]+]] = amp.strided_copy %arg0 {amp.phase = #amp<phase forward>, offset = 48 : i64, strides = array<i64: 1152, 12, 144, 1>} : (tensor<2x8x144xf32>) -> tensor<2x4x8x12xf32>
// CHECK-NEXT: [[R:%[0-9]+]] = amp.relu [[C]]
// CHECK-NEXT: return [[R]]
func.func @split_heads(%x: tensor<2x8x144xf32>) -> tensor<2x4x8x12xf32> {
  %0 = amp.slice %x {starts = array<i64: 0, 0, 48>, steps = array<i64: 1, 1, 1>} : (tensor<2x8x144xf32>) -> tensor<2x8x48xf32>
  %1 = amp.reshape %0 : (tensor<2x8x48xf32>) -> tensor<2x8x4x12xf32>
  %2 = amp.transpose %1 {perm = array<i64: 0, 2, 1, 3>, amp.phase = #amp<phase forward>} : (tensor<2x8x4x12xf32>) -> tensor<2x4x8x12xf32>
  %3 = amp.relu %2 : (tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32>
  return %3 : tensor<2x4x8x12xf32>
}

// The exchange of the last two dimensions is a flag of the product, for each
// side; a flag that was set is cleared.
// CHECK-LABEL: func.func @matmul_flags(
// CHECK-NEXT: [[A:%[0-9]+]] = amp.matmul %arg0, %arg1 {acc = f32, transpose_lhs}
// CHECK-NEXT: [[B:%[0-9]+]] = amp.matmul %arg0, %arg0 {acc = f32, transpose_rhs}
// CHECK-NEXT: [[C:%[0-9]+]] = amp.matmul %arg0, %arg1 {acc = f32, transpose_lhs}
// CHECK-NEXT: return [[A]], [[B]], [[C]]
func.func @matmul_flags(%x: tensor<3x4x5xf32>, %y: tensor<3x4x6xf32>) -> (tensor<3x5x6xf32>, tensor<3x4x4xf32>, tensor<3x5x6xf32>) {
  %0 = amp.transpose %x {perm = array<i64: 0, 2, 1>} : (tensor<3x4x5xf32>) -> tensor<3x5x4xf32>
  %1 = amp.matmul %0, %y {acc = f32} : (tensor<3x5x4xf32>, tensor<3x4x6xf32>) -> tensor<3x5x6xf32>
  %2 = amp.matmul %x, %0 {acc = f32} : (tensor<3x4x5xf32>, tensor<3x5x4xf32>) -> tensor<3x4x4xf32>
  %3 = amp.transpose %y {perm = array<i64: 0, 2, 1>} : (tensor<3x4x6xf32>) -> tensor<3x6x4xf32>
  %4 = amp.matmul %0, %3 {acc = f32, transpose_rhs} : (tensor<3x5x4xf32>, tensor<3x6x4xf32>) -> tensor<3x5x6xf32>
  return %1, %2, %4 : tensor<3x5x6xf32>, tensor<3x4x4xf32>, tensor<3x5x6xf32>
}

// Heads and an exchange: the copy runs along memory, the flag does the rest.
// CHECK-LABEL: func.func @copy_and_flag(
// CHECK: [[K:%[0-9]+]] = amp.strided_copy %arg1 {offset = 0 : i64, strides = array<i64: 96, 12, 48, 1>} : (tensor<2x2x4x12xf32>) -> tensor<2x4x2x12xf32>
// CHECK-NEXT: amp.matmul %arg0, [[K]] {acc = f32, transpose_rhs}
func.func @copy_and_flag(%q: tensor<2x4x2x12xf32>, %k: tensor<2x2x4x12xf32>) -> tensor<2x4x2x2xf32> {
  %0 = amp.transpose %k {perm = array<i64: 0, 2, 3, 1>} : (tensor<2x2x4x12xf32>) -> tensor<2x4x12x2xf32>
  %1 = amp.matmul %q, %0 {acc = f32} : (tensor<2x4x2x12xf32>, tensor<2x4x12x2xf32>) -> tensor<2x4x2x2xf32>
  return %1 : tensor<2x4x2x2xf32>
}

// A reshape of dense memory stays one; two of them are one.
// CHECK-LABEL: func.func @dense_reshape(
// CHECK-NEXT: [[R:%[0-9]+]] = amp.reshape %arg0 : (tensor<2x6xf32>) -> tensor<12xf32>
// CHECK-NEXT: return [[R]]
func.func @dense_reshape(%x: tensor<2x6xf32>) -> tensor<12xf32> {
  %0 = amp.reshape %x : (tensor<2x6xf32>) -> tensor<3x4xf32>
  %1 = amp.reshape %0 : (tensor<3x4xf32>) -> tensor<12xf32>
  return %1 : tensor<12xf32>
}

// There and back is nothing.
// CHECK-LABEL: func.func @there_and_back(
// CHECK-NEXT: [[R:%[0-9]+]] = amp.relu %arg0
// CHECK-NEXT: return [[R]]
func.func @there_and_back(%x: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %0 = amp.transpose %x {perm = array<i64: 1, 0>} : (tensor<2x6xf32>) -> tensor<6x2xf32>
  %1 = amp.transpose %0 {perm = array<i64: 1, 0>} : (tensor<6x2xf32>) -> tensor<2x6xf32>
  %2 = amp.relu %1 : (tensor<2x6xf32>) -> tensor<2x6xf32>
  return %2 : tensor<2x6xf32>
}

// Repeated dimensions have stride 0; steps multiply.
// CHECK-LABEL: func.func @broadcast(
// CHECK-NEXT: amp.strided_copy %arg0 {offset = 1 : i64, strides = array<i64: 0, 2, 0>} : (tensor<6x1xf32>) -> tensor<4x3x5xf32>
func.func @broadcast(%x: tensor<6x1xf32>) -> tensor<4x3x5xf32> {
  %0 = amp.slice %x {starts = array<i64: 1, 0>, steps = array<i64: 2, 1>} : (tensor<6x1xf32>) -> tensor<3x1xf32>
  %1 = amp.broadcast %0 : (tensor<3x1xf32>) -> tensor<4x3x5xf32>
  return %1 : tensor<4x3x5xf32>
}

// A reshape across dimensions that do not lie side by side needs the copy
// in front of it.
// CHECK-LABEL: func.func @needs_a_copy(
// CHECK-NEXT: [[T:%[0-9]+]] = amp.strided_copy %arg0 {offset = 0 : i64, strides = array<i64: 1, 6>} : (tensor<2x6xf32>) -> tensor<6x2xf32>
// CHECK-NEXT: [[R:%[0-9]+]] = amp.reshape [[T]] : (tensor<6x2xf32>) -> tensor<12xf32>
// CHECK-NEXT: return [[R]]
func.func @needs_a_copy(%x: tensor<2x6xf32>) -> tensor<12xf32> {
  %0 = amp.transpose %x {perm = array<i64: 1, 0>} : (tensor<2x6xf32>) -> tensor<6x2xf32>
  %1 = amp.reshape %0 : (tensor<6x2xf32>) -> tensor<12xf32>
  return %1 : tensor<12xf32>
}

// A value in the middle of a chain that is read by itself is made once, too.
// CHECK-LABEL: func.func @used_in_between(
// CHECK-DAG: [[A:%[0-9]+]] = amp.strided_copy %arg0 {offset = 2 : i64, strides = array<i64: 6, 1>}
// CHECK-DAG: [[B:%[0-9]+]] = amp.strided_copy %arg0 {offset = 2 : i64, strides = array<i64: 1, 6>}
// CHECK: return [[A]], [[B]]
func.func @used_in_between(%x: tensor<2x6xf32>) -> (tensor<2x3xf32>, tensor<3x2xf32>) {
  %0 = amp.slice %x {starts = array<i64: 0, 2>, steps = array<i64: 1, 1>} : (tensor<2x6xf32>) -> tensor<2x3xf32>
  %1 = amp.transpose %0 {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<3x2xf32>
}

// A channels-last tensor is a border: its strides are not those of its shape.
// CHECK-LABEL: func.func @channels_last(
// CHECK-NEXT: amp.slice %arg0
// CHECK-NEXT: amp.slice
func.func @channels_last(%x: tensor<2x6x4x4xf32, #amp.channels_last>) -> tensor<2x1x4x4xf32> {
  %0 = amp.slice %x {starts = array<i64: 0, 2, 0, 0>, steps = array<i64: 1, 1, 1, 1>} : (tensor<2x6x4x4xf32, #amp.channels_last>) -> tensor<2x3x4x4xf32, #amp.channels_last>
  %1 = amp.slice %0 {starts = array<i64: 0, 1, 0, 0>, steps = array<i64: 1, 1, 1, 1>} : (tensor<2x3x4x4xf32, #amp.channels_last>) -> tensor<2x1x4x4xf32, #amp.channels_last>
  %2 = amp.relayout %1 : (tensor<2x1x4x4xf32, #amp.channels_last>) -> tensor<2x1x4x4xf32>
  return %2 : tensor<2x1x4x4xf32>
}
