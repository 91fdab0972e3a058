// RUN: amp-opt %s --split-input-file --amp-verify-precision --verify-diagnostics

func.func @two_seeds() -> (tensor<f32>, tensor<f32>) {
  %0 = amp.seed_gradient tensor<f32>
  // expected-error @below {{'amp.seed_gradient' op is a second seed; a loss is scaled once}}
  %1 = amp.seed_gradient tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// -----

func.func @another_scale(%s: tensor<f32>, %t: tensor<f32>) -> tensor<f32> {
  // expected-note @below {{gradients are scaled here}}
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
  // expected-note @below {{gradients are scaled here}}
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

// The norm of scaled gradients, written out.
func.func @norm_before_unscale(%s: tensor<f32>, %x: tensor<4xf32>) -> tensor<f32> {
  // expected-note @below {{gradients are scaled here}}
  %0 = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  %g = amp.mul %0, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{'amp.mul' op multiplies two scaled gradients: a norm needs them unscaled before}}
  %1 = amp.mul %g, %g : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = amp.reduce_sum %1 {axes = array<i64: 0>, acc = f32} : (tensor<4xf32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// -----

func.func @clip_by_value_before_unscale(%s: tensor<f32>, %x: tensor<4xf32>, %most: tensor<f32>) {
  // expected-note @below {{gradients are scaled here}}
  %0 = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  %g = amp.mul %0, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{'amp.min' op reads a scaled gradient: a clip, a norm or a check needs it unscaled before}}
  %1 = amp.min %g, %most : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @check_before_unscale(%s: tensor<f32>, %x: tensor<4xf32>) {
  // expected-note @below {{gradients are scaled here}}
  %0 = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  %g = amp.mul %0, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %h = amp.transpose %g {perm = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{'amp.is_nan' op reads a scaled gradient}}
  %1 = amp.is_nan %h : (tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

// The scale is adjusted first and the gradient divided by the new one.
func.func @unscaled_by_the_next_scale(%s: tensor<f32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %two = amp.constant dense<2.0> : tensor<f32>
  // expected-note @below {{gradients are scaled here}}
  %0 = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  %g = amp.mul %0, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %next = amp.mul %s, %two : (tensor<f32>, tensor<f32>) -> tensor<f32>
  // expected-error @below {{'amp.div' op unscales by a value that did not scale the loss}}
  %1 = amp.div %g, %next : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @divided_twice(%s: tensor<f32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %one = amp.constant dense<1.0> : tensor<f32>
  // expected-note @below {{gradients are scaled here}}
  %0 = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  %g = amp.mul %0, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %inverse = amp.div %one, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = amp.mul %g, %inverse : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %c = amp.max %1, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  // expected-error @below {{'amp.unscale' op unscales a gradient a second time}}
  %2 = amp.unscale %c, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

func.func @decay_added_to_a_scaled_gradient(%s: tensor<f32>, %x: tensor<4xf32>) {
  // expected-note @below {{gradients are scaled here}}
  %0 = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  %g = amp.mul %0, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{'amp.add' op adds a scaled gradient and a value that is not scaled}}
  %1 = amp.add %g, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @losses_of_two_scales(%s: tensor<f32>, %t: tensor<f32>) {
  // expected-note @below {{gradients are scaled here}}
  %0 = amp.seed_gradient %s : tensor<f32> -> {loss = "a"} tensor<f32>
  %1 = amp.seed_gradient %t : tensor<f32> -> {loss = "b"} tensor<f32>
  // expected-error @below {{'amp.fan_in_sum' op adds gradients of different scales}}
  %2 = amp.fan_in_sum %1, %0 {acc = f32} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @scaled_result(%s: tensor<f32>) -> tensor<f32> {
  // expected-note @below {{gradients are scaled here}}
  %0 = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  // expected-error @below {{returns a scaled gradient}}
  return %0 : tensor<f32>
}

// -----

amp.variable @w : tensor<f32> kind parameter
func.func @scaled_parameter(%s: tensor<f32>) {
  // expected-note @below {{gradients are scaled here}}
  %0 = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  // expected-error @below {{'amp.write' op writes a scaled gradient to '@w'}}
  amp.write @w, %0 : tensor<f32>
  return
}

// -----

// Sums are scaled where they are applied, by the variable that scaled them.
amp.variable @scale : tensor<f32> kind scaler
amp.variable @sum : tensor<f32> kind accumulator
func.func @apply() {
  %a = amp.read @sum : tensor<f32>
  %s = amp.read @scale : tensor<f32>
  // expected-error @below {{'amp.sqrt' op reads a scaled gradient}}
  %0 = amp.sqrt %a : (tensor<f32>) -> tensor<f32>
  return
}
func.func @accumulate() {
  %a = amp.read @sum : tensor<f32>
  %s = amp.read @scale : tensor<f32>
  %0 = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  %1 = amp.accumulate_gradient %a, %0 {acc = f32} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  amp.write @sum, %1 : tensor<f32>
  return
}

// -----

amp.variable @sum : tensor<f32> kind accumulator
func.func @sums_of_unscaled_gradients(%s: tensor<f32>) {
  %a = amp.read @sum : tensor<f32>
  // expected-note @below {{gradients are scaled here}}
  %0 = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  %1 = amp.unscale %0, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  // expected-error @below {{'amp.accumulate_gradient' op adds an unscaled gradient to a sum that is unscaled when it is applied}}
  %2 = amp.accumulate_gradient %a, %1 {acc = f32} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  amp.write @sum, %2 : tensor<f32>
  return
}

// -----

amp.variable @scale : tensor<f32> kind scaler
amp.variable @sum : tensor<f32> kind accumulator
func.func @scale_changes_within_a_window(%new: tensor<f32>) {
  %a = amp.read @sum : tensor<f32>
  %s = amp.read @scale : tensor<f32>
  %0 = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  %1 = amp.accumulate_gradient %a, %0 {acc = f32} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  amp.write @sum, %1 : tensor<f32>
  // expected-error @below {{'amp.write' op of '@scale' changes the loss scale within a window of micro-batches}}
  amp.write @scale, %new : tensor<f32>
  return
}

// -----

func.func @narrow_sum(%x: tensor<4xbf16>) -> tensor<bf16> {
  // Allowed to a source model; amp-accumulate-f32 widens it.
  // expected-error @below {{'amp.reduce_sum' op needs f32 accumulation, got 'bf16'}}
  %0 = amp.reduce_sum %x {axes = array<i64: 0>, acc = bf16, amp.low_accumulation} : (tensor<4xbf16>) -> tensor<bf16>
  return %0 : tensor<bf16>
}

// -----

// Asked for, but of what is wider than the sum.
module attributes {amp.accumulation = "low"} {
func.func @narrower_than_its_terms(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'amp.reduce_sum' op accumulates in 'bf16' what is wider than that}}
  %0 = amp.reduce_sum %x {axes = array<i64: 0>, acc = bf16, amp.low_accumulation} : (tensor<4x4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// -----

// A gradient of a weight is not rounded between its product and the update.
amp.variable @w : tensor<4x4xf32> kind parameter {trained}
func.func @train_step(%x: tensor<4x4xbf16>, %lr: tensor<f32>, %s: tensor<f32>, %n: tensor<i64>, %finite: tensor<i1>) {
  %w = amp.read @w : tensor<4x4xf32>
  %0 = amp.matmul %x, %x {acc = f32} : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
  %g = amp.cast %0 : (tensor<4x4xbf16>) -> tensor<4x4xf32>
  // expected-error @below {{'amp.optimizer_step' op takes a gradient that 'amp.matmul' rounded to 'bf16'; gradients of parameters are float32}}
  %p = amp.optimizer_step %w, %g, %lr, %s, %s, %lr, %finite, %n {kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>, config = {}, resultSegmentSizes = array<i32: 1, 0, 0>} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<i64>) -> tensor<4x4xf32>
  amp.write @w, %p : tensor<4x4xf32>
  return
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

// -----

// In the right order all of it is legal: unscale, norm, clip, and only then
// what is added to a gradient.
func.func @unscale_norm_clip(%s: tensor<f32>, %x: tensor<4xf32>, %most: tensor<f32>) -> tensor<4xf32> {
  %zero = amp.constant dense<0.0> : tensor<4xf32>
  %one = amp.constant dense<1.0> : tensor<f32>
  %0 = amp.seed_gradient %s : tensor<f32> -> tensor<f32>
  %share = amp.div %0, %most : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %g = amp.mul %share, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %h = amp.add %g, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %k = amp.fan_in_sum %g, %h {acc = f32} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %inverse = amp.reciprocal %s : (tensor<f32>) -> tensor<f32>
  %u = amp.mul %inverse, %k : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %square = amp.mul %u, %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %sum = amp.reduce_sum %square {axes = array<i64: 0>, acc = f32} : (tensor<4xf32>) -> tensor<f32>
  %norm = amp.sqrt %sum : (tensor<f32>) -> tensor<f32>
  %ratio = amp.div %most, %norm : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %factor = amp.min %ratio, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %clipped = amp.mul %u, %factor : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %decayed = amp.add %clipped, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %decayed : tensor<4xf32>
}

// -----

// Batch norms keep float32 parameters and statistics but by a policy's word.
func.func @low_batch_norm(%x: tensor<2x4x8x8xf32>, %s: tensor<4xbf16>, %b: tensor<4xf32>) -> tensor<2x4x8x8xf32> {
  // expected-error @below {{'amp.batch_norm' op needs f32 parameters and statistics, operand 1 is 'bf16'}}
  %0:3 = amp.batch_norm %x, %s, %b {epsilon = 1.0e-5 : f64, acc = f32} : (tensor<2x4x8x8xf32>, tensor<4xbf16>, tensor<4xf32>) -> (tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return %0#0 : tensor<2x4x8x8xf32>
}

// -----

func.func @low_statistics(%x: tensor<2x4x8x8xf32>, %s: tensor<4xf32>) -> tensor<2x4x8x8xf32> {
  // expected-error @below {{'amp.batch_norm' op needs f32 statistics, result 2 is 'f16'}}
  %0:3 = amp.batch_norm %x, %s, %s {epsilon = 1.0e-5 : f64, acc = f32, amp.policy = {class = "allow", low_results = array<i64: 1>}} : (tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4x8x8xf32>, tensor<4xf16>, tensor<4xf16>)
  return %0#0 : tensor<2x4x8x8xf32>
}
