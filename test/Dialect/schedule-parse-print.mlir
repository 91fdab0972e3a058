// RUN: amp-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @region_in_a_function
func.func @region_in_a_function(%x: tensor<4x8xbf16>, %b: tensor<8xf32>)
    -> tensor<4x8xbf16> {
  // CHECK: amp.region(%{{.*}}, %{{.*}}) : (tensor<4x8xbf16>, tensor<8xf32>) -> tensor<4x8xbf16> {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<4x8xbf16>, %[[B:.*]]: tensor<8xf32>):
  // CHECK-NEXT: %[[SUM:.*]] = amp.add %[[A]], %[[B]]
  // CHECK-NEXT: amp.yield %[[SUM]] : tensor<4x8xbf16>
  %0 = amp.region (%x, %b) : (tensor<4x8xbf16>, tensor<8xf32>) -> tensor<4x8xbf16> {
  ^bb0(%a: tensor<4x8xbf16>, %c: tensor<8xf32>):
    %1 = amp.add %a, %c
      : (tensor<4x8xbf16>, tensor<8xf32>) -> tensor<4x8xbf16>
    amp.yield %1 : tensor<4x8xbf16>
  }
  return %0 : tensor<4x8xbf16>
}

// CHECK: amp.kernel @k0 attributes {scratch_bytes = 0 : i64, unit_bytes = 64 : i64, units = 4 : i64} {
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<4x8xf32>):
amp.kernel @k0 attributes {units = 4 : i64, unit_bytes = 64 : i64, scratch_bytes = 0 : i64} {
^bb0(%x: tensor<4x8xf32>):
  %0 = amp.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: amp.yield %{{.*}} : tensor<4x8xf32>
  amp.yield %0 : tensor<4x8xf32>
}

// CHECK: amp.entry @predict arguments [{name = "x", role = "input", type = tensor<4x8xf32>}] results [{name = "y", role = "output", type = tensor<4x8xf32>}] arena 4096 bound 2048 {
amp.entry @predict
  arguments [{name = "x", role = "input", type = tensor<4x8xf32>}]
  results [{name = "y", role = "output", type = tensor<4x8xf32>}]
  arena 4096 bound 2048 {
  // CHECK-NEXT: amp.launch kernel "k0" [#amp.buffer<argument, 0, 0, tensor<4x8xf32>, []>, #amp.buffer<arena, -1, 128, tensor<4x8xf32>, [16, 1]>] outputs 1 phase forward
  amp.launch kernel "k0" [#amp.buffer<argument, 0, 0, tensor<4x8xf32>, []>,
      #amp.buffer<arena, -1, 128, tensor<4x8xf32>, [16, 1]>]
    outputs 1 phase forward
  // CHECK-NEXT: amp.launch builtin "copy" [{{.*}}] outputs 1 phase update attrs {ints = [1]}
  amp.launch builtin "copy" [#amp.buffer<arena, -1, 128, tensor<4x8xf32>, [16, 1]>,
      #amp.buffer<result, 0, 0, tensor<4x8xf32>, []>]
    outputs 1 phase update attrs {ints = [1]}
  // CHECK-NEXT: amp.launch builtin "other" [#amp.buffer<variable, 2, 0, tensor<f32>, []>, #amp.buffer<constant, -1, 64, tensor<f32>, []>] outputs 0 phase backward
  amp.launch builtin "other" [#amp.buffer<variable, 2, 0, tensor<f32>, []>,
      #amp.buffer<constant, -1, 64, tensor<f32>, []>]
    outputs 0 phase backward
}
