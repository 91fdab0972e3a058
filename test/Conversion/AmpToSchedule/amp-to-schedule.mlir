// RUN: amp-opt %s --amp-plan-memory --amp-to-schedule --amp-verify-schedule | FileCheck %s

amp.variable @w : tensor<16xf32> kind parameter
amp.variable @w.m : tensor<16xf32> kind moment
amp.variable @v : tensor<16xf32> kind parameter
amp.variable @v.m : tensor<16xf32> kind moment
amp.variable @v.shadow.bf16 : tensor<16xbf16> kind shadow {shadow_of = @v}
amp.variable @sum : tensor<16xf32> kind accumulator
amp.variable @seen : tensor<16xf32> kind buffer
amp.variable @amp.loss_scale : tensor<f32> kind scaler
amp.variable @amp.growth_tracker : tensor<i32> kind scaler
amp.variable @amp.next_scale : tensor<f32> kind scaler

// The example of the description; names and roles stay.
// CHECK-LABEL: amp.entry @description
// CHECK-SAME: arguments [{name = "x", role = "input", type = tensor<16xf32>}] results [{name = "y", role = "output", type = tensor<16xf32>}] arena 0 bound 0 {
// CHECK-NEXT: amp.launch kernel "k0" [#amp.buffer<argument, 0, 0, tensor<16xf32>, []>, #amp.buffer<result, 0, 0, tensor<16xf32>, []>] outputs 1 phase backward
// CHECK-NEXT: {{^  }$}}
func.func @description(%x: tensor<16xf32> {amp.name = "x", amp.role = "input"}) -> (tensor<16xf32> {amp.name = "y", amp.role = "output"}) {
  %0 = amp.region(%x) : (tensor<16xf32>) -> tensor<16xf32> attributes {amp.phase = #amp<phase backward>} {
  ^bb0(%a: tensor<16xf32>):
    %1 = amp.exp %a : (tensor<16xf32>) -> tensor<16xf32>
    amp.yield %1 : tensor<16xf32>
  }
  return %0 : tensor<16xf32>
}

// Equal bodies are one kernel, in any function, whatever their decisions;
// another shape is another kernel. A kernel sees the shapes inside.
// CHECK-LABEL: amp.entry @equal_kernels
// CHECK-SAME: arena 64 bound 64
// CHECK-NEXT: amp.launch kernel "k0" [#amp.buffer<argument, 0, 0, tensor<16xf32>, []>, #amp.buffer<arena, -1, 0, tensor<16xf32>, []>] outputs 1 phase forward
// CHECK-NEXT: amp.launch kernel "k0" [#amp.buffer<arena, -1, 0, tensor<16xf32>, []>, #amp.buffer<result, 0, 0, tensor<16xf32>, []>] outputs 1 phase forward
// CHECK-NEXT: amp.launch kernel "k1" [#amp.buffer<argument, 0, 0, tensor<4x4xf32>, []>, #amp.buffer<result, 1, 0, tensor<4x4xf32>, []>] outputs 1 phase forward
func.func @equal_kernels(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %0 = amp.region(%x) : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<16xf32>):
    %1 = amp.exp %a {amp.phase = #amp<phase forward>} : (tensor<16xf32>) -> tensor<16xf32>
    amp.yield %1 : tensor<16xf32>
  }
  %2 = amp.region(%0) : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<16xf32>):
    %1 = amp.exp %a {amp.decision = {compute = f32, rule = "FO-reads-float32", storage = [f32]}} : (tensor<16xf32>) -> tensor<16xf32>
    amp.yield %1 : tensor<16xf32>
  }
  %3 = amp.region(%x) : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %1 = amp.exp %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  return %2, %3 : tensor<16xf32>, tensor<16xf32>
}

