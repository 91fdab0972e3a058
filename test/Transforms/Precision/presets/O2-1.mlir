// RUN: amp-opt %s --amp-apply-policy="preset=O2 precision=fp16" --amp-assign-precision=precision=fp16 | FileCheck %s

// Two layers, one with a separate bias, and what often follows them.
// The model is half.
// CHECK-LABEL: func.func @mlp(
// CHECK: amp.matmul {{.+}}amp.decision = {compute = f16, rule = "{{[^"]+}}", storage = [f16]}
// CHECK: amp.add {{.+}}amp.decision = {compute = f32, rule = "{{[^"]+}}", storage = [f16]}
// CHECK: amp.gelu {{.+}}amp.decision = {compute = f32, rule = "{{[^"]+}}", storage = [f16]}
// CHECK: amp.matmul {{.+}}amp.decision = {compute = f16, rule = "{{[^"]+}}", storage = [f16]}
// CHECK: amp.softmax {{.+}}amp.decision = {compute = f32, rule = "{{[^"]+}}", storage = [f16]}
// CHECK: amp.exp {{.+}}amp.decision = {compute = f32, rule = "{{[^"]+}}", storage = [f16]}
// CHECK: amp.layer_norm {{.+}}amp.decision = {compute = f32, rule = "{{[^"]+}}", storage = [f16, f32, f32]}
// CHECK: amp.reduce_mean {{.+}}amp.decision = {compute = f32, rule = "{{[^"]+}}", storage = [f16]}
func.func @mlp(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>, %b: tensor<16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x1xf32>) {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %1 = amp.add %0, %b : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8x16xf32>
  %2 = amp.gelu %0 {form = #amp<gelu_form erf>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = amp.matmul %2, %w {acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %4 = amp.softmax %3 {axis = 1 : i64, acc = f32} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %5 = amp.exp %3 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %6:3 = amp.layer_norm %3, %b, %b {axis = 1 : i64, epsilon = 1.0e-5 : f64, acc = f32} : (tensor<8x16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<8x16xf32>, tensor<8x1xf32>, tensor<8x1xf32>)
  %7 = amp.reduce_mean %3 {axes = array<i64: 1>, keepdims, acc = f32} : (tensor<8x16xf32>) -> tensor<8x1xf32>
  return %1, %4, %5, %6#0, %7 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x1xf32>
}
