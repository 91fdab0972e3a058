// RUN: amp-opt %s --amp-mark-regions --amp-assign-precision="precision=bf16 assign=mincut" | FileCheck %s

// The kernel of tanh and add reads the argument, but needs what a product made of
// its bf16 copy, so the copy is made before: 16384 + 8192 bytes for the cast,
// 8192 + 8192 + 8192 for the product (a weight and its result), 16384 + 8192 +
// 16384 for the kernel.
// CHECK: amp.predicted_bytes = {kernel_behind_the_product = array<i64: 90112,
func.func @kernel_behind_the_product(%x: tensor<64x64xf32>, %w: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  %0 = amp.tanh %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = amp.matmul %x, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xbf16>) -> tensor<64x64xf32>
  %2 = amp.add %0, %1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// The same where the product reads another shape of the argument.
// CHECK-SAME: kernel_behind_the_reshaped_product = array<i64: 90112,
func.func @kernel_behind_the_reshaped_product(%x: tensor<2x32x64xf32>, %w: tensor<64x64xbf16>) -> tensor<2x32x64xf32> {
  %r = amp.reshape %x : (tensor<2x32x64xf32>) -> tensor<64x64xf32>
  %0 = amp.matmul %r, %w {acc = f32} : (tensor<64x64xf32>, tensor<64x64xbf16>) -> tensor<64x64xf32>
  %s = amp.reshape %0 : (tensor<64x64xf32>) -> tensor<2x32x64xf32>
  %1 = amp.tanh %x : (tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
  %2 = amp.add %1, %s : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
  return %2 : tensor<2x32x64xf32>
}
