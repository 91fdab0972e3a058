// RUN: amp-opt %s -split-input-file --amp-apply-policy="precision=bf16" | FileCheck %s
// RUN: amp-opt %s -split-input-file --amp-apply-policy="precision=bf16" --amp-apply-policy="precision=bf16" | FileCheck %s
// RUN: amp-opt %s -split-input-file --amp-apply-policy="precision=bf16 preset=pytorch-cuda" | FileCheck %s --check-prefix=OTHER --implicit-check-not=LP-

// A sixteenth of the arithmetic (15360 of 1024 more) is in the last product:
// it stays float32, and what its node has in backward.
// CHECK-LABEL: func.func @head(
// CHECK: amp.matmul {{.+}}class = "allow", rule = "PS-default"
// CHECK: amp.relu
// CHECK: amp.matmul {{.+}}class = "keep", rule = "LP-last-product 6.2 % of the arithmetic of contractions", source = "preset"
// CHECK: amp.matmul {{.+}}amp.phase = #amp<phase backward>{{.+}}class = "keep", rule = "LP-last-product {{.+}}"
// CHECK: amp.relu_grad
// CHECK: amp.matmul {{.+}}amp.phase = #amp<phase backward>{{.+}}class = "allow", rule = "PS-default"
// OTHER-LABEL: func.func @head(
func.func @head(%x: tensor<4x120xf32>, %w: tensor<120x16xf32>, %v: tensor<16x8xf32>, %dy: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<120x16xf32>) {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<4x120xf32>, tensor<120x16xf32>) -> tensor<4x16xf32> loc("body")
  %1 = amp.relu %0 : (tensor<4x16xf32>) -> tensor<4x16xf32> loc("act")
  %2 = amp.matmul %1, %v {acc = f32} : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32> loc("head")
  %3 = amp.matmul %dy, %v {amp.phase = #amp<phase backward>, acc = f32, transpose_rhs} : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> loc(fused<"backward">["head"])
  %4 = amp.relu_grad %3, %1 {amp.phase = #amp<phase backward>} : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32> loc(fused<"backward">["act"])
  %5 = amp.matmul %x, %4 {amp.phase = #amp<phase backward>, acc = f32, transpose_lhs} : (tensor<4x120xf32>, tensor<4x16xf32>) -> tensor<120x16xf32> loc(fused<"backward">["body"])
  return %2, %5 : tensor<4x8xf32>, tensor<120x16xf32>
}

// -----

// One class more is too much.
// CHECK-LABEL: func.func @wide_head(
// CHECK-NOT: LP-
// CHECK: return
// OTHER-LABEL: func.func @wide_head(
func.func @wide_head(%x: tensor<4x120xf32>, %w: tensor<120x16xf32>, %v: tensor<16x9xf32>) -> tensor<4x9xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<4x120xf32>, tensor<120x16xf32>) -> tensor<4x16xf32> loc("body")
  %1 = amp.matmul %0, %v {acc = f32} : (tensor<4x16xf32>, tensor<16x9xf32>) -> tensor<4x9xf32> loc("head")
  return %1 : tensor<4x9xf32>
}

// -----

// Two heads count together.
// CHECK-LABEL: func.func @two_heads(
// CHECK-NOT: LP-
// CHECK: return
// OTHER-LABEL: func.func @two_heads(
func.func @two_heads(%x: tensor<4x120xf32>, %w: tensor<120x16xf32>, %v: tensor<16x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<4x120xf32>, tensor<120x16xf32>) -> tensor<4x16xf32> loc("body")
  %1 = amp.matmul %0, %v {acc = f32} : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32> loc("head.a")
  %2 = amp.exp %0 : (tensor<4x16xf32>) -> tensor<4x16xf32> loc("exp")
  %3 = amp.matmul %2, %v {acc = f32} : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32> loc("head.b")
  return %1, %3 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// A part of the graph alone does not make a node the last: another function
// has it in front of a product.
// CHECK-LABEL: func.func @all(
// CHECK-NOT: LP-
// CHECK-LABEL: func.func @part(
// CHECK-NOT: LP-
// CHECK: return
// OTHER-LABEL: func.func @all(
func.func @all(%x: tensor<4x256xf32>, %w: tensor<256x64xf32>, %v: tensor<64x8xf32>, %u: tensor<8x64xf32>) -> tensor<4x64xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<4x256xf32>, tensor<256x64xf32>) -> tensor<4x64xf32> loc("body")
  %1 = amp.matmul %0, %v {acc = f32} : (tensor<4x64xf32>, tensor<64x8xf32>) -> tensor<4x8xf32> loc("code")
  %2 = amp.exp %1 : (tensor<4x8xf32>) -> tensor<4x8xf32> loc("exp")
  %3 = amp.matmul %2, %u {acc = f32} : (tensor<4x8xf32>, tensor<8x64xf32>) -> tensor<4x64xf32>
  return %3 : tensor<4x64xf32>
}
func.func @part(%x: tensor<4x256xf32>, %w: tensor<256x64xf32>, %v: tensor<64x8xf32>) -> tensor<4x8xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<4x256xf32>, tensor<256x64xf32>) -> tensor<4x64xf32> loc("body")
  %1 = amp.matmul %0, %v {acc = f32} : (tensor<4x64xf32>, tensor<64x8xf32>) -> tensor<4x8xf32> loc("code")
  return %1 : tensor<4x8xf32>
}

// -----

// Without a name it is not judged.
// CHECK-LABEL: func.func @unnamed(
// CHECK-NOT: LP-
// CHECK: return
// OTHER-LABEL: func.func @unnamed(
func.func @unnamed(%x: tensor<4x256xf32>, %w: tensor<256x64xf32>, %v: tensor<64x8xf32>) -> tensor<4x8xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<4x256xf32>, tensor<256x64xf32>) -> tensor<4x64xf32> loc("body")
  %1 = amp.matmul %0, %v {acc = f32} : (tensor<4x64xf32>, tensor<64x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// In networks with batch norms nothing was shown to be gained.
// CHECK-LABEL: func.func @normalised(
// CHECK-NOT: LP-
// CHECK: return
// OTHER-LABEL: func.func @normalised(
func.func @normalised(%x: tensor<4x256xf32>, %w: tensor<256x64xf32>, %v: tensor<64x8xf32>, %s: tensor<64xf32>) -> tensor<4x8xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<4x256xf32>, tensor<256x64xf32>) -> tensor<4x64xf32> loc("body")
  %1 = amp.batch_norm_inference %0, %s, %s, %s, %s {epsilon = 1.0e-5 : f64} : (tensor<4x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<4x64xf32> loc("norm")
  %2 = amp.matmul %1, %v {acc = f32} : (tensor<4x64xf32>, tensor<64x8xf32>) -> tensor<4x8xf32> loc("head")
  return %2 : tensor<4x8xf32>
}
