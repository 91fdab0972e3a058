// RUN: amp-opt %s -split-input-file --amp-apply-policy="preset=ort precision=bf16" --amp-assign-precision="precision=bf16" | FileCheck %s
// RUN: amp-opt %s -split-input-file --amp-apply-policy="preset=O3 precision=bf16" --amp-assign-precision="precision=bf16" --amp-insert-casts | FileCheck %s --check-prefix=O3
// RUN: amp-opt %s -split-input-file --amp-apply-policy="preset=autocast precision=fp16" --amp-assign-precision="precision=fp16" | FileCheck %s --check-prefix=RANGE

// Parameters and statistics of batch norms stay float32; not under O3, where
// running statistics are state all the same.
// CHECK-LABEL: func.func @batch_norm(
// CHECK: amp.batch_norm {{.+}}rule = "LO-everything", storage = [bf16, f32, f32]
// CHECK: amp.mul {{.+}}rule = "ST-state", storage = [f32]
// O3-LABEL: func.func @batch_norm(
// O3: amp.batch_norm {{.+}}low_operands = array<i64: 1, 2>, low_results = array<i64: 1, 2>{{.+}} : (tensor<2x4x8x8xf32>, tensor<4xbf16>, tensor<4xbf16>) -> (tensor<2x4x8x8xbf16>, tensor<4xbf16>, tensor<4xbf16>)
// O3: amp.mul {{.+}} : (tensor<4xbf16>, tensor<f32>) -> tensor<4xf32>
// O3: amp.batch_norm_grad {{.+}}low_operands = array<i64: 2, 3, 4>, low_results = array<i64>{{.+}} -> (tensor<2x4x8x8xbf16>, tensor<4xf32>, tensor<4xf32>)
amp.variable @running : tensor<4xf32> kind buffer
func.func @batch_norm(%x: tensor<2x4x8x8xf32>, %s: tensor<4xf32>, %m: tensor<f32>) -> (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<4xf32>) {
  %0:3 = amp.batch_norm %x, %s, %s {epsilon = 1.0e-5 : f64, acc = f32} : (tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>)
  %1 = amp.mul %0#1, %m : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  amp.write @running, %1 : tensor<4xf32>
  %2:3 = amp.batch_norm_grad %0#0, %x, %s, %0#1, %0#2 {epsilon = 1.0e-5 : f64, acc = f32} : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return %0#0, %2#0, %2#1 : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<4xf32>
}

// -----

// AutoCast looks at initializers: what fp16 does not hold keeps its op float32.
// RANGE-LABEL: func.func @initializers(
// RANGE: amp.add {{.+}}rule = "LO-everything", storage = [f16]
// RANGE: amp.add {{.+}}rule = "PS-autocast.initializer-range 65536 > 65504", storage = [f32]
// RANGE: amp.mul {{.+}}rule = "PS-autocast.initializer-range 100000 > 65504", storage = [f32]
// CHECK-LABEL: func.func @initializers(
// CHECK: amp.add {{.+}}storage = [bf16]
// CHECK: amp.add {{.+}}storage = [bf16]
// O3-LABEL: func.func @initializers(
amp.variable @p : tensor<4xf32> kind parameter init dense<[1.0, -1.0e5, 2.0, 3.0]> : tensor<4xf32>
func.func @initializers(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %p = amp.read @p : tensor<4xf32>
  %c = amp.constant dense<[1.0, 65504.0, 2.0, 3.0]> : tensor<4xf32>
  %d = amp.constant dense<[1.0, 2.0, -65536.0, 3.0]> : tensor<4xf32>
  %0 = amp.add %x, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = amp.add %x, %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = amp.mul %x, %p : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
