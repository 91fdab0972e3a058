// RUN: amp-opt %s --split-input-file --amp-number-ops | FileCheck %s
// A module that has numbers keeps them, whatever is added later.
// RUN: amp-opt %s --split-input-file --amp-number-ops --amp-number-ops | FileCheck %s

// Ordinals count ops of one function that agree in node, op and phase; numbers
// are those of the module. Constants have none.
// CHECK: module attributes {amp.keys = ["A|exp|forward|0", "B|exp|forward|0", "A|exp|forward|1", "A|exp|backward|0", "A|exp|forward|0"]}
// CHECK-LABEL: func.func @first
// CHECK-NEXT: amp.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: amp.exp %{{.*}} {amp.id = 0 : i64}
// CHECK-NEXT: amp.exp %{{.*}} {amp.id = 1 : i64}
// CHECK-NEXT: amp.exp %{{.*}} {amp.id = 2 : i64}
// CHECK-NEXT: amp.exp %{{.*}} {amp.id = 3 : i64, amp.phase = #amp<phase backward>}
// CHECK-NEXT: return
// CHECK-LABEL: func.func @second
// CHECK-NEXT: amp.exp %{{.*}} {amp.id = 4 : i64}
func.func @first(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  %c = amp.constant dense<1.0> : tensor<f32> loc("C")
  %0 = amp.exp %x : (tensor<4xf32>) -> tensor<4xf32> loc("A")
  %1 = amp.exp %0 : (tensor<4xf32>) -> tensor<4xf32> loc("B")
  %2 = amp.exp %1 : (tensor<4xf32>) -> tensor<4xf32> loc("A")
  %3 = amp.exp %2 {amp.phase = #amp<phase backward>} : (tensor<4xf32>) -> tensor<4xf32> loc(fused<"backward">["A"])
  return %3, %c : tensor<4xf32>, tensor<f32>
}
func.func @second(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.exp %x : (tensor<4xf32>) -> tensor<4xf32> loc("A")
  return %0 : tensor<4xf32>
}

// -----

// An op that a pass added gets no number.
// CHECK: module attributes {amp.keys = ["A|exp|forward|0"]}
// CHECK: amp.exp %{{.*}} {amp.id = 0 : i64}
// CHECK: amp.neg %{{[0-9]+}} :
module attributes {amp.keys = ["A|exp|forward|0"]} {
  func.func @later(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = amp.exp %x {amp.id = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32> loc("A")
    %1 = amp.neg %0 : (tensor<4xf32>) -> tensor<4xf32> loc("A")
    return %1 : tensor<4xf32>
  }
}
