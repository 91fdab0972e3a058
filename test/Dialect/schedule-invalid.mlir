// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @region_arguments_are_its_inputs(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected block arguments with the elements of the inputs, row-major}}
  amp.region (%x) : (tensor<4xf32>) -> tensor<4xf16> {
  ^bb0(%a: tensor<4xf16>):
    amp.yield %a : tensor<4xf16>
  }
  return
}

// -----

func.func @region_results_are_what_it_yields(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected yielded values with the elements of the results, row-major}}
  amp.region (%x) : (tensor<4xf32>) -> tensor<4xf16> {
  ^bb0(%a: tensor<4xf32>):
    amp.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @region_sees_only_its_inputs(%x: tensor<4xf32>) {
  // expected-note @+1 {{required by region isolation constraints}}
  amp.region () : () -> tensor<4xf32> {
    // expected-error @+1 {{using value defined outside the region}}
    amp.yield %x : tensor<4xf32>
  }
  return
}

// -----

func.func @yield_is_inside_a_region(%x: tensor<4xf32>) {
  // expected-error @+1 {{expects parent op to be one of 'amp.region, amp.kernel, amp.gradient'}}
  amp.yield %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected argument 0 to be {name = string, role = string, type = tensor type}, got {name = "x"}}}
amp.entry @argument_is_described arguments [{name = "x"}] results [] arena 0 bound 0 {
}

// -----

// expected-error @+1 {{expected result 0 to be {name = string, role = string, type = tensor type}, got 3 : i64}}
amp.entry @result_is_described arguments [] results [3] arena 0 bound 0 {
}

// -----

// expected-error @+1 {{expected sizes of at least 0 bytes, got -1 and 0}}
amp.entry @arena_has_a_size arguments [] results [] arena -1 bound 0 {
}

// -----

amp.entry @entry_holds_launches arguments [] results [] arena 0 bound 0 {
  // expected-error @+1 {{expected only amp.launch inside amp.entry}}
  amp.constant dense<0.0> : tensor<f32>
}

// -----

amp.entry @buffers_are_buffers arguments [] results [] arena 0 bound 0 {
  // expected-error @+1 {{expected buffer 0 to be an #amp.buffer, got 5 : i64}}
  amp.launch builtin "copy" [5] outputs 0 phase forward
}

// -----

amp.entry @outputs_are_buffers arguments [] results [] arena 0 bound 0 {
  // expected-error @+1 {{expected at most as many outputs as buffers (1), got 2}}
  amp.launch builtin "copy" [#amp.buffer<arena, -1, 0, tensor<4xf32>, []>]
    outputs 2 phase forward
}

// -----

amp.entry @offsets_are_not_negative arguments [] results [] arena 0 bound 0 {
  // expected-error @+1 {{expected buffer 0 at an offset of at least 0, got -4}}
  amp.launch builtin "copy" [#amp.buffer<arena, -1, -4, tensor<4xf32>, []>]
    outputs 0 phase forward
}

// -----

amp.entry @one_stride_per_dimension arguments [] results [] arena 0 bound 0 {
  // expected-error @+1 {{expected buffer 0 to have no strides or 2, got 1}}
  amp.launch builtin "copy" [#amp.buffer<arena, -1, 0, tensor<4x4xf32>, [1]>]
    outputs 0 phase forward
}

// -----

func.func @launch_is_inside_an_entry() {
  // expected-error @+1 {{expects parent op 'amp.entry'}}
  amp.launch builtin "copy" [] outputs 0 phase forward
  return
}
