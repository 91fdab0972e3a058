// RUN: amp-opt %s --amp-materialize-shadows | FileCheck %s
// RUN: amp-opt %s --amp-materialize-shadows --amp-materialize-shadows | FileCheck %s

// A parameter stored low gets a wider copy, and none in its own type: a layout
// of it is the runtime's business.
// CHECK: amp.variable @w : tensor<4x3xbf16> kind parameter
// CHECK-NEXT: amp.variable @w.shadow.f32 : tensor<4x3xf32> kind shadow {shadow_of = @w}
// CHECK-NEXT: amp.variable @k : tensor<16x16x1x1xf16> kind parameter
// CHECK-NEXT: amp.variable @k.shadow.bf16.conv : tensor<16x16x1x1xbf16> kind shadow {shadow_of = @k}
// CHECK-NOT: kind shadow
amp.variable @w : tensor<4x3xbf16> kind parameter {trained}
amp.variable @k : tensor<16x16x1x1xf16> kind parameter

// CHECK-LABEL: func.func @both_readers(
// CHECK-NEXT: [[S:%[a-z0-9]+]] = amp.read @w.shadow.f32 : tensor<4x3xf32>
// CHECK-NEXT: amp.matmul %arg0, [[S]]
// CHECK-NEXT: amp.relu [[S]]
func.func @both_readers(%x: tensor<8x4xf32>) -> (tensor<8x3xf32>, tensor<4x3xf32>) {
  %w = amp.read @w : tensor<4x3xbf16>
  %0 = amp.cast %w : (tensor<4x3xbf16>) -> tensor<4x3xf32>
  %1 = amp.matmul %x, %0 {acc = f32} : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  %2 = amp.relu %0 : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return %1, %2 : tensor<8x3xf32>, tensor<4x3xf32>
}

// Moved before it is widened: the copy is moved.
// CHECK-LABEL: func.func @moved(
// CHECK-NEXT: [[S:%[a-z0-9]+]] = amp.read @w.shadow.f32 : tensor<4x3xf32>
// CHECK-NEXT: [[R:%[0-9]+]] = amp.reshape [[S]] : (tensor<4x3xf32>) -> tensor<12x1xf32>
// CHECK-NEXT: [[T:%[0-9]+]] = amp.transpose [[R]] {{.*}} -> tensor<1x12xf32>
// CHECK-NEXT: amp.add [[T]], [[T]]
func.func @moved() -> tensor<1x12xf32> {
  %w = amp.read @w : tensor<4x3xbf16>
  %0 = amp.reshape %w : (tensor<4x3xbf16>) -> tensor<12x1xbf16>
  %1 = amp.transpose %0 {perm = array<i64: 1, 0>} : (tensor<12x1xbf16>) -> tensor<1x12xbf16>
  %2 = amp.cast %1 : (tensor<1x12xbf16>) -> tensor<1x12xf32>
  %3 = amp.add %2, %2 : (tensor<1x12xf32>, tensor<1x12xf32>) -> tensor<1x12xf32>
  return %3 : tensor<1x12xf32>
}

// CHECK-LABEL: func.func @in_its_type(
// CHECK: [[K:%[a-z0-9]+]] = amp.read @k : tensor<16x16x1x1xf16>
// CHECK: amp.conv %arg0, [[K]]
func.func @in_its_type(%x: tensor<2x16x4x4xf16>) -> tensor<2x16x4x4xf16> {
  %k = amp.read @k : tensor<16x16x1x1xf16>
  %0 = amp.conv %x, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x16x4x4xf16>, tensor<16x16x1x1xf16>) -> tensor<2x16x4x4xf16>
  return %0 : tensor<2x16x4x4xf16>
}

// CHECK-LABEL: func.func @in_the_other_type(
// CHECK: [[K:%[a-z0-9]+]] = amp.read @k.shadow.bf16.conv
// CHECK: amp.conv %arg0, [[K]]
func.func @in_the_other_type(%x: tensor<2x16x4x4xbf16>) -> tensor<2x16x4x4xbf16> {
  %k = amp.read @k : tensor<16x16x1x1xf16>
  %c = amp.cast %k : (tensor<16x16x1x1xf16>) -> tensor<16x16x1x1xbf16>
  %0 = amp.conv %x, %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x16x4x4xbf16>, tensor<16x16x1x1xbf16>) -> tensor<2x16x4x4xbf16>
  return %0 : tensor<2x16x4x4xbf16>
}

// CHECK-LABEL: func.func @update(
// CHECK: amp.optimizer_step
// CHECK-SAME: resultSegmentSizes = array<i32: 1, 0, 1>
// CHECK-SAME: -> (tensor<4x3xbf16>, tensor<4x3xf32>)
// CHECK: amp.write @w.shadow.f32
func.func @update(%g: tensor<4x3xf32>, %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  %w = amp.read @w : tensor<4x3xbf16>
  %p = amp.optimizer_step %w, %g, %s, %s, %s, %s, %ok, %n {kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>, config = {}, resultSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4x3xbf16>, tensor<4x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<i64>) -> tensor<4x3xbf16>
  amp.write @w, %p : tensor<4x3xbf16>
  return
}
