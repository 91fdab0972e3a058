// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-number-ops,func.func(amp-track-sources))' --mlir-print-debuginfo | FileCheck %s
// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-number-ops,func.func(amp-track-sources,amp-seed-regions))' --mlir-print-debuginfo | FileCheck %s --check-prefix=SEED
// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-number-ops,func.func(amp-track-sources,cse))' | FileCheck %s --check-prefix=CSE

// The number leaves the op and its key joins the location.
// CHECK-LABEL: func.func @softmax
// CHECK-NEXT: amp.softmax %{{.*}} {acc = f32, axis = 1 : i64} : {{.*}} loc([[SOFT:#[a-z0-9]+]])
// CHECK: [[SOFT]] = loc(fused<{amp.result = 0 : i64, amp.source = "Soft|softmax|forward|0"}>

// Of the pieces of an op one computes its result: the division, not the
// exponential.
// SEED: [[STEP:#loc[0-9]+]] = loc(fused<{amp.result = -1 : i64, amp.source = "Soft|softmax|forward|0"}>
// SEED-LABEL: func.func @softmax
// SEED: amp.exp {{.*}} loc([[STEP]])
// SEED: amp.div {{.*}} loc([[RESULT:#loc[0-9]+]])
// SEED: [[RESULT]] = loc(fused<{amp.result = 0 : i64, amp.source = "Soft|softmax|forward|0"}>
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = amp.softmax %x {axis = 1 : i64, acc = f32} : (tensor<4x8xf32>) -> tensor<4x8xf32> loc("Soft")
  return %0 : tensor<4x8xf32>
}

// Equal ops stay equal.
// CSE-LABEL: func.func @equal
// CSE-COUNT-1: amp.exp
// CSE-NOT: amp.exp
func.func @equal(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = amp.exp %x : (tensor<4xf32>) -> tensor<4xf32> loc("A")
  %1 = amp.exp %x : (tensor<4xf32>) -> tensor<4xf32> loc("B")
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
