// RUN: amp-opt %s --amp-plan-memory | FileCheck %s
// RUN: amp-opt %s --amp-plan-memory --amp-verify-plan | FileCheck %s

// The example of the description: an argument and a result have their own
// memory.
// CHECK-LABEL: func.func @description(
// CHECK-SAME: attributes {amp.arena = 64 : i64, amp.arena_bound = 64 : i64}
// CHECK-NEXT: amp.exp %arg0 {amp.offsets = array<i64: 0>}
// CHECK-NEXT: amp.neg {{.+}} {amp.offsets = array<i64: -1>}
func.func @description(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = amp.exp %x : (tensor<16xf32>) -> tensor<16xf32>
  %1 = amp.neg %0 : (tensor<16xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// The place of a dead value is used again: two of four are alive at once.
// CHECK-LABEL: func.func @reuse(
// CHECK-SAME: amp.arena = 128 : i64, amp.arena_bound = 128 : i64
// CHECK-NEXT: amp.exp {{.+}} {amp.offsets = array<i64: 0>}
// CHECK-NEXT: amp.neg {{.+}} {amp.offsets = array<i64: 64>}
// CHECK-NEXT: amp.exp {{.+}} {amp.offsets = array<i64: 0>}
// CHECK-NEXT: amp.neg {{.+}} {amp.offsets = array<i64: 64>}
// CHECK-NEXT: amp.relu {{.+}} {amp.offsets = array<i64: -1>}
func.func @reuse(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = amp.exp %x : (tensor<16xf32>) -> tensor<16xf32>
  %1 = amp.neg %0 : (tensor<16xf32>) -> tensor<16xf32>
  %2 = amp.exp %1 : (tensor<16xf32>) -> tensor<16xf32>
  %3 = amp.neg %2 : (tensor<16xf32>) -> tensor<16xf32>
  %4 = amp.relu %3 : (tensor<16xf32>) -> tensor<16xf32>
  return %4 : tensor<16xf32>
}

// A reshape shares its operand's place and keeps it alive; sizes are rounded
// up to 64 bytes.
// CHECK-LABEL: func.func @alias(
// CHECK-SAME: amp.arena = 128 : i64, amp.arena_bound = 128 : i64
// CHECK-NEXT: amp.exp {{.+}} {amp.offsets = array<i64: [[A:0|64]]>}
// CHECK-NEXT: amp.reshape {{.+}} {amp.offsets = array<i64: -1>}
// CHECK-NEXT: amp.neg
// CHECK-NOT: amp.offsets = array<i64: [[A]]>}
// CHECK: amp.mul
func.func @alias(%x: tensor<2x2xf32>) -> tensor<4xf32> {
  %0 = amp.exp %x : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = amp.reshape %0 : (tensor<2x2xf32>) -> tensor<4xf32>
  %2 = amp.neg %1 : (tensor<4xf32>) -> tensor<4xf32>
  %3 = amp.mul %1, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// The result of the function behind a reshape lives in the result.
// CHECK-LABEL: func.func @result_behind_reshape(
// CHECK-SAME: amp.arena = 0 : i64, amp.arena_bound = 0 : i64
// CHECK-NEXT: amp.exp {{.+}} {amp.offsets = array<i64: -1>}
func.func @result_behind_reshape(%x: tensor<2x2xf32>) -> tensor<4xf32> {
  %0 = amp.exp %x : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = amp.reshape %0 : (tensor<2x2xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// What is written in pieces is joined in the arena and copied.
// CHECK-LABEL: func.func @pieces(
// CHECK-SAME: amp.arena = 64 : i64
// CHECK-NEXT: amp.concat {{.+}} {amp.offsets = array<i64: 0>,
func.func @pieces(%x: tensor<4xf32>) -> tensor<8xf32> {
  %0 = amp.concat %x, %x {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Updates work in the variables; all of them are one launch, so the first
// gradient is alive until the last update.
amp.variable @a : tensor<16xf32> kind parameter
amp.variable @b : tensor<16xf32> kind parameter
amp.variable @b.shadow.bf16 : tensor<16xbf16> kind shadow {shadow_of = @b}
// CHECK-LABEL: func.func @updates(
// CHECK-SAME: amp.arena = 128 : i64, amp.arena_bound = 128 : i64
// CHECK: amp.exp {{.+}} {amp.offsets = array<i64: [[G:0|64]]>}
// CHECK: amp.optimizer_step {{.+}}amp.offsets = array<i64: -1>
// CHECK-NOT: amp.offsets = array<i64: [[G]]>
// CHECK: amp.neg
// CHECK-NOT: amp.offsets = array<i64: [[G]]>
// CHECK: amp.optimizer_step {{.+}}amp.offsets = array<i64: -1, -1>
func.func @updates(%x: tensor<16xf32>, %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) {
  %a = amp.read @a : tensor<16xf32>
  %b = amp.read @b : tensor<16xf32>
  %0 = amp.exp %x : (tensor<16xf32>) -> tensor<16xf32>
  %p = amp.optimizer_step %a, %0, %s, %s, %s, %s, %ok, %n {kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>, config = {}, resultSegmentSizes = array<i32: 1, 0, 0>} : (tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<i64>) -> tensor<16xf32>
  %1 = amp.neg %x : (tensor<16xf32>) -> tensor<16xf32>
  %q, %c = amp.optimizer_step %b, %1, %s, %s, %s, %s, %ok, %n {kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>, config = {}, resultSegmentSizes = array<i32: 1, 0, 1>} : (tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<i64>) -> (tensor<16xf32>, tensor<16xbf16>)
  amp.write @a, %p : tensor<16xf32>
  amp.write @b, %q : tensor<16xf32>
  amp.write @b.shadow.bf16, %c : tensor<16xbf16>
  return
}

// Nothing to place is no memory.
// CHECK-LABEL: func.func @empty(
// CHECK-SAME: amp.arena = 0 : i64, amp.arena_bound = 0 : i64
func.func @empty() {
  return
}

// A tensor without elements takes no place but has one.
// CHECK-LABEL: func.func @no_elements(
// CHECK-SAME: amp.arena = 0 : i64
// CHECK-NEXT: amp.exp {{.+}} {amp.offsets = array<i64: 0>}
func.func @no_elements(%x: tensor<0x4xf32>) -> tensor<0x4xf32> {
  %0 = amp.exp %x : (tensor<0x4xf32>) -> tensor<0x4xf32>
  %1 = amp.neg %0 : (tensor<0x4xf32>) -> tensor<0x4xf32>
  return %1 : tensor<0x4xf32>
}
