// RUN: amp-opt %s --split-input-file --amp-verify-precision --verify-diagnostics

func.func @two_seeds() -> (tensor<f32>, tensor<f32>) {
  %0 = amp.seed_gradient tensor<f32>
  // expected-error @below {{'amp.seed_gradient' op is a second seed; a loss is scaled once}}
  %1 = amp.seed_gradient tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// -----

func.func @another_scale(%s: tensor<f32>, %t: tensor<f32>) -> tensor<f32> {
  %0 = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  // expected-error @below {{'amp.unscale' op unscales by a value that did not scale the loss}}
  %1 = amp.unscale %0, %t : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

func.func @scale_without_scaled_loss(%s: tensor<f32>) -> tensor<f32> {
  %0 = amp.seed_gradient tensor<f32>
  // expected-error @below {{unscales by a value that did not scale the loss}}
  %1 = amp.unscale %0, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

func.func @unscaled_twice(%s: tensor<f32>) -> tensor<f32> {
  %0 = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  %1 = amp.unscale %0, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  // expected-error @below {{'amp.check_gradients' op unscales a gradient a second time}}
  %ok, %norm = amp.check_gradients (%1) scale %s {acc = f32} : (tensor<f32>, tensor<f32>) -> (tensor<i1>, tensor<f32>)
  return %norm : tensor<f32>
}

// -----

// Without a seed (sums of micro-batches are applied) one value unscales all.
func.func @two_scales(%g: tensor<4xf32>, %s: tensor<f32>, %t: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = amp.unscale %g, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // expected-error @below {{unscales by a value that did not scale the loss}}
  %1 = amp.unscale %g, %t : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @narrow_sum(%x: tensor<4xbf16>) -> tensor<bf16> {
  // Allowed to a source model; amp-accumulate-f32 widens it.
  // expected-error @below {{'amp.reduce_sum' op needs f32 accumulation, got 'bf16'}}
  %0 = amp.reduce_sum %x {axes = array<i64: 0>, acc = bf16, amp.low_accumulation} : (tensor<4xbf16>) -> tensor<bf16>
  return %0 : tensor<bf16>
}

// -----

func.func @two_operand_types(%x: tensor<4x4xbf16>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{'amp.matmul' op reads operands of two types, 'bf16' and 'f32'}}
  %0 = amp.matmul %x, %y {acc = f32} : (tensor<4x4xbf16>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @not_as_decided(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'amp.relu' op has result type 'tensor<4xf32>', decided was 'bf16'}}
  %0 = amp.relu %x {amp.decision = {compute = f32, rule = "FO-reads-low", storage = [bf16]}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// All of it right.
func.func @good(%x: tensor<4x4xbf16>, %s: tensor<f32>) -> (tensor<4x4xbf16>, tensor<f32>) {
  %0 = amp.matmul %x, %x {acc = f32, amp.decision = {compute = bf16, rule = "AL-contraction", storage = [bf16]}} : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
  %1 = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  %2 = amp.unscale %1, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0, %2 : tensor<4x4xbf16>, tensor<f32>
}
