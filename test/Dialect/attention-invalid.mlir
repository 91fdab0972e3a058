// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @queries_are_rows(%q: tensor<8xf32>, %k: tensor<2x5x8xf32>,
    %v: tensor<2x5x6xf32>) {
  // expected-error @+1 {{expected a query of at least two dimensions, got [8]}}
  amp.attention %q, %k, %v {scale = 1.0 : f64, acc = f32}
    : (tensor<8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>)
    -> (tensor<2x3x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @keys_have_the_width_of_queries(%q: tensor<2x3x8xf32>, %k: tensor<2x5x7xf32>,
    %v: tensor<2x5x6xf32>) {
  // expected-error @+1 {{expected a key of shape [2, 5, 8], got [2, 5, 7]}}
  amp.attention %q, %k, %v {scale = 1.0 : f64, acc = f32}
    : (tensor<2x3x8xf32>, tensor<2x5x7xf32>, tensor<2x5x6xf32>)
    -> (tensor<2x3x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @keys_have_the_batch_of_queries(%q: tensor<2x3x8xf32>, %k: tensor<1x5x8xf32>,
    %v: tensor<2x5x6xf32>) {
  // expected-error @+1 {{expected a key of shape [2, 5, 8], got [1, 5, 8]}}
  amp.attention %q, %k, %v {scale = 1.0 : f64, acc = f32}
    : (tensor<2x3x8xf32>, tensor<1x5x8xf32>, tensor<2x5x6xf32>)
    -> (tensor<2x3x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @keys_have_the_rank_of_queries(%q: tensor<2x3x8xf32>, %k: tensor<8xf32>,
    %v: tensor<2x5x6xf32>) {
  // expected-error @+1 {{expected a key of shape [2, 0, 8], got [8]}}
  amp.attention %q, %k, %v {scale = 1.0 : f64, acc = f32}
    : (tensor<2x3x8xf32>, tensor<8xf32>, tensor<2x5x6xf32>)
    -> (tensor<2x3x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @values_are_as_many_as_keys(%q: tensor<2x3x8xf32>, %k: tensor<2x5x8xf32>,
    %v: tensor<2x4x6xf32>) {
  // expected-error @+1 {{expected a value of shape [2, 5, 6], got [2, 4, 6]}}
  amp.attention %q, %k, %v {scale = 1.0 : f64, acc = f32}
    : (tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x4x6xf32>)
    -> (tensor<2x3x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @probabilities_have_the_shape_of_the_scores(%q: tensor<2x3x8xf32>, %k: tensor<2x5x8xf32>,
    %v: tensor<2x5x6xf32>) {
  // expected-error @+1 {{expected probabilities of shape [2, 3, 5], got [2, 5, 3]}}
  amp.attention %q, %k, %v {scale = 1.0 : f64, acc = f32}
    : (tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>)
    -> (tensor<2x3x6xf32>, tensor<2x5x3xf32>)
  return
}

// -----

func.func @results_have_the_width_of_values(%q: tensor<2x3x8xf32>, %k: tensor<2x5x8xf32>,
    %v: tensor<2x5x6xf32>) {
  // expected-error @+1 {{expected a result of shape [2, 3, 6], got [2, 3, 8]}}
  amp.attention %q, %k, %v {scale = 1.0 : f64, acc = f32}
    : (tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>)
    -> (tensor<2x3x8xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @masks_broadcast_to_the_scores(%q: tensor<2x3x8xf32>, %k: tensor<2x5x8xf32>,
    %v: tensor<2x5x6xf32>, %m: tensor<5x3xf32>) {
  // expected-error @+1 {{expected a mask that broadcasts to [2, 3, 5], got [5, 3]}}
  amp.attention %q, %k, %v mask %m {scale = 1.0 : f64, acc = f32}
    : (tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>, tensor<5x3xf32>)
    -> (tensor<2x3x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @masks_are_no_larger_than_the_scores(%q: tensor<2x3x8xf32>, %k: tensor<2x5x8xf32>,
    %v: tensor<2x5x6xf32>, %m: tensor<4x2x3x5xf32>) {
  // expected-error @+1 {{expected a mask that broadcasts to [2, 3, 5], got [4, 2, 3, 5]}}
  amp.attention %q, %k, %v mask %m {scale = 1.0 : f64, acc = f32}
    : (tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>, tensor<4x2x3x5xf32>)
    -> (tensor<2x3x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @the_scale_is_finite(%q: tensor<2x3x8xf32>, %k: tensor<2x5x8xf32>,
    %v: tensor<2x5x6xf32>) {
  // expected-error @+1 {{expected a finite scale, got +Inf}}
  amp.attention %q, %k, %v {scale = 0x7FF0000000000000 : f64, acc = f32}
    : (tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>)
    -> (tensor<2x3x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @sums_are_wide(%q: tensor<2x3x8xbf16>, %k: tensor<2x5x8xbf16>,
    %v: tensor<2x5x6xbf16>) {
  // expected-error @+1 {{expected an accumulator of at least 32 bits, got 'bf16'; less needs the attribute amp.low_accumulation}}
  amp.attention %q, %k, %v {scale = 1.0 : f64, acc = bf16}
    : (tensor<2x3x8xbf16>, tensor<2x5x8xbf16>, tensor<2x5x6xbf16>)
    -> (tensor<2x3x6xbf16>, tensor<2x3x5xbf16>)
  return
}

// -----

func.func @a_gradient_has_the_shape_of_its_value(%dy: tensor<2x3x6xf32>, %q: tensor<2x3x8xf32>, %k: tensor<2x5x8xf32>,
    %v: tensor<2x5x6xf32>, %p: tensor<2x3x5xf32>) {
  // expected-error @+1 {{expected dkey of shape [2, 5, 8], got [2, 3, 8]}}
  amp.attention_grad %dy, %q, %k, %v, %p {scale = 1.0 : f64, acc = f32}
    : (tensor<2x3x6xf32>, tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>, tensor<2x3x5xf32>)
    -> (tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x5x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @the_gradient_of_the_scores_has_theirs(%dy: tensor<2x3x6xf32>, %q: tensor<2x3x8xf32>, %k: tensor<2x5x8xf32>,
    %v: tensor<2x5x6xf32>, %p: tensor<2x3x5xf32>) {
  // expected-error @+1 {{expected dscores of shape [2, 3, 5], got [3, 5]}}
  amp.attention_grad %dy, %q, %k, %v, %p {scale = 1.0 : f64, acc = f32}
    : (tensor<2x3x6xf32>, tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>, tensor<2x3x5xf32>)
    -> (tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>, tensor<3x5xf32>)
  return
}

// -----

func.func @the_incoming_gradient_is_that_of_the_result(%dy: tensor<2x3x5xf32>, %q: tensor<2x3x8xf32>, %k: tensor<2x5x8xf32>,
    %v: tensor<2x5x6xf32>, %p: tensor<2x3x5xf32>) {
  // expected-error @+1 {{expected a result of shape [2, 3, 6], got [2, 3, 5]}}
  amp.attention_grad %dy, %q, %k, %v, %p {scale = 1.0 : f64, acc = f32}
    : (tensor<2x3x5xf32>, tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>, tensor<2x3x5xf32>)
    -> (tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @the_scale_of_a_gradient_is_finite(%dy: tensor<2x3x6xf32>, %q: tensor<2x3x8xf32>, %k: tensor<2x5x8xf32>,
    %v: tensor<2x5x6xf32>, %p: tensor<2x3x5xf32>) {
  // expected-error @+1 {{expected a finite scale, got NaN}}
  amp.attention_grad %dy, %q, %k, %v, %p {scale = 0x7FF8000000000000 : f64, acc = f32}
    : (tensor<2x3x6xf32>, tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>, tensor<2x3x5xf32>)
    -> (tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>, tensor<2x3x5xf32>)
  return
}

// -----

func.func @sums_of_gradients_are_wide(%dy: tensor<2x3x6xf32>, %q: tensor<2x3x8xf32>, %k: tensor<2x5x8xf32>,
    %v: tensor<2x5x6xf32>, %p: tensor<2x3x5xf32>) {
  // expected-error @+1 {{expected a float accumulator, got 'i64'}}
  amp.attention_grad %dy, %q, %k, %v, %p {scale = 1.0 : f64, acc = i64}
    : (tensor<2x3x6xf32>, tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>, tensor<2x3x5xf32>)
    -> (tensor<2x3x8xf32>, tensor<2x5x8xf32>, tensor<2x5x6xf32>, tensor<2x3x5xf32>)
  return
}
