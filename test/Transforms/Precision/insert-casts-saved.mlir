// RUN: amp-opt %s --amp-insert-casts --amp-simplify-casts | FileCheck %s

// What backward reads of a float32 value is kept in the low type, rounded in
// forward: the float32 value need not live on. Once for all readers.
// CHECK-LABEL: func.func @saved_in_the_low_type(
// CHECK-NEXT: [[F:%[0-9]+]] = amp.relu %arg0
// CHECK-NEXT: [[L:%[0-9]+]] = amp.cast [[F]] {amp.phase = #amp<phase forward>} : (tensor<8x4xf32>) -> tensor<8x4xbf16>
// CHECK-NEXT: amp.neg [[F]]
// CHECK-NEXT: amp.mul %arg1, [[L]]
// CHECK-NEXT: amp.sub %arg1, [[L]]
module attributes {amp.precision = bf16} {
  func.func @saved_in_the_low_type(%x: tensor<8x4xf32>, %dy: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
    %0 = amp.relu %x {amp.phase = #amp<phase forward>, amp.decision = {compute = f32, rule = "FO-reads-float32", storage = [f32]}} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = amp.neg %0 {amp.phase = #amp<phase forward>, amp.decision = {compute = f32, rule = "FO-reads-float32", storage = [f32]}} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %2 = amp.mul %dy, %0 {amp.phase = #amp<phase backward>, amp.decision = {compute = f32, rule = "FO-reads-float32", storage = [f32]}} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %3 = amp.sub %dy, %0 {amp.phase = #amp<phase backward>, amp.decision = {compute = f32, rule = "FO-reads-float32", storage = [f32]}} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    return %1, %2, %3 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  }

  // Arguments, scalars and what ops of class keep make stay float32.
  // CHECK-LABEL: func.func @not_saved(
  // CHECK-NOT: amp.cast
  // CHECK: return
  func.func @not_saved(%x: tensor<8x4xf32>, %s: tensor<f32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>) {
    %0 = amp.exp %x {amp.phase = #amp<phase forward>, amp.decision = {compute = f32, rule = "KP-range-sensitive", storage = [f32]}} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = amp.neg %s {amp.phase = #amp<phase forward>, amp.decision = {compute = f32, rule = "SC-scalar", storage = [f32]}} : (tensor<f32>) -> tensor<f32>
    %2 = amp.mul %x, %0 {amp.phase = #amp<phase backward>, amp.decision = {compute = f32, rule = "FO-reads-float32", storage = [f32]}} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %3 = amp.mul %x, %1 {amp.phase = #amp<phase backward>, amp.decision = {compute = f32, rule = "FO-reads-float32", storage = [f32]}} : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    return %2, %3, %1 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>
  }
}
