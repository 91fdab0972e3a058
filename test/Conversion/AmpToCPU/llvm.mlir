// RUN: amp-opt --amp-cpu %s | FileCheck %s

// The pipeline leaves LLVM ops only, and no call of a mathematical function.

// CHECK-LABEL: module attributes {amp.code = "cpu", amp.kernel = "functions"}
// CHECK-NOT:     {{(arith|math|vector|scf|cf)\.}}
// CHECK-NOT:     llvm.intr.{{(exp|log|sin|cos|pow)}}
// CHECK-NOT:     unrealized_conversion_cast
// CHECK:         llvm.func @functions(
amp.kernel @functions {
^bb0(%x: tensor<3x50xf16>, %y: tensor<3x1xf32>):
  %a = amp.exp %x : (tensor<3x50xf16>) -> tensor<3x50xf16>
  %b = amp.log1p %a : (tensor<3x50xf16>) -> tensor<3x50xf16>
  %c = amp.sin %b : (tensor<3x50xf16>) -> tensor<3x50xf16>
  %d = amp.pow %c, %y : (tensor<3x50xf16>, tensor<3x1xf32>) -> tensor<3x50xf16>
  %e = amp.erf %d : (tensor<3x50xf16>) -> tensor<3x50xf16>
  amp.yield %e : tensor<3x50xf16>
}
