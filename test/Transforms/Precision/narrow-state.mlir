// RUN: amp-opt %s --split-input-file --amp-narrow-state="master=none" | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: amp-opt %s --split-input-file --amp-narrow-state="master=bf16+residual" | FileCheck %s --check-prefixes=CHECK,SPLIT
// RUN: amp-opt %s --split-input-file --amp-narrow-state="moments=bf16" | FileCheck %s --check-prefixes=CHECK,MOMENTS
// RUN: amp-opt %s --split-input-file --amp-narrow-state="master=none stochastic-rounding" | FileCheck %s --check-prefixes=CHECK,DRAW

// The weight is read in bf16, the bias in float32: without master both are
// stored low and the bias is widened; a residual is for the weight alone.
// Initial values are rounded to nearest even, those of a split away from zero:
// 1.00390625 is half way between 1 and 1.0078125.
module attributes {amp.precision = bf16} {
  // NONE: amp.variable @w : tensor<2x2xbf16> kind parameter init dense<1.000000e+00> : tensor<2x2xbf16> {amp.rounded = {elements = 1 : i64, worst = 0.00389{{[0-9]+}} : f64}, trained}
  // NONE: amp.variable @b : tensor<2xbf16> kind parameter init dense<[1.000000e+00, -2.000000e+00]> : tensor<2xbf16> {amp.rounded = {elements = 0 : i64, worst = 0.000000e+00 : f64}, trained}
  // NONE: amp.variable @m : tensor<2x2xf32>
  // SPLIT: amp.variable @w : tensor<2x2xbf16> kind parameter init dense<1.007810e+00> : tensor<2x2xbf16> {amp.residual = @w.residual, trained}
  // SPLIT-NEXT: amp.variable @w.residual : tensor<2x2xi16> kind moment init dense<-32768> : tensor<2x2xi16>
  // SPLIT: amp.variable @b : tensor<2xf32>
  // MOMENTS: amp.variable @w : tensor<2x2xf32>
  // MOMENTS: amp.variable @m : tensor<2x2xbf16> kind moment init dense<0.000000e+00> : tensor<bf16>
  amp.variable @w : tensor<2x2xf32> kind parameter init dense<1.00390625> : tensor<2x2xf32> {trained}
  amp.variable @b : tensor<2xf32> kind parameter init dense<[1.0, -2.0]> : tensor<2xf32> {trained}
  amp.variable @m : tensor<2x2xf32> kind moment init dense<0.0> : tensor<f32>
  amp.variable @amp.rng : tensor<2xi64> kind rng init dense<[0, 1]> : tensor<2xi64>

