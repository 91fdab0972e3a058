// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @shapes_do_not_broadcast(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error @+1 {{expected operands that broadcast, got shapes [2, 3] and [2]}}
  amp.add %x, %y : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @result_is_not_the_joint_shape(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected a result of shape [3], got [2, 3]}}
  amp.add %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @unary_keeps_its_shape(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected a result of shape [3], got [4]}}
  amp.exp %x : (tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @floats_and_integers_do_not_mix(%x: tensor<3xf32>, %y: tensor<3xi64>) {
  // expected-error @+1 {{expected equal element types or floats only, got 'i64' and 'f32'}}
  amp.add %x, %y : (tensor<3xf32>, tensor<3xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @integers_of_two_widths_do_not_mix(%x: tensor<3xi32>, %y: tensor<3xi64>) {
  // expected-error @+1 {{expected equal element types or floats only, got 'i32' and 'i64'}}
  amp.mul %x, %y : (tensor<3xi32>, tensor<3xi64>) -> tensor<3xi64>
  return
}

// -----

func.func @relu_of_integers(%x: tensor<3xi64>) {
  // expected-error @+1 {{expected float elements, got 'i64'}}
  amp.relu %x : (tensor<3xi64>) -> tensor<3xi64>
  return
}

// -----

func.func @exp_of_integers(%x: tensor<3xi64>) {
  // expected-error @+1 {{expected float elements, got 'i64'}}
  amp.exp %x : (tensor<3xi64>) -> tensor<3xi64>
  return
}

// -----

func.func @sqrt_of_truth_values(%x: tensor<3xi1>) {
  // expected-error @+1 {{expected float elements, got 'i1'}}
  amp.sqrt %x : (tensor<3xi1>) -> tensor<3xi1>
  return
}

// -----

func.func @sum_of_truth_values(%x: tensor<3xi1>) {
  // expected-error @+1 {{expected numbers, got i1 elements}}
  amp.add %x, %x : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  return
}

// -----

func.func @and_of_integers(%x: tensor<3xi64>) {
  // expected-error @+1 {{expected i1 elements, got 'i64'}}
  amp.and %x, %x : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  return
}

// -----

func.func @not_of_a_float(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected i1 elements, got 'f32'}}
  amp.not %x : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @xor_of_a_float_with_i1_result(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected equal element types or floats only, got 'f32' and 'i1'}}
  amp.xor %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  return
}

// -----

func.func @compare_of_two_classes(%x: tensor<3xf32>, %y: tensor<3xi64>) {
  // expected-error @+1 {{expected equal element types or floats only, got 'f32' and 'i64'}}
  amp.compare %x, %y {predicate = #amp<predicate eq>}
    : (tensor<3xf32>, tensor<3xi64>) -> tensor<3xi1>
  return
}

// -----

func.func @compare_gives_truth_values(%x: tensor<3xf32>) {
  // expected-error @+1 {{result #0 must be statically shaped tensor of 1-bit signless integer values}}
  amp.compare %x, %x {predicate = #amp<predicate eq>}
    : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @select_of_two_classes(%c: tensor<3xi1>, %x: tensor<3xf32>, %y: tensor<3xi64>) {
  // expected-error @+1 {{expected equal element types or floats only, got 'f32' and 'i64'}}
  amp.select %c, %x, %y
    : (tensor<3xi1>, tensor<3xf32>, tensor<3xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @select_result_of_another_class(%c: tensor<3xi1>, %x: tensor<3xf32>) {
  // expected-error @+1 {{expected equal element types or floats only, got 'f32' and 'i64'}}
  amp.select %c, %x, %x
    : (tensor<3xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xi64>
  return
}

// -----

func.func @select_condition_is_i1(%c: tensor<3xi8>, %x: tensor<3xf32>) {
  // expected-error @+1 {{operand #0 must be statically shaped tensor of 1-bit signless integer values}}
  amp.select %c, %x, %x
    : (tensor<3xi8>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @dynamic_shapes_are_refused(%x: tensor<?xf32>) {
  // expected-error @+1 {{operand #0 must be statically shaped tensor}}
  amp.exp %x : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @fan_in_terms_have_one_shape(%x: tensor<4xf32>, %y: tensor<1xf32>) {
  // expected-error @+1 {{expected a term of shape [4], got [1]}}
  amp.fan_in_sum %x, %y {acc = f32}
    : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @fan_in_needs_a_term() {
  // expected-error @+1 {{expected at least one operand}}
  amp.fan_in_sum {acc = f32} : () -> tensor<4xf32>
  return
}

// -----

func.func @fan_in_accumulates_in_float32(%x: tensor<4xbf16>) {
  // expected-error @+1 {{expected an accumulator of at least 32 bits, got 'bf16'; less needs the attribute amp.low_accumulation}}
  amp.fan_in_sum %x, %x {acc = bf16}
    : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  return
}

// -----

func.func @low_accumulation_can_be_asked_for(%x: tensor<4xbf16>) {
  amp.fan_in_sum %x, %x {acc = bf16, amp.low_accumulation}
    : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  return
}

// -----

func.func @iota_axis_is_in_range() {
  // expected-error @+1 {{expected an axis in [0, 2), got 2}}
  amp.iota {axis = 2 : i64} : tensor<2x3xi64>
  return
}

// -----

func.func @iota_axis_is_not_negative() {
  // expected-error @+1 {{expected an axis in [0, 2), got -1}}
  amp.iota {axis = -1 : i64} : tensor<2x3xi64>
  return
}

// -----

func.func @constants_are_dense() {
  // expected-error @+1 {{expected a dense or dense_resource value}}
  amp.constant sparse<[[0]], [1.0]> : tensor<4xf32>
  return
}
