// RUN: amp-opt %s -split-input-file --amp-apply-policy="precision=fp16" | FileCheck %s
// RUN: amp-opt %s -split-input-file --amp-apply-policy="precision=fp16" --amp-apply-policy="precision=fp16" | FileCheck %s
// RUN: amp-opt %s -split-input-file --amp-apply-policy="precision=fp32" | FileCheck %s --check-prefix=NONE --implicit-check-not=amp.policy --implicit-check-not=amp.preset

// By default each op has the class of its definition; average pools run in one
// type only, and the mean of everything is a loss.
// CHECK: module attributes {amp.assign = "{{mincut|greedy}}", amp.preset = "default", amp.range_evidence = true}
// CHECK-LABEL: func.func @classes(
// CHECK: amp.matmul {{.+}}amp.policy = {class = "allow", rule = "PS-default", source = "preset"}
// CHECK: amp.relu {{.+}}class = "follow"
// CHECK: amp.softmax {{.+}}class = "keep"
// CHECK: amp.reshape {{.+}}class = "transparent"
// CHECK: amp.avg_pool {{.+}}class = "transparent"
// CHECK: amp.reduce_mean {{.+}}class = "keep"
// CHECK: amp.unscale {{.+}}class = "keep", rule = "OD-control"
// NONE-LABEL: func.func @classes(
func.func @classes(%x: tensor<4x16xf32>, %w: tensor<16x16xf32>, %s: tensor<f32>) -> (tensor<f32>, tensor<4x16xf32>) {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
  %1 = amp.relu %0 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %2 = amp.softmax %1 {axis = 1 : i64, acc = f32} : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %3 = amp.reshape %2 : (tensor<4x16xf32>) -> tensor<1x4x4x4xf32>
  %4 = amp.avg_pool %3 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, acc = f32} : (tensor<1x4x4x4xf32>) -> tensor<1x4x2x2xf32>
  %5 = amp.reduce_mean %4 {axes = array<i64: 0, 1, 2, 3>, acc = f32} : (tensor<1x4x2x2xf32>) -> tensor<f32>
  %6 = amp.unscale %x, %s : (tensor<4x16xf32>, tensor<f32>) -> tensor<4x16xf32>
  return %5, %6 : tensor<f32>, tensor<4x16xf32>
}

// -----

// A function whose casts are in place is left alone.
// CHECK-LABEL: func.func @applied(
// CHECK-NOT: amp.policy
// CHECK: return
// NONE-LABEL: func.func @applied(
func.func @applied(%x: tensor<4xf32>) -> tensor<4xf32> attributes {amp.precision_applied} {
  %0 = amp.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
