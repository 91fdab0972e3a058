// RUN: split-file %s %t
// RUN: amp-opt %t/ops.mlir --allow-unregistered-dialect --amp-apply-policy="precision=fp16" --amp-assign-precision="precision=fp16 assign=greedy" --amp-insert-casts 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: amp-opt %t/ops.mlir --allow-unregistered-dialect --amp-apply-policy="precision=fp16" --amp-assign-precision="precision=fp16 assign=mincut" --amp-insert-casts 2>/dev/null | FileCheck %s --check-prefix=CUT
// RUN: amp-opt %t/ops.mlir --allow-unregistered-dialect --amp-apply-policy="precision=fp16 preset=pytorch-cuda" --amp-assign-precision="precision=fp16" --amp-insert-casts 2>/dev/null | FileCheck %s
// RUN: amp-opt %t/ops.mlir --allow-unregistered-dialect --amp-apply-policy="precision=fp16 config=%t/custom.yaml" --amp-assign-precision="precision=fp16 assign=greedy" --amp-insert-casts 2>&1 | FileCheck %s --check-prefix=CUSTOM --implicit-check-not=remark

// An op that nothing is known of gets one type, the widest that it reads, also
// where a product reads it (KF-06). Shapes that are not static are none of ours.
// REMARK: remark: no policy is known for 'my.foo': it gets operands of one type, the widest of those it reads
// REMARK-NOT: remark: no policy is known for
// CHECK: [[P:%[0-9]+]] = amp.matmul {{.+}} -> tensor<8x16xf16>
// CHECK: [[W:%[0-9]+]] = amp.cast [[P]] : (tensor<8x16xf16>) -> tensor<8x16xf32>
// CHECK-NEXT: "my.foo"([[W]], %arg1) {{.+}}rule = "UN-unknown-op"{{.+}} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK: [[R:%[0-9]+]] = amp.relu {{.+}} -> tensor<8x16xf16>
// CHECK-NEXT: "my.foo"([[R]], [[R]]) {{.+}} : (tensor<8x16xf16>, tensor<8x16xf16>) -> tensor<8x16xf16>
// CHECK: "my.dynamic"(%arg3) : (tensor<?xf32>) -> tensor<?xf32>

// CUT: "my.foo"({{%[0-9]+}}, %arg1) {{.+}} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
// CUT: "my.foo"([[R:%[0-9]+]], [[R]]) {{.+}} : (tensor<8x16xf16>, tensor<8x16xf16>) -> tensor<8x16xf16>

// The config gives it a class: low reads low.
// CUSTOM: [[N:%[0-9]+]] = amp.cast %arg1 : (tensor<8x16xf32>) -> tensor<8x16xf16>
// CUSTOM: "my.foo"({{%[0-9]+}}, [[N]]) {{.+}}class = "allow"{{.+}} : (tensor<8x16xf16>, tensor<8x16xf16>) -> tensor<8x16xf16>

//--- custom.yaml
custom_ops:
  "my.f*": low
//--- ops.mlir
func.func @unknown(%x: tensor<8x16xf32>, %n: tensor<8x16xf32>, %w: tensor<16x16xf32>, %d: tensor<?xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<?xf32>) {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %1 = "my.foo"(%0, %n) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = amp.relu %0 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = "my.foo"(%2, %2) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %4 = amp.matmul %1, %w {acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %5 = amp.matmul %3, %w {acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %6 = "my.dynamic"(%d) : (tensor<?xf32>) -> tensor<?xf32>
  return %4, %5, %6 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<?xf32>
}
