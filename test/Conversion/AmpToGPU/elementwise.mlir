// RUN: amp-opt --amp-kernels-to-nvvm %s | FileCheck %s

// 8 elements of 16 bits a thread; vectors are aligned to their size.

// CHECK:       module attributes {amp.code = "cuda", amp.kernel = "gelu", amp.threads = 1024 : i64}
// CHECK:         llvm.func @gelu(
// CHECK-SAME:      !llvm.ptr<1>
// CHECK-SAME:      nvvm.kernel
// CHECK:           nvvm.read.ptx.sreg.ctaid.x
// CHECK:           nvvm.read.ptx.sreg.ntid.x
// CHECK:           nvvm.read.ptx.sreg.tid.x
// CHECK:           scf.if
// CHECK:             llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
// CHECK:             math.fma %{{.*}} : vector<8xf32>
// CHECK:             llvm.store %{{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
amp.kernel @gelu {
^bb0(%x: tensor<16x512xf16>, %b: tensor<512xf32>):
  %s = amp.add %x, %b : (tensor<16x512xf16>, tensor<512xf32>) -> tensor<16x512xf16>
  %y = amp.gelu %s {form = #amp<gelu_form erf>} : (tensor<16x512xf16>) -> tensor<16x512xf16>
  amp.yield %y : tensor<16x512xf16>
}

// 1002 = 4 * 250 + 2: threads 250 and 251 take an element each.

// CHECK:       module attributes {amp.code = "cuda", amp.kernel = "tail", amp.threads = 252 : i64}
// CHECK:           llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK:           } else {
// CHECK:           llvm.store %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<1>
amp.kernel @tail {
^bb0(%x: tensor<1002xf32>):
  %y = amp.abs %x : (tensor<1002xf32>) -> tensor<1002xf32>
  amp.yield %y : tensor<1002xf32>
}
