// RUN: amp-opt %s --amp-attach-loss="loss=mse,output=y" | FileCheck %s
// RUN: amp-opt %s --amp-attach-loss="loss=bce_with_logits,output=y,target=labels" | FileCheck %s --check-prefix=LABELS

// An input called as the target is the target; no argument is added.
// CHECK-LABEL: func.func @loss(
// CHECK-SAME: %arg0: tensor<4xf32> {amp.name = "x", amp.role = "input"}, [[T:%[a-zA-Z0-9_]+]]: tensor<4xf32> {amp.name = "target", amp.role = "input"}, {{.*}}) ->
// CHECK: amp.sub %{{.+}}, [[T]]

// Whole numbers are compared as floats.
// LABELS-LABEL: func.func @loss(
// LABELS-SAME: [[T:%[a-zA-Z0-9_]+]]: tensor<4xi64> {amp.name = "labels", amp.role = "input"}) ->
// LABELS: [[F:%[0-9]+]] = amp.cast [[T]] : (tensor<4xi64>) -> tensor<4xf32>
// LABELS: amp.mul %{{.+}}, [[F]]
func.func @forward(%x: tensor<4xf32> {amp.name = "x", amp.role = "input"},
                   %t: tensor<4xf32> {amp.name = "target", amp.role = "input"},
                   %labels: tensor<4xi64> {amp.name = "labels", amp.role = "input"})
    -> (tensor<4xf32> {amp.name = "y", amp.role = "output"},
        tensor<4xf32> {amp.name = "z", amp.role = "output"}) {
  %0 = amp.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = amp.exp %t : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
