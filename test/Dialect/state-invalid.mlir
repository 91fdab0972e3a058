// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @read_needs_a_variable() {
  // expected-error @+1 {{expected a variable named @weight}}
  amp.read @weight : tensor<4xf32>
  return
}

// -----

func.func private @weight()
func.func @a_function_is_not_a_variable() {
  // expected-error @+1 {{expected a variable named @weight}}
  amp.read @weight : tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{the variable is declared here}}
amp.variable @weight : tensor<4xf32> kind parameter
func.func @read_has_the_type_of_the_variable() {
  // expected-error @+1 {{expected the type of the variable, 'tensor<4xf32>', got 'tensor<4xbf16>'}}
  amp.read @weight : tensor<4xbf16>
  return
}

// -----

// expected-note @+1 {{the variable is declared here}}
amp.variable @weight : tensor<4xf32> kind parameter
func.func @write_has_the_type_of_the_variable(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected the type of the variable, 'tensor<4xf32>', got 'tensor<2xf32>'}}
  amp.write @weight, %x : tensor<2xf32>
  return
}

// -----

func.func @write_needs_a_variable(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected a variable named @weight}}
  amp.write @weight, %x : tensor<2xf32>
  return
}

// -----

// expected-error @+1 {{expected a static tensor type of numbers, got 'tensor<?xf32>'}}
amp.variable @dynamic : tensor<?xf32> kind buffer

// -----

// expected-error @+1 {{expected a static tensor type of numbers, got 'f32'}}
amp.variable @no_tensor : f32 kind buffer

// -----

// expected-error @+1 {{expected an initial value of type 'tensor<4xf32>' or a scalar of its element type, got 'tensor<2xf32>'}}
amp.variable @other_shape : tensor<4xf32> kind buffer init dense<[1.0, 2.0]> : tensor<2xf32>

// -----

// expected-error @+1 {{expected an initial value of type 'tensor<4xf32>' or a scalar of its element type, got 'tensor<i64>'}}
amp.variable @other_fill : tensor<4xf32> kind buffer init dense<1> : tensor<i64>

// -----

// expected-error @+1 {{expected kind parameter for a trained variable, got buffer}}
amp.variable @trained_buffer : tensor<4xf32> kind buffer {trained}

// -----

// expected-error @+1 {{expected float elements of a trained variable, got 'i64'}}
amp.variable @trained_integers : tensor<4xi64> kind parameter {trained}

// -----

// expected-error @+1 {{expected shadow_of on variables of kind shadow, and only there, got kind shadow}}
amp.variable @shadow_of_nothing : tensor<4xbf16> kind shadow

// -----

amp.variable @weight : tensor<4xf32> kind parameter
// expected-error @+1 {{expected shadow_of on variables of kind shadow, and only there, got kind buffer}}
amp.variable @not_a_shadow : tensor<4xbf16> kind buffer {shadow_of = @weight}

// -----

// expected-error @+1 {{expected a variable named @weight}}
amp.variable @lost_shadow : tensor<4xbf16> kind shadow {shadow_of = @weight}

// -----

amp.variable @weight : tensor<4xf32> kind parameter
// expected-error @+1 {{expected a shadow of at least 4 elements, got 3}}
amp.variable @short_shadow : tensor<3xbf16> kind shadow {shadow_of = @weight}
