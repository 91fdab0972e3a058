// RUN: amp-opt %s -split-input-file --amp-apply-policy="preset=tensorflow precision=fp16" --amp-assign-precision="precision=fp16" | FileCheck %s

// Deny spreads downstream over infer ops, and over a neutral op only where an
// infer or deny op comes after it: the last relu is not denied, so the paint of
// the product after it reaches it.
// CHECK-LABEL: func.func @deny_spreads(
// CHECK: amp.exp {{.+}}rule = "PS-tf.fp16.deny", storage = [f32]
// CHECK: amp.neg {{.+}}rule = "PT-behind-deny", storage = [f32]
// CHECK: amp.add {{.+}}rule = "PT-behind-deny", storage = [f32]
// CHECK: amp.relu {{.+}}rule = "PT-beside-allow", storage = [f16]
// CHECK: amp.matmul {{.+}}compute = f16, rule = "PS-tf.fp16.allow", storage = [f16]
func.func @deny_spreads(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>, %w: tensor<16x16xf32>) -> tensor<8x16xf32> {
  %0 = amp.exp %x : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = amp.neg %0 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = amp.add %1, %y : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = amp.relu %2 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %4 = amp.matmul %3, %w {acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  return %4 : tensor<8x16xf32>
}

// -----

// Infer ops take paint only between painted ones; neutral ops beside one, too.
// CHECK-LABEL: func.func @infer_and_neutral(
// CHECK: amp.tanh {{.+}}rule = "PT-unpainted", storage = [f32]
// CHECK: amp.matmul {{.+}}storage = [f16]
// CHECK: amp.sigmoid {{.+}}rule = "PT-between-allow", storage = [f16]
// CHECK: amp.matmul {{.+}}storage = [f16]
// CHECK: amp.transpose {{.+}}rule = "PT-beside-allow", storage = [f16]
// CHECK: amp.sigmoid {{.+}}rule = "PT-unpainted", storage = [f32]
func.func @infer_and_neutral(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = amp.tanh %x : (tensor<16x16xf32>) -> tensor<16x16xf32>
  %1 = amp.matmul %0, %w {acc = f32} : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %2 = amp.sigmoid %1 : (tensor<16x16xf32>) -> tensor<16x16xf32>
  %3 = amp.matmul %2, %w {acc = f32} : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %4 = amp.transpose %3 {perm = array<i64: 1, 0>} : (tensor<16x16xf32>) -> tensor<16x16xf32>
  %5 = amp.sigmoid %4 : (tensor<16x16xf32>) -> tensor<16x16xf32>
  return %5 : tensor<16x16xf32>
}

// -----

// An op of no list lets nothing through, so what lies around it is not between.
// CHECK-LABEL: func.func @unlisted_blocks(
// CHECK: amp.matmul
// CHECK: amp.tanh {{.+}}rule = "PT-unpainted", storage = [f32]
// CHECK: amp.sin {{.+}}rule = "PT-unpainted", storage = [f32]{{.+}}class = "block", rule = "PS-tensorflow.unlisted"
// CHECK: amp.tanh {{.+}}rule = "PT-unpainted", storage = [f32]
// CHECK: amp.matmul
func.func @unlisted_blocks(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>) -> tensor<8x16xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %1 = amp.tanh %0 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = amp.sin %1 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = amp.tanh %2 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %4 = amp.matmul %3, %w {acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  return %4 : tensor<8x16xf32>
}

// -----

// Without an op to allow the graph is left alone.
// CHECK-LABEL: func.func @nothing_to_gain(
// CHECK: amp.relu {{.+}}rule = "PT-unpainted", storage = [f32]
func.func @nothing_to_gain(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = amp.relu %x : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
