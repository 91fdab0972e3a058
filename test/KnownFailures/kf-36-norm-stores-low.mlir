// RUN: amp-opt %s --amp-policy="precision=bf16" --amp-precision="precision=bf16" --amp-optimise | FileCheck %s
// RUN: amp-opt %s --amp-policy="precision=fp16 keep-fp32=layer_norm" --amp-precision="precision=fp16" --amp-optimise | sed s/xf16/xbf16/g | FileCheck %s

// A norm is computed in float32 and stores what its reader wants, also where
// the user asks for float32: between the two products nothing in float32 is as
// large as the activations.
// CHECK-LABEL: func.func @train_step
// CHECK: [[M:%.*]] = amp.matmul {{.*}} -> tensor<256x256xbf16>
// CHECK-NEXT: [[N:%.*]] = amp.region([[M]], {{.*}} -> tensor<256x256xbf16> attributes
// CHECK: amp.matmul [[N]], {{.*}}
func.func @train_step(%x: tensor<256x256xf32>, %w: tensor<256x256xf32>, %v: tensor<256x256xf32>, %s: tensor<256xf32>) -> tensor<256x256xf32> {
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %1:3 = amp.layer_norm %0, %s {acc = f32, axis = 1 : i64, epsilon = 1.0e-5 : f64} : (tensor<256x256xf32>, tensor<256xf32>) -> (tensor<256x256xf32>, tensor<256x1xf32>, tensor<256x1xf32>)
  %2 = amp.matmul %1#0, %v {acc = f32} : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %2 : tensor<256x256xf32>
}
