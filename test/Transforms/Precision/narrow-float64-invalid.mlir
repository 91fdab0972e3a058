// RUN: amp-opt %s --split-input-file --amp-narrow-float64 --verify-diagnostics

// A finite number does not become inf; an inf stays one.
func.func @too_large() -> tensor<3xf64> {
  // expected-error @below {{'amp.constant' op has 1 of 3 elements that float32 cannot hold}}
  %0 = amp.constant dense<[1.0e300, 1.0, 0x7FF0000000000000]> : tensor<3xf64>
  return %0 : tensor<3xf64>
}

// -----

// expected-error @below {{'amp.variable' op has 2 of 2 elements that float32 cannot hold}}
amp.variable @w : tensor<2xf64> kind parameter init dense<[3.5e38, -1.0e40]> : tensor<2xf64>
