// RUN: amp-opt %s --split-input-file --amp-verify-plan --verify-diagnostics

// expected-error @below {{has no memory plan; run amp-plan-memory}}
func.func @no_plan(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = amp.exp %x : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

func.func @no_place(%x: tensor<16xf32>) -> tensor<16xf32> attributes {amp.arena = 64 : i64} {
  // expected-error @below {{'amp.exp' op result 0 has no place in the arena}}
  %0 = amp.exp %x : (tensor<16xf32>) -> tensor<16xf32>
  %1 = amp.neg %0 : (tensor<16xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// -----

func.func @negative_place(%x: tensor<16xf32>) -> tensor<16xf32> attributes {amp.arena = 64 : i64} {
  // expected-error @below {{result 0 has no place in the arena}}
  %0 = amp.exp %x {amp.offsets = array<i64: -1>} : (tensor<16xf32>) -> tensor<16xf32>
  %1 = amp.neg %0 : (tensor<16xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// -----

func.func @not_aligned(%x: tensor<16xf32>) -> tensor<16xf32> attributes {amp.arena = 128 : i64} {
  // expected-error @below {{result 0 is not aligned to 64 bytes}}
  %0 = amp.exp %x {amp.offsets = array<i64: 4>} : (tensor<16xf32>) -> tensor<16xf32>
  %1 = amp.neg %0 : (tensor<16xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// -----

func.func @beyond_the_arena(%x: tensor<17xf32>) -> tensor<17xf32> attributes {amp.arena = 64 : i64} {
  // expected-error @below {{result 0 reaches beyond the arena}}
  %0 = amp.exp %x {amp.offsets = array<i64: 0>} : (tensor<17xf32>) -> tensor<17xf32>
  %1 = amp.neg %0 : (tensor<17xf32>) -> tensor<17xf32>
  return %1 : tensor<17xf32>
}

// -----

func.func @overlap(%x: tensor<32xf32>) -> tensor<32xf32> attributes {amp.arena = 256 : i64} {
  // expected-note @below {{made here}}
  %0 = amp.exp %x {amp.offsets = array<i64: 0>} : (tensor<32xf32>) -> tensor<32xf32>
  // expected-error @below {{'amp.neg' op overlaps a buffer that is still in use}}
  %1 = amp.neg %x {amp.offsets = array<i64: 64>} : (tensor<32xf32>) -> tensor<32xf32>
  %2 = amp.mul %0, %1 : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  return %2 : tensor<32xf32>
}

// -----

// An op must not write where it reads.
func.func @overlap_of_operand_and_result(%x: tensor<16xf32>) -> tensor<16xf32> attributes {amp.arena = 64 : i64} {
  // expected-note @below {{made here}}
  %0 = amp.exp %x {amp.offsets = array<i64: 0>} : (tensor<16xf32>) -> tensor<16xf32>
  // expected-error @below {{overlaps a buffer that is still in use}}
  %1 = amp.neg %0 {amp.offsets = array<i64: 0>} : (tensor<16xf32>) -> tensor<16xf32>
  %2 = amp.relu %1 : (tensor<16xf32>) -> tensor<16xf32>
  return %2 : tensor<16xf32>
}

// -----

amp.variable @a : tensor<16xf32> kind parameter
func.func @read_after_update(%g: tensor<16xf32>, %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) -> tensor<16xf32> attributes {amp.arena = 0 : i64} {
  %a = amp.read @a : tensor<16xf32>
  // expected-note @below {{replaced here}}
  %p = amp.optimizer_step %a, %g, %s, %s, %s, %s, %ok, %n {kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>, config = {}, resultSegmentSizes = array<i32: 1, 0, 0>} : (tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<i64>) -> tensor<16xf32>
  // expected-error @below {{'amp.exp' op reads a buffer after its content was replaced}}
  %0 = amp.exp %a : (tensor<16xf32>) -> tensor<16xf32>
  amp.write @a, %p : tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// Two variables cannot be exchanged by two copies.
amp.variable @a : tensor<16xf32> kind buffer
amp.variable @b : tensor<16xf32> kind buffer
func.func @exchange() attributes {amp.arena = 0 : i64} {
  %a = amp.read @a : tensor<16xf32>
  %b = amp.read @b : tensor<16xf32>
  // expected-note @below {{replaced here}}
  amp.write @a, %b : tensor<16xf32>
  // expected-error @below {{'amp.write' op reads a buffer after its content was replaced}}
  amp.write @b, %a : tensor<16xf32>
  return
}

// -----

// What was updated is read from the result of the update; the old value may
// leave the function.
amp.variable @a : tensor<16xf32> kind parameter
func.func @good(%g: tensor<16xf32>, %s: tensor<f32>, %ok: tensor<i1>, %n: tensor<i64>) -> (tensor<16xf32>, tensor<16xf32>) attributes {amp.arena = 0 : i64} {
  %a = amp.read @a : tensor<16xf32>
  %p = amp.optimizer_step %a, %g, %s, %s, %s, %s, %ok, %n {kind = #amp<optimizer sgd>, clip_mode = #amp<clip none>, config = {}, resultSegmentSizes = array<i32: 1, 0, 0>} : (tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<i64>) -> tensor<16xf32>
  %0 = amp.exp %p : (tensor<16xf32>) -> tensor<16xf32>
  amp.write @a, %p : tensor<16xf32>
  return %0, %a : tensor<16xf32>, tensor<16xf32>
}
