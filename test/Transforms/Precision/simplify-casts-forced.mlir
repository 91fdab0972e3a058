// RUN: amp-opt %s --amp-apply-policy="precision=bf16 keep-fp32=kept" --amp-assign-precision="precision=bf16 assign=all-low" --amp-insert-casts --amp-simplify-casts | FileCheck %s

// A cast moves in front of what moves values, or behind it, unless the user
// said in which type that is stored.
// CHECK-LABEL: func.func @views(
// CHECK: [[F:%[0-9]+]] = amp.cast %arg0 : (tensor<16x16xf32>) -> tensor<16x16xbf16>
// CHECK: [[T:%[0-9]+]] = amp.transpose [[F]] {{.+}} -> tensor<16x16xbf16>
// CHECK: amp.matmul [[T]],
// CHECK: [[K:%[0-9]+]] = amp.transpose %arg0 {{.+}}source = "node"{{.+}} -> tensor<16x16xf32>
// CHECK: [[C:%[0-9]+]] = amp.cast [[K]]
// CHECK: amp.matmul [[C]],
func.func @views(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = amp.transpose %x {perm = array<i64: 1, 0>} : (tensor<16x16xf32>) -> tensor<16x16xf32> loc("free")
  %1 = amp.matmul %0, %w {acc = f32} : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %2 = amp.transpose %x {perm = array<i64: 1, 0>} : (tensor<16x16xf32>) -> tensor<16x16xf32> loc("kept")
  %3 = amp.matmul %2, %w {acc = f32} : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  return %1, %3 : tensor<16x16xf32>, tensor<16x16xf32>
}
