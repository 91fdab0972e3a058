// RUN: amp-opt %s --amp-materialize-shadows | FileCheck %s
// RUN: amp-opt %s --amp-materialize-shadows --amp-materialize-shadows | FileCheck %s

// A shadow stands behind its variable; each type and use has one of its own.
// CHECK: amp.variable @w : tensor<4x3xf32> kind parameter
// CHECK-DAG: amp.variable @w.shadow.bf16 : tensor<4x3xbf16> kind shadow {shadow_of = @w}
// CHECK-DAG: amp.variable @w.shadow.f16 : tensor<4x3xf16> kind shadow {shadow_of = @w}
// CHECK: amp.variable @k : tensor<16x16x1x1xf32> kind parameter
// CHECK-DAG: amp.variable @k.shadow.bf16.conv : tensor<16x16x1x1xbf16> kind shadow {shadow_of = @k}
// CHECK-DAG: amp.variable @k.shadow.bf16.conv_input_grad : tensor<16x16x1x1xbf16> kind shadow {shadow_of = @k}
// CHECK: amp.variable @k32 :
// CHECK-DAG: amp.variable @k32.shadow.f32.conv : tensor<16x16x1x1xf32> kind shadow {shadow_of = @k32}
// CHECK-DAG: amp.variable @k32.shadow.f32.conv_input_grad : tensor<16x16x1x1xf32> kind shadow {shadow_of = @k32}
// CHECK-NOT: kind shadow
amp.variable @w : tensor<4x3xf32> kind parameter {trained}
amp.variable @k : tensor<16x16x1x1xf32> kind parameter {trained}
amp.variable @k32 : tensor<16x16x1x1xf32> kind parameter {trained}
amp.variable @mean : tensor<4x3xf32> kind buffer

// The example of the description. One read, however many casts there are.
// CHECK-LABEL: func.func @cast_of_parameter(
// CHECK-NEXT: [[S:%[0-9]+]] = amp.read @w.shadow.bf16 : tensor<4x3xbf16>
// CHECK-NEXT: amp.matmul %arg0, [[S]]
// CHECK-NEXT: amp.matmul %arg0, [[S]]
// CHECK-NEXT: amp.add
// CHECK-NEXT: return
func.func @cast_of_parameter(%x: tensor<8x4xbf16>) -> tensor<8x3xbf16> {
  %w = amp.read @w : tensor<4x3xf32>
  %0 = amp.cast %w : (tensor<4x3xf32>) -> tensor<4x3xbf16>
  %1 = amp.cast %w : (tensor<4x3xf32>) -> tensor<4x3xbf16>
  %2 = amp.matmul %x, %0 {acc = f32} : (tensor<8x4xbf16>, tensor<4x3xbf16>) -> tensor<8x3xbf16>
  %3 = amp.matmul %x, %1 {acc = f32} : (tensor<8x4xbf16>, tensor<4x3xbf16>) -> tensor<8x3xbf16>
  %4 = amp.add %2, %3 : (tensor<8x3xbf16>, tensor<8x3xbf16>) -> tensor<8x3xbf16>
  return %4 : tensor<8x3xbf16>
}

// Buffers, and what the model casts, are left alone.
// CHECK-LABEL: func.func @not_ours(
// CHECK: amp.cast {{%[a-z0-9]+}} : (tensor<4x3xf32>) -> tensor<4x3xbf16>
// CHECK: amp.cast {{%[a-z0-9]+}} {user} : (tensor<4x3xf32>) -> tensor<4x3xbf16>
func.func @not_ours() -> (tensor<4x3xbf16>, tensor<4x3xbf16>) {
  %m = amp.read @mean : tensor<4x3xf32>
  %w = amp.read @w : tensor<4x3xf32>
  %0 = amp.cast %m : (tensor<4x3xf32>) -> tensor<4x3xbf16>
  %1 = amp.cast %w {user} : (tensor<4x3xf32>) -> tensor<4x3xbf16>
  return %0, %1 : tensor<4x3xbf16>, tensor<4x3xbf16>
}

// Each direction of a convolution reads its own.
// CHECK-LABEL: func.func @convolutions(
// CHECK-DAG: [[F:%[0-9]+]] = amp.read @k.shadow.bf16.conv :
// CHECK-DAG: [[B:%[0-9]+]] = amp.read @k.shadow.bf16.conv_input_grad :
// CHECK: amp.conv %arg0, [[F]]
// CHECK: amp.conv_input_grad %arg0, [[B]]
func.func @convolutions(%x: tensor<2x16x4x4xbf16>) -> (tensor<2x16x4x4xbf16>, tensor<2x16x4x4xbf16>) {
  %k = amp.read @k : tensor<16x16x1x1xf32>
  %c = amp.cast %k : (tensor<16x16x1x1xf32>) -> tensor<16x16x1x1xbf16>
  %0 = amp.conv %x, %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x16x4x4xbf16>, tensor<16x16x1x1xbf16>) -> tensor<2x16x4x4xbf16>
  %1 = amp.conv_input_grad %x, %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x16x4x4xbf16>, tensor<16x16x1x1xbf16>) -> tensor<2x16x4x4xbf16>
  return %0, %1 : tensor<2x16x4x4xbf16>, tensor<2x16x4x4xbf16>
}

