// RUN: amp-opt %s --amp-insert-casts | FileCheck %s
// RUN: amp-opt %s --amp-insert-casts --amp-insert-casts | FileCheck %s

// The example of the description; a cast of each operand of a contraction, the
// result has the decided type, a function returns what it returned.
// CHECK-LABEL: func.func @contraction(
// CHECK-SAME: [[X:%[a-z0-9]+]]: tensor<8x4xf32>, [[W:%[a-z0-9]+]]: tensor<4x3xf32>
// CHECK-NEXT: [[XL:%[0-9]+]] = amp.cast [[X]] {amp.phase = #amp<phase backward>} : (tensor<8x4xf32>) -> tensor<8x4xbf16>
// CHECK-NEXT: [[WL:%[0-9]+]] = amp.cast [[W]] {amp.phase = #amp<phase backward>} : (tensor<4x3xf32>) -> tensor<4x3xbf16>
// CHECK-NEXT: [[Y:%[0-9]+]] = amp.matmul [[XL]], [[WL]] {{.+}} : (tensor<8x4xbf16>, tensor<4x3xbf16>) -> tensor<8x3xbf16>
// CHECK-NEXT: [[R:%[0-9]+]] = amp.cast [[Y]] {amp.phase = #amp<phase backward>} : (tensor<8x3xbf16>) -> tensor<8x3xf32>
// CHECK-NEXT: return [[R]] : tensor<8x3xf32>
func.func @contraction(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> tensor<8x3xf32> {
  %0 = amp.matmul %x, %w {acc = f32, amp.phase = #amp<phase backward>, amp.decision = {compute = bf16, rule = "AL-contraction", storage = [bf16]}} : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}

// What leaves is cast where it is made, in the phase of what makes it: the kernel
// that makes or reads it may write it on the way.
// CHECK-LABEL: func.func @leaves(
// CHECK: [[Y:%[0-9]+]] = amp.relu {{.+}} -> tensor<4xbf16>
// CHECK-NEXT: [[R:%[0-9]+]] = amp.cast [[Y]] {amp.phase = #amp<phase forward>} : (tensor<4xbf16>) -> tensor<4xf32>
// CHECK-NEXT: [[E:%[0-9]+]] = amp.exp [[Y]]
// CHECK-NEXT: return [[R]], [[E]]
func.func @leaves(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = amp.relu %x {amp.phase = #amp<phase forward>, amp.decision = {compute = f32, rule = "FO-reads-low", storage = [bf16]}} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = amp.exp %0 {amp.phase = #amp<phase forward>, amp.decision = {compute = f32, rule = "KP-range-sensitive", storage = [f32]}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Casts of one value are not shared yet.
// CHECK-LABEL: func.func @same_value_twice(
// CHECK-COUNT-2: amp.cast %arg0 : (tensor<4x4xf32>) -> tensor<4x4xf16>
func.func @same_value_twice(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.matmul %x, %x {acc = f32, amp.decision = {compute = f16, rule = "AL-contraction", storage = [f16]}} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// Elementwise ops read any storage type.
// CHECK-LABEL: func.func @any_slot(
// CHECK: amp.matmul {{.+}} -> tensor<4x4xbf16>
// CHECK-NEXT: amp.add {{.+}} : (tensor<4x4xbf16>, tensor<4x4xf32>) -> tensor<4x4xbf16>
// CHECK-NEXT: amp.exp {{.+}} : (tensor<4x4xbf16>) -> tensor<4x4xf32>
// CHECK-NEXT: return
func.func @any_slot(%x: tensor<4x4xbf16>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.matmul %x, %x {acc = f32, amp.decision = {compute = bf16, rule = "AL-contraction", storage = [bf16]}} : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xf32>
  %1 = amp.add %0, %b {amp.decision = {compute = f32, rule = "FO-reads-low", storage = [bf16]}} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = amp.exp %1 {amp.decision = {compute = f32, rule = "KP-range-sensitive", storage = [f32]}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// A transparent op reads the type it writes.
// CHECK-LABEL: func.func @same_slot(
// CHECK: [[C:%[0-9]+]] = amp.cast %arg1 : (tensor<2xf32>) -> tensor<2xbf16>
// CHECK-NEXT: amp.concat {{%[0-9]+}}, [[C]] {{.+}} : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<4xbf16>
func.func @same_slot(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<4xf32> {
  %0 = amp.relu %a {amp.decision = {compute = f32, rule = "FO-reads-low", storage = [bf16]}} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = amp.concat %0, %b {axis = 0 : i64, amp.decision = {compute = f32, rule = "TR-as-operand", storage = [bf16]}} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Variables and float32 slots get float32; float64 is not ours.
amp.variable @seen : tensor<2xf32> kind buffer
// CHECK-LABEL: func.func @wide_slot(
// CHECK: [[L:%[0-9]+]] = amp.relu {{.+}} -> tensor<2xbf16>
// CHECK-NEXT: [[D:%[0-9]+]] = amp.relu {{.+}} -> tensor<2xf64>
// CHECK-NEXT: [[C:%[0-9]+]] = amp.cast [[L]] : (tensor<2xbf16>) -> tensor<2xf32>
// CHECK-NEXT: amp.write @seen, [[C]] : tensor<2xf32>
// CHECK-NEXT: return [[D]] : tensor<2xf64>
func.func @wide_slot(%a: tensor<2xf32>, %d: tensor<2xf64>) -> tensor<2xf64> {
  %0 = amp.relu %a {amp.decision = {compute = f32, rule = "FO-reads-low", storage = [bf16]}} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = amp.relu %d {amp.decision = {compute = f32, rule = "US-source-type", storage = [f64]}} : (tensor<2xf64>) -> tensor<2xf64>
  amp.write @seen, %0 : tensor<2xf32>
  return %1 : tensor<2xf64>
}

// Without decisions nothing changes.
// CHECK-LABEL: func.func @undecided(
// CHECK-NOT: amp.precision_applied
// CHECK-NOT: amp.cast
// CHECK: return
func.func @undecided(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.matmul %x, %x {acc = f32} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
