// RUN: amp-opt %s --split-input-file --amp-verify-schedule --verify-diagnostics

// expected-error @below {{'func.func' op is left; expected only variables, kernels and entries}}
func.func @left() {
  return
}

// -----

amp.entry @no_kernel arguments [] results [] arena 64 bound 64 {
  // expected-error @below {{names kernel 'k0', which is not in the module}}
  amp.launch kernel "k0" [#amp.buffer<arena, -1, 0, tensor<16xf32>, []>] outputs 1 phase forward
}

// -----

amp.entry @outside_arena arguments [] results [] arena 64 bound 64 {
  // expected-error @below {{has a buffer outside its arena of 64 bytes}}
  amp.launch builtin "fill" [#amp.buffer<arena, -1, 64, tensor<16xf32>, []>] outputs 1 phase forward
}

// -----

amp.entry @too_large arguments [] results [] arena 64 bound 64 {
  amp.launch builtin "fill" [#amp.buffer<arena, -1, 0, tensor<16xf32>, []>] outputs 1 phase forward
  // expected-error @below {{has a buffer outside its arena of 64 bytes}}
  amp.launch builtin "fill" [#amp.buffer<arena, -1, 0, tensor<17xf32>, []>] outputs 1 phase forward
}

// -----

// The last element counts, not the number of elements.
amp.entry @strides arguments [] results [] arena 64 bound 64 {
  amp.launch builtin "fill" [#amp.buffer<arena, -1, 0, tensor<8xf32>, [2]>] outputs 1 phase forward
  // expected-error @below {{has a buffer outside its arena of 64 bytes}}
  amp.launch builtin "fill" [#amp.buffer<arena, -1, 8, tensor<8xf32>, [2]>] outputs 1 phase forward
}

// -----

amp.variable @w : tensor<4xf32> kind buffer
amp.entry @outside_variable arguments [] results [] arena 0 bound 0 {
  // expected-error @below {{has a buffer outside its variable of 16 bytes}}
  amp.launch builtin "fill" [#amp.buffer<variable, 0, 0, tensor<5xf32>, []>] outputs 1 phase forward
}

// -----

amp.variable @w : tensor<4xf32> kind buffer
amp.entry @no_variable arguments [] results [] arena 0 bound 0 {
  // expected-error @below {{has a buffer in variable 1, which does not exist}}
  amp.launch builtin "fill" [#amp.buffer<variable, 1, 0, tensor<4xf32>, []>] outputs 1 phase forward
}

// -----

amp.entry @no_argument arguments [] results [{name = "y", role = "output", type = tensor<4xf32>}] arena 0 bound 0 {
  // expected-error @below {{has a buffer in argument 0, which does not exist}}
  amp.launch builtin "copy" [#amp.buffer<argument, 0, 0, tensor<4xf32>, []>, #amp.buffer<result, 0, 0, tensor<4xf32>, []>] outputs 1 phase forward
}

// -----

amp.entry @outside_result arguments [{name = "x", role = "input", type = tensor<4xf32>}] results [{name = "y", role = "output", type = tensor<4xf32>}] arena 0 bound 0 {
  // expected-error @below {{has a buffer outside its result of 16 bytes}}
  amp.launch builtin "copy" [#amp.buffer<argument, 0, 0, tensor<4xf32>, []>, #amp.buffer<result, 0, 4, tensor<4xf32>, []>] outputs 1 phase forward
}

// -----

module attributes {amp.constants = [dense<[1.0, 2.0]> : tensor<2xf32>]} {
  amp.entry @no_constant arguments [] results [] arena 0 bound 0 {
    amp.launch builtin "copy" [#amp.buffer<constant, 0, 0, tensor<2xf32>, []>] outputs 0 phase forward
    // expected-error @below {{has a buffer in constant 1, which does not exist}}
    amp.launch builtin "copy" [#amp.buffer<constant, 1, 0, tensor<2xf32>, []>] outputs 0 phase forward
  }
}
