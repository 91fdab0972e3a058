// RUN: amp-opt %s --amp-plan-memory --amp-to-schedule --amp-verify-schedule | FileCheck %s

// A launch tells what its values are: for each op of a kernel, or each output
// of a routine, the number of an op of the graph and of its result. A constant
// has none; an op without a mark is named by its node; of two pieces that claim
// one result the last has it.
// CHECK: module attributes {amp.constants = [], amp.sources = ["S|softmax|forward|0", "C|neg|forward|", "P|max_pool|forward|0"]}
// CHECK-LABEL: amp.entry @kernel
// CHECK: amp.launch kernel "k0"
// CHECK-SAME: {amp.sources = array<i64: -1, -1, 0, -1, 1, -1, 0, 0>}
module attributes {amp.keys = ["S|softmax|forward|0", "P|max_pool|forward|0"]} {
  func.func @kernel(%x: tensor<16xf32>) -> tensor<16xf32> {
    %0 = amp.region(%x) : (tensor<16xf32>) -> tensor<16xf32> {
    ^bb0(%a: tensor<16xf32>):
      %c = amp.constant dense<1.0> : tensor<f32>
      %1 = amp.add %a, %c : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32> loc(#first)
      %2 = amp.neg %1 : (tensor<16xf32>) -> tensor<16xf32> loc("C")
      %3 = amp.exp %2 : (tensor<16xf32>) -> tensor<16xf32> loc(#second)
      amp.yield %3 : tensor<16xf32>
    }
    return %0 : tensor<16xf32>
  }

  // Every result of a routine is one of its op.
  // CHECK-LABEL: amp.entry @routine
  // CHECK: amp.launch builtin "max_pool"
  // CHECK-SAME: {amp.sources = array<i64: 2, 0, 2, 1>}
  func.func @routine(%x: tensor<1x1x4x4xf32>) -> (tensor<1x1x2x2xf32>, tensor<1x1x2x2xui8>) {
    %0, %1 = amp.max_pool %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x4x4xf32>) -> (tensor<1x1x2x2xf32>, tensor<1x1x2x2xui8>) loc(#pool)
    return %0, %1 : tensor<1x1x2x2xf32>, tensor<1x1x2x2xui8>
  }
}
#first = loc(fused<{amp.result = 0 : i64, amp.source = "S|softmax|forward|0"}>["S"])
#second = loc(fused<{amp.result = 0 : i64, amp.source = "S|softmax|forward|0"}>["S"])
#pool = loc(fused<{amp.result = -1 : i64, amp.source = "P|max_pool|forward|0"}>["P"])
