// RUN: amp-opt %s --split-input-file --amp-attach-loss="loss=graph_output" | FileCheck %s
// RUN: amp-opt %s --split-input-file --amp-attach-loss="loss=graph_output,output=nll" | FileCheck %s

// The only scalar is the loss; it stays an output, and there is no target.
// CHECK-LABEL: func.func @loss(
// CHECK-NOT: target
// CHECK-SAME: -> (tensor<f32> {amp.name = "loss", amp.role = "loss"}, tensor<4x3xf32> {amp.name = "y", amp.role = "output"}, tensor<1xf32> {amp.name = "nll", amp.role = "output"})
// CHECK: [[S:%[a-zA-Z0-9_]+]] = amp.reduce_sum
// CHECK: [[L:%[a-zA-Z0-9_]+]] = amp.reshape [[S]] : (tensor<1xf32>) -> tensor<f32>
// CHECK: return [[L]], %{{.+}}, [[S]]
func.func @forward(%x: tensor<4x3xf32> {amp.name = "x", amp.role = "input"})
    -> (tensor<4x3xf32> {amp.name = "y", amp.role = "output"},
        tensor<1xf32> {amp.name = "nll", amp.role = "output"}) {
  %0 = amp.exp %x : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %1 = amp.reshape %0 : (tensor<4x3xf32>) -> tensor<12xf32>
  %2 = amp.reduce_sum %1 {axes = array<i64: 0>, keepdims, acc = f32} : (tensor<12xf32>) -> tensor<1xf32>
  return %0, %2 : tensor<4x3xf32>, tensor<1xf32>
}

// -----

// A target that the model has as input already is that input.
// CHECK-LABEL: func.func @loss(
func.func @forward(%x: tensor<4xf32> {amp.name = "x", amp.role = "input"},
                   %t: tensor<4xf32> {amp.name = "target", amp.role = "input"})
    -> (tensor<f32> {amp.name = "nll", amp.role = "output"}) {
  %0 = amp.sub %x, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = amp.reduce_sum %0 {axes = array<i64: 0>, acc = f32} : (tensor<4xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}
