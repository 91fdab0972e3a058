// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @cast_keeps_the_shape(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a result of shape [4], got [2, 4]}}
  amp.cast %x : (tensor<4xf32>) -> tensor<2x4xf16>
  return
}

// -----

func.func @cast_keeps_the_layout(%x: tensor<1x2x3x4xf32>) {
  // expected-error @+1 {{expected equal layouts of operand and result; amp.relayout changes a layout}}
  amp.cast %x : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf16, #amp.channels_last>
  return
}
