// RUN: amp-opt --amp-kernels-to-cpu --split-input-file --verify-diagnostics %s

amp.kernel @transposes {
^bb0(%x: tensor<2x3xf32>):
  // expected-error @+1 {{kernel @transposes: 'amp.transpose' has no code inside a kernel}}
  %y = amp.transpose %x {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  amp.yield %y : tensor<3x2xf32>
}

// -----

amp.kernel @leading {
^bb0(%x: tensor<2x3xf32>):
  // expected-error @+1 {{a kernel reduces the innermost dimensions of its domain only}}
  %y = amp.reduce_sum %x {axes = array<i64: 0>, keepdims, acc = f32} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  amp.yield %y : tensor<1x3xf32>
}

// -----

amp.kernel @mixed {
^bb0(%x: tensor<2x3x4xf32>):
  %a = amp.reduce_sum %x {axes = array<i64: 2>, keepdims, acc = f32} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  // expected-error @+1 {{reductions of one kernel must be over the same dimensions}}
  %b = amp.reduce_sum %x {axes = array<i64: 1, 2>, keepdims, acc = f32} : (tensor<2x3x4xf32>) -> tensor<2x1x1xf32>
  amp.yield %a, %b : tensor<2x3x1xf32>, tensor<2x1x1xf32>
}

// -----

// expected-error @+1 {{kernel @shapes: shapes of the body do not broadcast to one domain}}
amp.kernel @shapes {
^bb0(%x: tensor<2xf32>, %y: tensor<3xf32>):
  amp.yield %x, %y : tensor<2xf32>, tensor<3xf32>
}

// -----

amp.kernel @small_partials {
^bb0(%x: tensor<4x8xf32>, %y: tensor<1x8xf32>):
  // expected-error @+1 {{column_partials needs a value of the kernel's whole domain}}
  %p = amp.column_partials %y {chunk = 4 : i64, acc = f32} : (tensor<1x8xf32>) -> tensor<1x8xf32>
  amp.yield %x, %p : tensor<4x8xf32>, tensor<1x8xf32>
}