  // CHECK-LABEL: func.func @train_step
  func.func @train_step(%g: tensor<2x2xf32>, %gb: tensor<2xf32>, %s: tensor<f32>,
      %ok: tensor<i1>, %n: tensor<i64>) -> (tensor<2x2xbf16>, tensor<2xf32>) {
    // NONE: %[[W:.*]] = amp.read @w : tensor<2x2xbf16>
    // NONE: %[[B:.*]] = amp.read @b : tensor<2xbf16>
    // NONE: %[[WIDE:.*]] = amp.cast %[[B]] : (tensor<2xbf16>) -> tensor<2xf32>
    // NONE: amp.relu %[[WIDE]]
    // NONE: amp.transpose %[[W]]
    // NONE: amp.optimizer_step %[[W]], {{.*}} -> (tensor<2x2xbf16>, tensor<2x2xf32>)
    // NONE: amp.optimizer_step %[[B]], {{.*}} -> tensor<2xbf16>
    // NONE: amp.write @w, {{.*}} : tensor<2x2xbf16>
    // SPLIT: %[[W:.*]] = amp.read @w : tensor<2x2xbf16>
    // SPLIT: %[[REST:.*]] = amp.read @w.residual : tensor<2x2xi16>
    // SPLIT: amp.read @b : tensor<2xf32>
    // SPLIT: amp.transpose %[[W]]
    // SPLIT: %[[NEW:.*]], %[[STATES:.*]]:2 = amp.optimizer_step %[[W]], {{.*}} states({{.*}}, %[[REST]]) {{.*}} -> (tensor<2x2xbf16>, tensor<2x2xf32>, tensor<2x2xi16>)
    // SPLIT: amp.write @w, %[[NEW]] : tensor<2x2xbf16>
    // SPLIT: amp.write @w.residual, %[[STATES]]#1 : tensor<2x2xi16>
    // MOMENTS: %[[M:.*]] = amp.read @m : tensor<2x2xbf16>
    // MOMENTS: amp.optimizer_step {{.*}} states(%[[M]]) {{.*}} -> (tensor<2x2xf32>, tensor<2x2xbf16>)
    // MOMENTS: amp.write @m, {{.*}} : tensor<2x2xbf16>
    // DRAW: %[[RNG:.*]] = amp.read @amp.rng : tensor<2xi64>
    // DRAW: amp.optimizer_step {{.*}} rng %[[RNG]] states
    // DRAW: amp.optimizer_step {{.*}} rng %[[RNG]] {
    %w = amp.read @w : tensor<2x2xf32>
    %b = amp.read @b : tensor<2xf32>
    %m = amp.read @m : tensor<2x2xf32>
    %low = amp.cast %w : (tensor<2x2xf32>) -> tensor<2x2xbf16>
    %r = amp.relu %b : (tensor<2xf32>) -> tensor<2xf32>
    %t = amp.transpose %low {perm = array<i64: 1, 0>} : (tensor<2x2xbf16>) -> tensor<2x2xbf16>
    %p:2 = amp.optimizer_step %w, %g, %s, %s, %s, %s, %ok, %n states(%m) {
        kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>, config = {momentum = 0.9},
        resultSegmentSizes = array<i32: 1, 1, 0>}
      : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
         tensor<f32>, tensor<i1>, tensor<i64>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>)
    %q = amp.optimizer_step %b, %gb, %s, %s, %s, %s, %ok, %n {
        kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>, config = {},
        resultSegmentSizes = array<i32: 1, 0, 0>}
      : (tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>,
         tensor<f32>, tensor<i1>, tensor<i64>) -> tensor<2xf32>
    amp.write @w, %p#0 : tensor<2x2xf32>
    amp.write @m, %p#1 : tensor<2x2xf32>
    amp.write @b, %q : tensor<2xf32>
    return %t, %r : tensor<2x2xbf16>, tensor<2xf32>
  }
}

// -----

// What batch norms scale with stays float32, and so does what is not trained.
module attributes {amp.precision = bf16} {
  // NONE: amp.variable @scale : tensor<2xf32>
  // NONE: amp.variable @frozen : tensor<2xf32>
  // NONE: amp.variable @free : tensor<2xbf16>
  amp.variable @scale : tensor<2xf32> kind parameter init dense<1.1> : tensor<f32> {trained}
  amp.variable @frozen : tensor<2xf32> kind parameter init dense<1.1> : tensor<f32>
  amp.variable @free : tensor<2xf32> kind parameter init dense<1.1> : tensor<f32> {trained}
  // CHECK-LABEL: func.func @batch_norms_stay
  func.func @batch_norms_stay(%x: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<2xf32>) {
    %scale = amp.read @scale : tensor<2xf32>
    %frozen = amp.read @frozen : tensor<2xf32>
    %free = amp.read @free : tensor<2xf32>
    %y = amp.batch_norm_inference %x, %scale, %frozen, %frozen, %frozen {epsilon = 1.0e-5 : f64}
      : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
    return %y, %free : tensor<4x2xf32>, tensor<2xf32>
  }
}

// -----

// A product adds its bias in float32 from whatever storage: nothing to widen.
module attributes {amp.precision = bf16} {
  amp.variable @bias : tensor<2xf32> kind parameter init dense<1.1> : tensor<f32> {trained}
  // CHECK-LABEL: func.func @a_bias_is_read_as_it_is_stored
  func.func @a_bias_is_read_as_it_is_stored(%x: tensor<4x3xbf16>, %w: tensor<3x2xbf16>) -> tensor<4x2xbf16> {
    // NONE: %[[B:.*]] = amp.read @bias : tensor<2xbf16>
    // NONE-NEXT: amp.matmul {{.*}} bias %[[B]]
    %b = amp.read @bias : tensor<2xf32>
    %y = amp.matmul %x, %w bias %b {acc = f32} : (tensor<4x3xbf16>, tensor<3x2xbf16>, tensor<2xf32>) -> tensor<4x2xbf16>
    return %y : tensor<4x2xbf16>
  }
}
