// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @arguments(%x: tensor<3xf32>) {
  // expected-error @below {{expected a block argument of the type of each operand}}
  %dx = amp.gradient(%x) : (tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: tensor<4xf32>):
    amp.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @results(%x: tensor<3xf32>) {
  // expected-error @below {{expected a result of the type of each operand}}
  %dx = amp.gradient(%x) : (tensor<3xf32>) -> tensor<3xf64> {
  ^bb0(%a: tensor<3xf32>):
    amp.yield %a : tensor<3xf32>
  }
  return
}

// -----

func.func @several(%x: tensor<3xf32>) {
  // expected-error @below {{expected amp.yield of one value at the end}}
  %dx = amp.gradient(%x) : (tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>):
    amp.yield %a, %a : tensor<3xf32>, tensor<3xf32>
  }
  return
}

// -----

func.func @integers(%x: tensor<3xf32>) {
  // expected-error @below {{expected to yield floats, got 'tensor<3xi64>'}}
  %dx = amp.gradient(%x) : (tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>):
    %y = amp.cast %a : (tensor<3xf32>) -> tensor<3xi64>
    amp.yield %y : tensor<3xi64>
  }
  return
}
