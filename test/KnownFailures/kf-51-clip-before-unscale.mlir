// RUN: amp-opt %s --split-input-file --amp-verify-precision --verify-diagnostics

// g = grad(L * scale); n = norm(g); g' = g * min(1, 1 / n); u = g' / scale.
func.func @norm(%s: tensor<f32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %one = amp.constant dense<1.0> : tensor<f32>
  // expected-note @below {{gradients are scaled here}}
  %seed = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  %g = amp.mul %seed, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{'amp.mul' op multiplies two scaled gradients: a norm needs them unscaled before}}
  %q = amp.mul %g, %g : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %sum = amp.reduce_sum %q {axes = array<i64: 0>, acc = f32} : (tensor<4xf32>) -> tensor<f32>
  %norm = amp.sqrt %sum : (tensor<f32>) -> tensor<f32>
  %ratio = amp.div %one, %norm : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %factor = amp.min %one, %ratio : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %clipped = amp.mul %g, %factor : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = amp.unscale %clipped, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %u : tensor<4xf32>
}

// -----

func.func @largest_element(%s: tensor<f32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @below {{gradients are scaled here}}
  %seed = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  %g = amp.mul %seed, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{'amp.abs' op reads a scaled gradient: a clip, a norm or a check needs it unscaled before}}
  %a = amp.abs %g : (tensor<4xf32>) -> tensor<4xf32>
  %m = amp.reduce_max %a {axes = array<i64: 0>, acc = f32} : (tensor<4xf32>) -> tensor<f32>
  %c = amp.div %g, %m : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = amp.unscale %c, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %u : tensor<4xf32>
}
