// RUN: amp-opt %s --amp-analyze-ranges --amp-assign-precision="precision=fp16" | FileCheck %s

// System presets decide by their lists alone.
module attributes {amp.range_evidence = false} {
  // CHECK-LABEL: func.func @sum_of_many(
  // CHECK: amp.reduce_sum %{{.*}} {acc = f32, amp.decision = {compute = f32, rule = "WD-only-float32-uses", storage = [f32]}, axes = array<i64: 1>} :
  func.func @sum_of_many(%x: tensor<4x100000xf32>) -> tensor<4xf32> {
    %0 = amp.sigmoid %x : (tensor<4x100000xf32>) -> tensor<4x100000xf32>
    %1 = amp.reduce_sum %0 {acc = f32, axes = array<i64: 1>} : (tensor<4x100000xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
