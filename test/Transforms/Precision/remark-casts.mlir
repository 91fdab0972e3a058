// RUN: amp-opt %s --amp-remark-casts --remarks-filter=cast -o %t.mlir 2>&1 | FileCheck %s
// RUN: amp-opt %s | diff %t.mlir -

// A launch that only casts says what it moves and why; a cast in a kernel that
// does something else says what it spares.
// CHECK: [Missed] standalone-cast | Category:cast | Function=casts | Bytes=192, Node=in, Place="graph input", Reason="the data has this type, and a library routine reads it", Types="f32 to f16"
// CHECK: [Passed] fused-cast | Category:cast | Function=casts | Node=act,
// CHECK-SAME: Spared=192, Types="f32 to f16"
// CHECK-NOT: Category:cast
func.func @casts(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> (tensor<8x4xf16>, tensor<8x4xf16>) {
  %0 = amp.region(%x) : (tensor<8x4xf32>) -> tensor<8x4xf16> {
  ^bb0(%a: tensor<8x4xf32>):
    %1 = amp.cast %a : (tensor<8x4xf32>) -> tensor<8x4xf16> loc("in")
    amp.yield %1 : tensor<8x4xf16>
  } loc("in")
  %2 = amp.region(%y) : (tensor<8x4xf32>) -> tensor<8x4xf16> {
  ^bb0(%a: tensor<8x4xf32>):
    %3 = amp.exp %a : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %4 = amp.cast %3 : (tensor<8x4xf32>) -> tensor<8x4xf16> loc("act")
    amp.yield %4 : tensor<8x4xf16>
  }
  return %0, %2 : tensor<8x4xf16>, tensor<8x4xf16>
}
