// RUN: amp-opt --amp-kernels-to-cpu %s | FileCheck %s

// A bias of one row is loaded per vector; rows are the units. The end of a row
// of 37 = 32 + 4 + 1 columns is one vector made of parts.

// CHECK:       amp.kernel @bias
// CHECK-SAME:    scratch_bytes = 0 : i64
// CHECK-SAME:    unit_bytes = {{[0-9]+}} : i64
// CHECK-SAME:    units = 8 : i64
amp.kernel @bias {
^bb0(%x: tensor<8x37xbf16>, %b: tensor<37xf32>):
  %s = amp.add %x, %b : (tensor<8x37xbf16>, tensor<37xf32>) -> tensor<8x37xf32>
  %y = amp.relu %s : (tensor<8x37xf32>) -> tensor<8x37xf32>
  amp.yield %y : tensor<8x37xf32>
}
// CHECK:       module attributes {amp.code = "cpu", amp.kernel = "bias"}
// CHECK:         llvm.func internal @bias.body(
// CHECK-SAME:      %{{[a-z0-9]+}}: !llvm.ptr {llvm.noalias}, %{{[a-z0-9]+}}: !llvm.ptr {llvm.noalias}, %{{[a-z0-9]+}}: !llvm.ptr {llvm.noalias}, %[[BEGIN:[a-z0-9]+]]: i64, %[[END:[a-z0-9]+]]: i64
// CHECK:           scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
// CHECK:             scf.for
// CHECK:               llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr -> vector<16xi16>
// CHECK-NEXT:          arith.extui
// CHECK-NEXT:          arith.shli
// CHECK-NEXT:          arith.bitcast %{{.*}} : vector<16xi32> to vector<16xf32>
// CHECK:               llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK:               arith.addf %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK-NOT:           fastmath
// CHECK:               llvm.store %{{.*}} {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
// CHECK:             llvm.load %{{.*}} : !llvm.ptr -> vector<4xi16>
// CHECK:             llvm.load %{{.*}} : !llvm.ptr -> i16
// CHECK:             llvm.store %{{.*}} : vector<4xf32>, !llvm.ptr
// CHECK:             llvm.store %{{.*}} : f32, !llvm.ptr
// CHECK:         llvm.func @bias(%[[ARGS:[a-z0-9]+]]: !llvm.ptr, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: i64, %{{[a-z0-9]+}}: !llvm.ptr)
// CHECK:           llvm.getelementptr %[[ARGS]][2]
// CHECK:           llvm.call @bias.body

// An input and an output of the same size may share memory: no noalias.

// CHECK-LABEL: llvm.func internal @inplace.body(
// CHECK-SAME:    %{{[a-z0-9]+}}: !llvm.ptr, %{{[a-z0-9]+}}: !llvm.ptr, %{{[a-z0-9]+}}: i64
amp.kernel @inplace {
^bb0(%x: tensor<100000xf32>):
  %y = amp.neg %x : (tensor<100000xf32>) -> tensor<100000xf32>
  amp.yield %y : tensor<100000xf32>
}
