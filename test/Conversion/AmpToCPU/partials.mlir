// RUN: amp-opt --amp-kernels-to-cpu %s | FileCheck %s

// A unit is a chunk of 32 rows; its partial sums begin at zero.

// CHECK:       amp.kernel @bias_gradient attributes
// CHECK-SAME:    units = 3 : i64
// CHECK-LABEL: llvm.func internal @bias_gradient.body
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             llvm.store %{{.*}} : vector<16xf32>, !llvm.ptr
// CHECK:           arith.minsi
// CHECK:           scf.for
// CHECK:             llvm.load %{{.*}} : !llvm.ptr -> vector<16xi16>
// CHECK:             %[[SUM:.*]] = llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK:             arith.addf %[[SUM]], %{{.*}} : vector<16xf32>
// CHECK:             llvm.store %{{.*}} : vector<16xf32>, !llvm.ptr
amp.kernel @bias_gradient {
^bb0(%x: tensor<70x48xbf16>):
  %p = amp.column_partials %x {chunk = 32 : i64, acc = f32} : (tensor<70x48xbf16>) -> tensor<3x48xf32>
  amp.yield %p : tensor<3x48xf32>
}
