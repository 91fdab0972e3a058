// RUN: amp-opt --amp-kernels-to-nvvm --split-input-file --verify-diagnostics %s

// expected-error @+1 {{kernel @sum reduces rows or sums columns; CUDA code is made for elementwise kernels only}}
amp.kernel @sum {
^bb0(%x: tensor<2x3xf32>):
  %y = amp.reduce_sum %x {axes = array<i64: 1>, keepdims, acc = f32} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  amp.yield %y : tensor<2x1xf32>
}
