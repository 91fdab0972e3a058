// RUN: amp-opt %s --amp-attach-loss="loss=mse,output=y" | FileCheck %s

// An input called as the target is the target; no argument is added.
// CHECK-LABEL: func.func @loss(
// CHECK-SAME: %arg0: tensor<4xf32> {amp.name = "x", amp.role = "input"}, [[T:%[a-zA-Z0-9_]+]]: tensor<4xf32> {amp.name = "target", amp.role = "input"}) ->
// CHECK: amp.sub %{{.+}}, [[T]]
func.func @forward(%x: tensor<4xf32> {amp.name = "x", amp.role = "input"},
                   %t: tensor<4xf32> {amp.name = "target", amp.role = "input"})
    -> (tensor<4xf32> {amp.name = "y", amp.role = "output"},
        tensor<4xf32> {amp.name = "z", amp.role = "output"}) {
  %0 = amp.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = amp.exp %t : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
