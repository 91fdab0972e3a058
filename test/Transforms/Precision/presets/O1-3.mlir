// RUN: amp-opt %s --amp-apply-policy="preset=O1 precision=fp16" --amp-assign-precision=precision=fp16 | FileCheck %s

// A layer, its softmax and a product, forward and backward.
// mul promotes; the gradient of the logits has their type.
// CHECK-LABEL: func.func @step(
// CHECK: amp.matmul {{.+}}amp.decision = {compute = f16, rule = "{{[^"]+}}", storage = [f16]}
// CHECK: amp.softmax {{.+}}amp.decision = {compute = f32, rule = "{{[^"]+}}", storage = [f32]}
// CHECK: amp.mul {{.+}}amp.decision = {compute = f32, rule = "{{[^"]+}}", storage = [f32]}
// CHECK: amp.mul {{.+}}amp.decision = {compute = f32, rule = "{{[^"]+}}", storage = [f32]}
// CHECK: amp.softmax_grad {{.+}}amp.decision = {compute = f32, rule = "{{[^"]+}}", storage = [f16]}
// CHECK: amp.matmul {{.+}}amp.decision = {compute = f16, rule = "{{[^"]+}}", storage = [f16]}
// CHECK: amp.matmul {{.+}}amp.decision = {compute = f16, rule = "{{[^"]+}}", storage = [f32]}
func.func @step(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>, %s: tensor<8x16xf32>, %dy: tensor<8x16xf32>) -> (tensor<8x16xf32> {amp.role = "output"}, tensor<8x16xf32> {amp.role = "output"}, tensor<16x16xf32> {amp.role = "gradient"}) {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32> loc("fc")
  %1 = amp.softmax %0 {axis = 1 : i64, acc = f32} : (tensor<8x16xf32>) -> tensor<8x16xf32> loc("probs")
  %2 = amp.mul %1, %s : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32> loc("scaled")
  %3 = amp.mul %dy, %s {amp.phase = #amp<phase backward>} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32> loc(fused<"backward">["scaled"])
  %4 = amp.softmax_grad %3, %1 {amp.phase = #amp<phase backward>, axis = 1 : i64, acc = f32} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32> loc(fused<"backward">["probs"])
  %5 = amp.matmul %4, %w {amp.phase = #amp<phase backward>, transpose_rhs, acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32> loc(fused<"backward">["fc"])
  %6 = amp.matmul %x, %4 {amp.phase = #amp<phase backward>, transpose_lhs, acc = f32} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32> loc(fused<"backward">["fc"])
  return %2, %5, %6 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<16x16xf32>
}
