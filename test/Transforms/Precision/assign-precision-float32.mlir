// RUN: amp-opt %s --amp-assign-precision="precision=fp32" | FileCheck %s --implicit-check-not=amp.decision
// RUN: amp-opt %s --amp-assign-precision="precision=tf32" | FileCheck %s --implicit-check-not=amp.decision
// RUN: amp-opt %s --amp-assign-precision="precision=bf16" | FileCheck %s --check-prefix=LOW

// In float32 nothing has to be decided.
// CHECK: amp.matmul
// LOW: amp.decision
func.func @contraction(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> tensor<8x3xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  %1 = amp.relu %0 : (tensor<8x3xf32>) -> tensor<8x3xf32>
  return %1 : tensor<8x3xf32>
}
