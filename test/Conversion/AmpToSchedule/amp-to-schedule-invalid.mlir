// RUN: amp-opt %s --split-input-file --amp-to-schedule --verify-diagnostics

// expected-error @below {{has no memory plan; run amp-plan-memory}}
func.func @no_plan() {
  return
}

// -----

func.func @outside_of_regions(%x: tensor<4xf32>) -> tensor<4xf32> attributes {amp.arena = 0 : i64} {
  // expected-error @below {{'amp.exp' op has no launch on any device; it should have joined a region or been folded}}
  %0 = amp.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @backwards(%x: tensor<4xf32>) -> tensor<4xf32> attributes {amp.arena = 0 : i64} {
  // expected-error @below {{'amp.slice' op walks backwards; launches take non-negative strides}}
  %0 = amp.slice %x {starts = array<i64: 3>, steps = array<i64: -1>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @backwards_copy(%x: tensor<4xf32>) -> tensor<4xf32> attributes {amp.arena = 0 : i64} {
  // expected-error @below {{'amp.strided_copy' op walks backwards}}
  %0 = amp.strided_copy %x {offset = 3 : i64, strides = array<i64: -1>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @eight_bit(%x: tensor<4x4xf8E4M3FN>, %s: tensor<f32>, %a: tensor<16xf32>) -> tensor<4x4xf32> attributes {amp.arena = 0 : i64} {
  // expected-error @below {{'amp.matmul' op has 8-bit scales; no device that is built runs 8-bit products}}
  %0 = amp.matmul %x, %x scale(%s, %s) amax(%a, %a) {acc = f32} : (tensor<4x4xf8E4M3FN>, tensor<4x4xf8E4M3FN>, tensor<f32>, tensor<f32>, tensor<16xf32>, tensor<16xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @double(%x: tensor<4x4xf64>) -> tensor<4x4xf64> attributes {amp.arena = 0 : i64} {
  // expected-error @below {{'amp.matmul' op has an operand of type 'tensor<4x4xf64>'; contractions and pooling run in f32, bf16 and f16}}
  %0 = amp.matmul %x, %x {acc = f64} : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  return %0 : tensor<4x4xf64>
}