// In float32, too; another reader keeps the weight itself.
// CHECK-LABEL: func.func @float32_convolutions(
// CHECK-DAG: [[W:%[a-z0-9]+]] = amp.read @k32 :
// CHECK-DAG: [[F:%[a-z0-9]+]] = amp.read @k32.shadow.f32.conv :
// CHECK-DAG: [[B:%[a-z0-9]+]] = amp.read @k32.shadow.f32.conv_input_grad :
// CHECK: amp.conv %arg0, [[F]]
// CHECK: amp.conv_input_grad %arg0, [[B]]
// CHECK: amp.relu [[W]]
func.func @float32_convolutions(%x: tensor<2x16x4x4xf32>) -> (tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>, tensor<16x16x1x1xf32>) {
  %k = amp.read @k32 : tensor<16x16x1x1xf32>
  %0 = amp.conv %x, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<2x16x4x4xf32>
  %1 = amp.conv_input_grad %x, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, acc = f32} : (tensor<2x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<2x16x4x4xf32>
  %2 = amp.relu %k : (tensor<16x16x1x1xf32>) -> tensor<16x16x1x1xf32>
  return %0, %1, %2 : tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>, tensor<16x16x1x1xf32>
}

// The update writes all copies of its parameter, whichever function reads
// them, beside the parameter and its states.
// CHECK-LABEL: func.func @update(
// CHECK: [[R:%[a-z_0-9]+]], %{{[a-z_0-9]+}}, [[RS:%[a-z_0-9]+]]:2 = amp.optimizer_step
// CHECK-SAME: amp.phase = #amp<phase update>
// CHECK-SAME: resultSegmentSizes = array<i32: 1, 1, 2>
// CHECK-SAME: -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xbf16>, tensor<4x3xf16>)
// CHECK: [[K:%[a-zA-Z0-9_]+]], [[KS:%[a-zA-Z0-9_]+]]:2 = amp.optimizer_step
// CHECK-SAME: resultSegmentSizes = array<i32: 1, 0, 2>
// CHECK-DAG: amp.write @w, [[R]]
// CHECK-DAG: amp.write @w.shadow.bf16, [[RS]]#0 {amp.phase = #amp<phase update>} : tensor<4x3xbf16>
// CHECK-DAG: amp.write @k.shadow.bf16.conv, [[KS]]#1 : tensor<16x16x1x1xbf16>
// CHECK-DAG: amp.write @k.shadow.bf16.conv_input_grad, [[KS]]#0 : tensor<16x16x1x1xbf16>
// CHECK-NOT: amp.write @k32
// CHECK: return
amp.variable @w.momentum : tensor<4x3xf32> kind moment
func.func @update(%g: tensor<4x3xf32>, %gk: tensor<16x16x1x1xf32>, %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  %w = amp.read @w : tensor<4x3xf32>
  %k = amp.read @k : tensor<16x16x1x1xf32>
  %m = amp.read @w.momentum : tensor<4x3xf32>
  %p, %st = amp.optimizer_step %w, %g, %s, %s, %s, %s, %ok, %n states(%m) {amp.phase = #amp<phase update>, kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>, config = {momentum = 0.9 : f64}, resultSegmentSizes = array<i32: 1, 1, 0>} : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<i64>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  %q = amp.optimizer_step %k, %gk, %s, %s, %s, %s, %ok, %n {kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>, config = {}, resultSegmentSizes = array<i32: 1, 0, 0>} : (tensor<16x16x1x1xf32>, tensor<16x16x1x1xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<i64>) -> tensor<16x16x1x1xf32>
  amp.write @w, %p : tensor<4x3xf32>
  amp.write @w.momentum, %st : tensor<4x3xf32>
  amp.write @k, %q : tensor<16x16x1x1xf32>
  return
}

// Evaluation reads the copies and writes nothing.
// CHECK-LABEL: func.func @eval(
// CHECK-NEXT: [[S:%[0-9]+]] = amp.read @w.shadow.bf16
// CHECK-NEXT: amp.matmul %arg0, [[S]]
// CHECK-NEXT: return
func.func @eval(%x: tensor<2x4xbf16>) -> tensor<2x3xbf16> {
  %w = amp.read @w : tensor<4x3xf32>
  %0 = amp.cast %w : (tensor<4x3xf32>) -> tensor<4x3xbf16>
  %1 = amp.matmul %x, %0 {acc = f32} : (tensor<2x4xbf16>, tensor<4x3xbf16>) -> tensor<2x3xbf16>
  return %1 : tensor<2x3xbf16>
}

// The file stores float16, steps read bfloat16 and float32: copies of the
// master, rounded once, and the master itself. A cast of the model stays.
// CHECK-LABEL: func.func @two_casts(
// CHECK-DAG: [[W:%[0-9]+]] = amp.read @w : tensor<4x3xf32>
// CHECK-DAG: [[S:%[0-9]+]] = amp.read @w.shadow.bf16
// CHECK-DAG: [[H:%[0-9]+]] = amp.read @w.shadow.f16
// CHECK-NOT: amp.cast
// CHECK: amp.cast [[H]] {user}
// CHECK-NEXT: amp.matmul %arg0, [[S]]
// CHECK-NEXT: amp.add [[W]], [[W]]
func.func @two_casts(%x: tensor<8x4xbf16>) -> (tensor<8x3xbf16>, tensor<4x3xf32>, tensor<4x3xbf16>) {
  %w = amp.read @w : tensor<4x3xf32>
  %0 = amp.cast %w : (tensor<4x3xf32>) -> tensor<4x3xf16>
  %1 = amp.cast %0 : (tensor<4x3xf16>) -> tensor<4x3xbf16>
  %2 = amp.cast %0 : (tensor<4x3xf16>) -> tensor<4x3xf32>
  %3 = amp.cast %0 {user} : (tensor<4x3xf16>) -> tensor<4x3xbf16>
  %4 = amp.matmul %x, %1 {acc = f32} : (tensor<8x4xbf16>, tensor<4x3xbf16>) -> tensor<8x3xbf16>
  %5 = amp.add %2, %2 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %4, %5, %3 : tensor<8x3xbf16>, tensor<4x3xf32>, tensor<4x3xbf16>
}
