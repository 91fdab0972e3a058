// RUN: amp-opt %s --amp-plan-memory --amp-to-schedule --amp-verify-schedule | FileCheck %s

// An initializer may be called as a kernel would be, or as its probe.
amp.variable @k0 : tensor<16xf32> kind parameter
amp.variable @k1.probe : tensor<16xf32> kind parameter

// CHECK-LABEL: amp.entry @names
// CHECK-NEXT: amp.launch kernel "k2"
// CHECK: amp.kernel @k2
// CHECK-NOT: amp.kernel @
func.func @names(%x: tensor<16xf32> {amp.name = "x", amp.role = "input"}) -> (tensor<16xf32> {amp.name = "y", amp.role = "output"}) {
  %0 = amp.region(%x) : (tensor<16xf32>) -> tensor<16xf32> attributes {amp.phase = #amp<phase forward>} {
  ^bb0(%a: tensor<16xf32>):
    %1 = amp.exp %a : (tensor<16xf32>) -> tensor<16xf32>
    amp.yield %1 : tensor<16xf32>
  }
  return %0 : tensor<16xf32>
}
