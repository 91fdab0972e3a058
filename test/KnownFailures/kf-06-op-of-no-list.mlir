// RUN: amp-opt %s --allow-unregistered-dialect --amp-policy="precision=fp16" --amp-precision="precision=fp16" 2>%t.err | FileCheck %s -DLOW=f16
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: amp-opt %s --allow-unregistered-dialect --amp-policy="precision=bf16" --amp-precision="precision=bf16" 2>/dev/null | FileCheck %s -DLOW=bf16
// RUN: amp-opt %s --allow-unregistered-dialect --amp-policy="precision=fp16 preset=O3" --amp-precision="precision=fp16" 2>/dev/null | FileCheck %s --check-prefix=ONE

// An op that no list knows reads a low product and a float32 norm: it gets both
// in the widest type of the two, and a remark says so.
// REMARK: remark: no policy is known for 'my.foo': it gets operands of one type, the widest of those it reads
// CHECK-LABEL: func.func @train_step
// CHECK: amp.matmul {{.*}}tensor<64x64x[[LOW]]>
// CHECK: "my.foo"({{.*}}) {{.*}} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
// Under any policy it is one type.
// ONE: "my.foo"({{.*}}) {{.*}} : (tensor<64x64x[[T:[a-z0-9]+]]>, tensor<64x64x[[T]]>) ->
func.func @train_step(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %x: tensor<64x64xf32>, %s: tensor<64xf32>, %o: tensor<64xf32>) -> tensor<64x64xf32> {
  %0:3 = amp.layer_norm %x, %s, %o {acc = f32, axis = 1 : i64, epsilon = 1.0e-5 : f64} : (tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<64x64xf32>, tensor<64x1xf32>, tensor<64x1xf32>)
  %1 = amp.matmul %a, %b {acc = f32} : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = "my.foo"(%1, %0#0) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