// All updates are one launch that works in the variables; their writes are no
// copies. Shadows come last, each with the number of its parameter and the
// variable it lives in.
// CHECK-LABEL: amp.entry @updates
// CHECK-NEXT: amp.launch builtin "update"
// CHECK-SAME: #amp.buffer<argument, 2, 0, tensor<i1>, []>, #amp.buffer<argument, 3, 0, tensor<i64>, []>, #amp.buffer<variable, 0, 0, tensor<16xf32>, []>, #amp.buffer<argument, 0, 0, tensor<16xf32>, []>, #amp.buffer<variable, 1, 0, tensor<16xf32>, []>, #amp.buffer<variable, 2, 0, tensor<16xf32>, []>, #amp.buffer<argument, 0, 0, tensor<16xf32>, []>, #amp.buffer<variable, 3, 0, tensor<16xf32>, []>, #amp.buffer<variable, 0, 0, tensor<16xf32>, []>, #amp.buffer<variable, 1, 0, tensor<16xf32>, []>, #amp.buffer<variable, 2, 0, tensor<16xf32>, []>, #amp.buffer<variable, 3, 0, tensor<16xf32>, []>, #amp.buffer<variable, 4, 0, tensor<16xbf16>, []>] outputs 5
// CHECK-SAME: attrs {clip_mode = 0 : i64, kind = "sgd", momentum = 9.000000e-01 : f64, nesterov = 1.000000e+00 : f64, shadows = array<i64: 1, 4>, states = 1 : i64, tensors = 2 : i64}
// CHECK-NEXT: {{^  }$}}
func.func @updates(%g: tensor<16xf32>, %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  %w = amp.read @w : tensor<16xf32>
  %wm = amp.read @w.m : tensor<16xf32>
  %v = amp.read @v : tensor<16xf32>
  %vm = amp.read @v.m : tensor<16xf32>
  %p, %ps = amp.optimizer_step %w, %g, %s, %s, %s, %s, %ok, %n states(%wm) {kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>, config = {momentum = 0.9 : f64, nesterov = true}, resultSegmentSizes = array<i32: 1, 1, 0>} : (tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<i64>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
  %q, %qs, %c = amp.optimizer_step %v, %g, %s, %s, %s, %s, %ok, %n states(%vm) {kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>, config = {momentum = 0.9 : f64, nesterov = true}, resultSegmentSizes = array<i32: 1, 1, 1>} : (tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<i64>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xbf16>)
  amp.write @w, %p : tensor<16xf32>
  amp.write @w.m, %ps : tensor<16xf32>
  amp.write @v, %q : tensor<16xf32>
  amp.write @v.m, %qs : tensor<16xf32>
  amp.write @v.shadow.bf16, %c : tensor<16xbf16>
  return
}

// So are all sums of micro-batches, and the scaler.
// CHECK-LABEL: amp.entry @in_place
// CHECK-NEXT: amp.launch builtin "accumulate_gradients" [#amp.buffer<variable, 5, 0, tensor<16xf32>, []>, #amp.buffer<argument, 0, 0, tensor<16xf32>, []>, #amp.buffer<variable, 5, 0, tensor<16xf32>, []>] outputs 1 phase backward attrs {tensors = 1 : i64}
// CHECK-NEXT: amp.launch builtin "scaler_update" [#amp.buffer<variable, 7, 0, tensor<f32>, []>, #amp.buffer<variable, 9, 0, tensor<f32>, []>, #amp.buffer<variable, 8, 0, tensor<i32>, []>, #amp.buffer<argument, 2, 0, tensor<i32>, []>, #amp.buffer<argument, 2, 0, tensor<i32>, []>, #amp.buffer<argument, 1, 0, tensor<i1>, []>, #amp.buffer<variable, 7, 0, tensor<f32>, []>, #amp.buffer<variable, 9, 0, tensor<f32>, []>, #amp.buffer<variable, 8, 0, tensor<i32>, []>,
// CHECK-SAME: outputs 5 phase forward attrs {delay = 1 : i64, finite_guard = "cap", growth_interval = 7 : i64}
// CHECK-NEXT: {{^  }$}}
func.func @in_place(%g: tensor<16xf32>, %ok: tensor<i1>, %c: tensor<i32>) {
  %a = amp.read @sum : tensor<16xf32>
  %s = amp.read @amp.loss_scale : tensor<f32>
  %n = amp.read @amp.next_scale : tensor<f32>
  %t = amp.read @amp.growth_tracker : tensor<i32>
  %0 = amp.accumulate_gradient %a, %g {acc = f32, amp.phase = #amp<phase backward>} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %1, %m, %2, %h, %b = amp.scaler_update %s, %n, %t, %c, %c, %ok {config = {delay = true, finite_guard = "cap", growth_interval = 7 : i64}} : (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<i32>)
  amp.write @sum, %0 : tensor<16xf32>
  amp.write @amp.loss_scale, %1 : tensor<f32>
  amp.write @amp.growth_tracker, %2 : tensor<i32>
  amp.write @amp.next_scale, %m : tensor<f32>
  return
}

// A write of anything else is a copy, a reset a fill. What is returned as it
// was before the step is copied first; one value returned twice is made once.
// CHECK-LABEL: amp.entry @copies
// CHECK-NEXT: amp.launch builtin "copy" [#amp.buffer<variable, 6, 0, tensor<16xf32>, []>, #amp.buffer<result, 0, 0, tensor<16xf32>, []>] outputs 1
// CHECK-NEXT: amp.launch builtin "copy" [#amp.buffer<argument, 0, 0, tensor<16xf32>, []>, #amp.buffer<result, 1, 0, tensor<16xf32>, []>] outputs 1
// CHECK-NEXT: amp.launch kernel "k0" [#amp.buffer<argument, 0, 0, tensor<16xf32>, []>, #amp.buffer<result, 2, 0, tensor<16xf32>, []>] outputs 1
// CHECK-NEXT: amp.launch builtin "copy" [#amp.buffer<result, 2, 0, tensor<16xf32>, []>, #amp.buffer<variable, 6, 0, tensor<16xf32>, []>] outputs 1
// CHECK-NEXT: amp.launch builtin "fill" [#amp.buffer<variable, 5, 0, tensor<16xf32>, []>] outputs 1 phase forward attrs {value = 0.000000e+00 : f64}
// CHECK-NEXT: amp.launch builtin "copy" [#amp.buffer<result, 2, 0, tensor<16xf32>, []>, #amp.buffer<result, 3, 0, tensor<16xf32>, []>] outputs 1
// CHECK-NEXT: {{^  }$}}
func.func @copies(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %old = amp.read @seen : tensor<16xf32>
  %zero = amp.constant dense<0.0> : tensor<16xf32>
  %0 = amp.region(%x) : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<16xf32>):
    %1 = amp.exp %a : (tensor<16xf32>) -> tensor<16xf32>
    amp.yield %1 : tensor<16xf32>
  }
  amp.write @seen, %0 : tensor<16xf32>
  amp.write @sum, %zero : tensor<16xf32>
  return %old, %x, %0, %0 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// A pad fills and then copies; a join copies its parts to their places; then
// the whole goes to the result.
// CHECK-LABEL: amp.entry @pieces
// CHECK: amp.launch builtin "fill" [#amp.buffer<arena, -1, [[P:[0-9]+]], tensor<2x8xf32>, []>] outputs 1 phase forward attrs {value = 1.000000e+00 : f64}
// CHECK-NEXT: amp.launch builtin "copy" [#amp.buffer<argument, 0, 0, tensor<2x3xf32>, []>, #amp.buffer<arena, -1, {{[0-9]+}}, tensor<2x3xf32>, [8, 2]>] outputs 1
// CHECK-NEXT: amp.launch builtin "copy" [#amp.buffer<argument, 0, 0, tensor<2x3xf32>, []>, #amp.buffer<arena, -1, [[J:[0-9]+]], tensor<2x3xf32>, [11, 1]>] outputs 1
// CHECK-NEXT: amp.launch builtin "copy" [#amp.buffer<arena, -1, [[P]], tensor<2x8xf32>, []>, #amp.buffer<arena, -1, {{[0-9]+}}, tensor<2x8xf32>, [11, 1]>] outputs 1
// CHECK-NEXT: amp.launch builtin "copy" [#amp.buffer<arena, -1, [[J]], tensor<2x11xf32>, []>, #amp.buffer<result, 0, 0, tensor<2x11xf32>, []>] outputs 1
// CHECK-NEXT: {{^  }$}}
func.func @pieces(%x: tensor<2x3xf32>) -> tensor<2x11xf32> {
  %0 = amp.pad %x {low = array<i64: 0, 1>, high = array<i64: 0, 2>, interior = array<i64: 0, 1>, value = 1.0 : f64} : (tensor<2x3xf32>) -> tensor<2x8xf32>
  %1 = amp.concat %x, %0 {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x8xf32>) -> tensor<2x11xf32>
  return %1 : tensor<2x11xf32>
}

// Views are copies with strides; a reshape is none.
// CHECK-LABEL: amp.entry @views
// CHECK-NEXT: amp.launch builtin "copy" [#amp.buffer<argument, 0, 4, tensor<4x3xf32>, [2, 8]>, #amp.buffer<result, 0, 0, tensor<4x3xf32>, []>] outputs 1
// CHECK-NEXT: amp.launch builtin "copy" [#amp.buffer<argument, 0, 32, tensor<2x4xf32>, [8, 2]>, #amp.buffer<result, 1, 0, tensor<2x4xf32>, []>] outputs 1
// CHECK-NEXT: amp.launch builtin "copy" [#amp.buffer<argument, 0, 0, tensor<8x3xf32>, [1, 8]>, #amp.buffer<result, 2, 0, tensor<8x3xf32>, []>] outputs 1
// CHECK-NEXT: amp.launch builtin "copy" [#amp.buffer<argument, 0, 0, tensor<2x3x8xf32>, [0, 8, 1]>, #amp.buffer<result, 3, 0, tensor<2x3x8xf32>, []>] outputs 1
// CHECK-NEXT: {{^  }$}}
func.func @views(%x: tensor<3x8xf32>) -> (tensor<4x3xf32>, tensor<8xf32>, tensor<8x3xf32>, tensor<2x3x8xf32>) {
  %0 = amp.strided_copy %x {offset = 1 : i64, strides = array<i64: 2, 8>} : (tensor<3x8xf32>) -> tensor<4x3xf32>
  %1 = amp.slice %x {starts = array<i64: 1, 0>, steps = array<i64: 1, 2>} : (tensor<3x8xf32>) -> tensor<2x4xf32>
  %2 = amp.reshape %1 : (tensor<2x4xf32>) -> tensor<8xf32>
  %3 = amp.transpose %x {perm = array<i64: 1, 0>} : (tensor<3x8xf32>) -> tensor<8x3xf32>
  %4 = amp.broadcast %x : (tensor<3x8xf32>) -> tensor<2x3x8xf32>
  return %0, %2, %3, %4 : tensor<4x3xf32>, tensor<8xf32>, tensor<8x3xf32>, tensor<2x3x8xf32>
}

// A channels-last buffer has the strides of its memory; between orders that
// are the same memory there is no copy.
// CHECK-LABEL: amp.entry @relayouts
// CHECK-NEXT: amp.launch builtin "copy" [#amp.buffer<argument, 1, 0, tensor<2x3x1x1xf32>, []>, #amp.buffer<result, 1, 0, tensor<2x3x1x1xf32>, []>] outputs 1
// CHECK-NEXT: amp.launch builtin "copy" [#amp.buffer<argument, 0, 0, tensor<2x3x4x5xf32>, []>, #amp.buffer<arena, -1, 0, tensor<2x3x4x5xf32>, [60, 1, 15, 3]>] outputs 1
// CHECK-NEXT: amp.launch builtin "reduce" [#amp.buffer<arena, -1, 0, tensor<2x3x4x5xf32>, [60, 1, 15, 3]>, #amp.buffer<result, 0, 0, tensor<2x3xf32>, []>] outputs 1 phase forward attrs {axes = array<i64: 2, 3>, keepdims = 0 : i64, kind = "mean"}
func.func @relayouts(%x: tensor<2x3x4x5xf32>, %y: tensor<2x3x1x1xf32>) -> (tensor<2x3xf32>, tensor<2x3x1x1xf32>) {
  %0 = amp.relayout %x : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32, #amp.channels_last>
  %1 = amp.reduce_mean %0 {axes = array<i64: 2, 3>, acc = f32} : (tensor<2x3x4x5xf32, #amp.channels_last>) -> tensor<2x3xf32>
  %2 = amp.relayout %y : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32, #amp.channels_last>
  %3 = amp.relayout %2 : (tensor<2x3x1x1xf32, #amp.channels_last>) -> tensor<2x3x1x1xf32>
  return %1, %3 : tensor<2x3xf32>, tensor<2x3x1x1xf32>
}

// Products and their flags.
// CHECK-LABEL: amp.entry @contractions
// CHECK-NEXT: amp.launch builtin "matmul" [#amp.buffer<argument, 0, 0, tensor<4x4xf32>, []>, #amp.buffer<argument, 0, 0, tensor<4x4xf32>, []>, #amp.buffer<argument, 1, 0, tensor<4xf32>, []>, #amp.buffer<result, 0, 0, tensor<4x4xf32>, []>] outputs 1 phase forward attrs {has_bias = 1 : i64, transpose_lhs = 0 : i64, transpose_rhs = 1 : i64}
func.func @contractions(%x: tensor<4x4xf32>, %b: tensor<4xf32>) -> tensor<4x4xf32> {
  %0 = amp.matmul %x, %x bias %b {acc = f32, transpose_rhs} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK: amp.kernel @k0 {
// CHECK-NEXT: ^bb0([[A:%[a-z0-9]+]]: tensor<16xf32>):
// CHECK-NEXT: [[E:%[0-9]+]] = amp.exp [[A]] : (tensor<16xf32>) -> tensor<16xf32>
// CHECK-NEXT: amp.yield [[E]]
// CHECK: amp.kernel @k1 {
// CHECK-NEXT: ^bb0({{%[a-z0-9]+}}: tensor<4x4xf32>):
// CHECK-NOT: amp.kernel
