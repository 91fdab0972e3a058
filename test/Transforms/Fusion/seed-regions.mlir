// RUN: amp-opt %s --amp-seed-regions | FileCheck %s

// One op, its operands as they come; the decision stays outside.
// CHECK-LABEL: func.func @elementwise(
// CHECK-NEXT: [[R:%[0-9]+]] = amp.region(%arg0, %arg1) : (tensor<8x4xbf16>, tensor<4xf32>) -> tensor<8x4xbf16> attributes {amp.phase = #amp<phase forward>} {
// CHECK-NEXT: ^bb0([[A:%[a-z0-9]+]]: tensor<8x4xbf16>, [[B:%[a-z0-9]+]]: tensor<4xf32>):
// CHECK-NEXT: [[S:%[0-9]+]] = amp.add [[A]], [[B]] {amp.phase = #amp<phase forward>} : (tensor<8x4xbf16>, tensor<4xf32>) -> tensor<8x4xbf16>
// CHECK-NEXT: amp.yield [[S]] : tensor<8x4xbf16>
// CHECK-NEXT: }
// CHECK-NEXT: return [[R]]
func.func @elementwise(%x: tensor<8x4xbf16>, %b: tensor<4xf32>) -> tensor<8x4xbf16> {
  %0 = amp.add %x, %b {amp.phase = #amp<phase forward>, amp.decision = {compute = f32, rule = "FO-reads-low", storage = [bf16]}} : (tensor<8x4xbf16>, tensor<4xf32>) -> tensor<8x4xbf16>
  return %0 : tensor<8x4xbf16>
}

// Shapes inside are those of memory: channels last, vectors along them.
// CHECK-LABEL: func.func @channels_last(
// CHECK: amp.region(%arg0, %arg1) : (tensor<2x3x4x5xf32, #amp.channels_last>, tensor<3x1x1xf32>) -> tensor<2x3x4x5xf32, #amp.channels_last>
// CHECK-NEXT: ^bb0({{%[a-z0-9]+}}: tensor<2x4x5x3xf32>, {{%[a-z0-9]+}}: tensor<1x1x1x3xf32>):
// CHECK-NEXT: amp.mul {{.+}} : (tensor<2x4x5x3xf32>, tensor<1x1x1x3xf32>) -> tensor<2x4x5x3xf32>
func.func @channels_last(%x: tensor<2x3x4x5xf32, #amp.channels_last>, %c: tensor<3x1x1xf32>) -> tensor<2x3x4x5xf32, #amp.channels_last> {
  %0 = amp.mul %x, %c : (tensor<2x3x4x5xf32, #amp.channels_last>, tensor<3x1x1xf32>) -> tensor<2x3x4x5xf32, #amp.channels_last>
  return %0 : tensor<2x3x4x5xf32, #amp.channels_last>
}

// A value that is the same everywhere is no buffer; a table is.
// CHECK-LABEL: func.func @constants(
// CHECK-NEXT: [[T:%[0-9]+]] = amp.constant dense<[1.000000e+00, 2.000000e+00]>
// CHECK-NEXT: amp.region(%arg0) :
// CHECK-NEXT: ^bb0
// CHECK-NEXT: amp.constant dense<2.000000e+00> : tensor<f32>
// CHECK: amp.region({{%[0-9]+}}, [[T]]) :
func.func @constants(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = amp.constant dense<2.0> : tensor<f32>
  %1 = amp.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %2 = amp.mul %x, %0 : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = amp.add %2, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %3 : tensor<2xf32>
}

// A reshape in front of an op moves nothing: the op reads what is behind it.
// CHECK-LABEL: func.func @behind_reshape(
// CHECK-NEXT: amp.region(%arg0) : (tensor<2x6xf32>) -> tensor<12xf32>
// CHECK-NEXT: ^bb0({{%[a-z0-9]+}}: tensor<12xf32>):
func.func @behind_reshape(%x: tensor<2x6xf32>) -> tensor<12xf32> {
  %0 = amp.reshape %x : (tensor<2x6xf32>) -> tensor<12xf32>
  %1 = amp.exp %0 : (tensor<12xf32>) -> tensor<12xf32>
  return %1 : tensor<12xf32>
}

// Random numbers: key and step of the generator are no operands of the sum.
// CHECK-LABEL: func.func @dropout(
// CHECK: amp.region(%arg0, %arg1, %arg2)
// CHECK-NEXT: ^bb0([[X:%[a-z0-9]+]]: tensor<2x8xf32>, [[R:%[a-z0-9]+]]: tensor<2xi64>, [[I:%[a-z0-9]+]]: tensor<i64>):
// CHECK-NEXT: amp.dropout [[X]], [[R]], [[I]] {node = 3 : i64, ratio = 1.000000e-01 : f64}
func.func @dropout(%x: tensor<2x8xf32>, %rng: tensor<2xi64>, %i: tensor<i64>) -> tensor<2x8xf32> {
  %0 = amp.dropout %x, %rng, %i {ratio = 0.1 : f64, node = 3 : i64} : (tensor<2x8xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// One reciprocal of the scale, then products.
// CHECK-LABEL: func.func @unscale(
// CHECK: [[F:%[0-9]+]] = amp.reciprocal {{%[a-z0-9]+}} : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT: amp.mul {{%[a-z0-9]+}}, [[F]] : (tensor<8xf16>, tensor<f32>) -> tensor<8xf32>
func.func @unscale(%g: tensor<8xf16>, %s: tensor<f32>) -> tensor<8xf32> {
  %0 = amp.unscale %g, %s : (tensor<8xf16>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// The example of the description.
// CHECK-LABEL: func.func @softmax(
// CHECK-NEXT: amp.region(%arg0) : (tensor<8x64xbf16>) -> tensor<8x64xbf16> {
// CHECK-NEXT: ^bb0([[A:%[a-z0-9]+]]: tensor<8x64xbf16>):
// CHECK-NEXT: [[M:%[0-9]+]] = amp.reduce_max [[A]] {{.*}}axes = array<i64: 1>, keepdims} : (tensor<8x64xbf16>) -> tensor<8x1xf32>
// CHECK-NEXT: [[D:%[0-9]+]] = amp.sub [[A]], [[M]]
// CHECK-NEXT: [[E:%[0-9]+]] = amp.exp [[D]]
// CHECK-NEXT: [[S:%[0-9]+]] = amp.reduce_sum [[E]] {acc = f32, axes = array<i64: 1>, keepdims}
// CHECK-NEXT: [[Y:%[0-9]+]] = amp.div [[E]], [[S]]
// CHECK-NEXT: [[C:%[0-9]+]] = amp.cast [[Y]] : (tensor<8x64xf32>) -> tensor<8x64xbf16>
// CHECK-NEXT: amp.yield [[C]]
func.func @softmax(%x: tensor<8x64xbf16>) -> tensor<8x64xbf16> {
  %0 = amp.softmax %x {axis = 1 : i64, acc = f32} : (tensor<8x64xbf16>) -> tensor<8x64xbf16>
  return %0 : tensor<8x64xbf16>
}

// dx = y (dy - sum(y dy)); for the logarithm dx = dy - exp(y) sum(dy).
// CHECK-LABEL: func.func @softmax_gradients(
// CHECK: ^bb0([[DY:%[a-z0-9]+]]: tensor<8x64xf32>, [[Y:%[a-z0-9]+]]: tensor<8x64xf32>):
// CHECK-NEXT: [[P:%[0-9]+]] = amp.mul [[Y]], [[DY]]
// CHECK-NEXT: [[S:%[0-9]+]] = amp.reduce_sum [[P]]
// CHECK-NEXT: [[D:%[0-9]+]] = amp.sub [[DY]], [[S]]
// CHECK-NEXT: [[R:%[0-9]+]] = amp.mul [[Y]], [[D]]
// CHECK-NEXT: amp.yield [[R]]
// CHECK: ^bb0([[X:%[a-z0-9]+]]: tensor<8x64xf32>):
// CHECK-NEXT: [[M:%[0-9]+]] = amp.reduce_max [[X]]
// CHECK-NEXT: [[H:%[0-9]+]] = amp.sub [[X]], [[M]]
// CHECK-NEXT: [[E:%[0-9]+]] = amp.exp [[H]]
// CHECK-NEXT: [[T:%[0-9]+]] = amp.reduce_sum [[E]]
// CHECK-NEXT: [[L:%[0-9]+]] = amp.log [[T]]
// CHECK-NEXT: [[Z:%[0-9]+]] = amp.sub [[H]], [[L]]
// CHECK-NEXT: amp.yield [[Z]]
// CHECK: ^bb0([[DZ:%[a-z0-9]+]]: tensor<8x64xf32>, [[W:%[a-z0-9]+]]: tensor<8x64xf32>):
// CHECK-NEXT: [[U:%[0-9]+]] = amp.reduce_sum [[DZ]]
// CHECK-NEXT: [[F:%[0-9]+]] = amp.exp [[W]]
// CHECK-NEXT: [[Q:%[0-9]+]] = amp.mul [[F]], [[U]]
// CHECK-NEXT: [[V:%[0-9]+]] = amp.sub [[DZ]], [[Q]]
// CHECK-NEXT: amp.yield [[V]]
func.func @softmax_gradients(%dy: tensor<8x64xf32>, %y: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %0 = amp.softmax_grad %dy, %y {axis = 1 : i64, acc = f32} : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = amp.log_softmax %y {axis = 1 : i64, acc = f32} : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = amp.log_softmax_grad %dy, %1 {axis = 1 : i64, acc = f32} : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  return %0, %2 : tensor<8x64xf32>, tensor<8x64xf32>
}

// CHECK-LABEL: func.func @layer_norm(
// CHECK: amp.region(%arg0, %arg1, %arg2) : {{.+}} -> (tensor<8x64xbf16>, tensor<8x1xf32>, tensor<8x1xf32>)
// CHECK: [[MEAN:%[0-9]+]] = amp.reduce_mean
// CHECK-NEXT: [[D:%[0-9]+]] = amp.sub {{.+}}, [[MEAN]]
// CHECK-NEXT: [[Q:%[0-9]+]] = amp.mul [[D]], [[D]]
// CHECK-NEXT: [[VAR:%[0-9]+]] = amp.reduce_mean [[Q]]
// CHECK-NEXT: amp.constant dense<9.99999974E-6>
// CHECK-NEXT: amp.add [[VAR]],
// CHECK-NEXT: [[RSTD:%[0-9]+]] = amp.rsqrt
// CHECK: amp.yield {{%[0-9]+}}, [[MEAN]], [[RSTD]] : tensor<8x64xbf16>, tensor<8x1xf32>, tensor<8x1xf32>
func.func @layer_norm(%x: tensor<8x64xbf16>, %s: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<8x64xbf16> {
  %0, %mean, %rstd = amp.layer_norm %x, %s, %b {axis = 1 : i64, epsilon = 1.0e-5 : f64, acc = f32} : (tensor<8x64xbf16>, tensor<64xf32>, tensor<64xf32>) -> (tensor<8x64xbf16>, tensor<8x1xf32>, tensor<8x1xf32>)
  return %0 : tensor<8x64xbf16>
}

// Rows for dx, and in the same kernel partial sums of the columns for the
// parameters: 300 rows are three chunks of 128. An unused gradient costs no
// launch.
// CHECK-LABEL: func.func @layer_norm_grad(
// CHECK: [[R:%[0-9]+]]:3 = amp.region(%arg1, %arg0, %arg2, %arg3) : {{.+}} -> (tensor<300x64xf32>, tensor<3x64xf32>, tensor<3x64xf32>)
// CHECK-COUNT-2: amp.reduce_mean
// CHECK-COUNT-2: amp.column_partials {{.+}} : (tensor<300x64xf32>) -> tensor<3x64xf32>
// CHECK: [[S:%[0-9]+]] = amp.combine_partials [[R]]#1 {acc = f32} : (tensor<3x64xf32>) -> tensor<64xf32>
// CHECK-NOT: amp.combine_partials
// CHECK: return [[R]]#0, [[S]]
func.func @layer_norm_grad(%dy: tensor<300x64xf32>, %x: tensor<300x64xf32>, %m: tensor<300x1xf32>, %s: tensor<64xf32>) -> (tensor<300x64xf32>, tensor<64xf32>) {
  %dx, %ds, %db = amp.layer_norm_grad %dy, %x, %s, %m, %m {axis = 1 : i64, acc = f32} : (tensor<300x64xf32>, tensor<300x64xf32>, tensor<64xf32>, tensor<300x1xf32>, tensor<300x1xf32>) -> (tensor<300x64xf32>, tensor<64xf32>, tensor<64xf32>)
  return %dx, %ds : tensor<300x64xf32>, tensor<64xf32>
}

// Sums over the batch in two halves: mean first, then the variance from the
// differences to it, then the normalisation.
// CHECK-LABEL: func.func @batch_norm(
// CHECK: amp.column_partials {{.+}} : (tensor<2x4x5x3xf32>) -> tensor<1x3xf32>
// CHECK: amp.combine_partials {{.+}} : (tensor<1x3xf32>) -> tensor<3xf32>
// CHECK: amp.constant dense<2.500000e-02>
// CHECK: [[D:%[0-9]+]] = amp.sub {{.+}} : (tensor<2x4x5x3xf32>, tensor<3xf32>)
// CHECK-NEXT: [[Q:%[0-9]+]] = amp.mul [[D]], [[D]]
// CHECK-NEXT: amp.column_partials [[Q]]
// CHECK: amp.combine_partials
// CHECK: amp.rsqrt
// CHECK: amp.region({{.*}}%arg0, {{.+}} -> tensor<2x3x4x5xf32, #amp.channels_last>
func.func @batch_norm(%x: tensor<2x3x4x5xf32, #amp.channels_last>, %s: tensor<3xf32>, %b: tensor<3xf32>) -> (tensor<2x3x4x5xf32, #amp.channels_last>, tensor<3xf32>, tensor<3xf32>) {
  %y, %m, %v = amp.batch_norm %x, %s, %b {epsilon = 1.0e-5 : f64, acc = f32} : (tensor<2x3x4x5xf32, #amp.channels_last>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4x5xf32, #amp.channels_last>, tensor<3xf32>, tensor<3xf32>)
  return %y, %m, %v : tensor<2x3x4x5xf32, #amp.channels_last>, tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @batch_norm_inference(
// CHECK: amp.rsqrt
// CHECK: amp.region({{.*}}%arg0, {{.+}} -> tensor<2x3x4x5xf32, #amp.channels_last>
// CHECK-NOT: amp.column_partials
// CHECK: return
func.func @batch_norm_inference(%x: tensor<2x3x4x5xf32, #amp.channels_last>, %s: tensor<3xf32>) -> tensor<2x3x4x5xf32, #amp.channels_last> {
  %0 = amp.batch_norm_inference %x, %s, %s, %s, %s {epsilon = 1.0e-5 : f64} : (tensor<2x3x4x5xf32, #amp.channels_last>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4x5xf32, #amp.channels_last>
  return %0 : tensor<2x3x4x5xf32, #amp.channels_last>
}

// Both sums in one pass over the tensors.
// CHECK-LABEL: func.func @batch_norm_grad(
// CHECK: amp.rsqrt
// CHECK: [[R:%[0-9]+]]:2 = amp.region(
// CHECK-COUNT-2: amp.column_partials
// CHECK: amp.yield
// CHECK: [[S:%[0-9]+]] = amp.combine_partials [[R]]#0
// CHECK: [[B:%[0-9]+]] = amp.combine_partials [[R]]#1
// CHECK: return {{%[0-9]+}}, [[S]], [[B]]
func.func @batch_norm_grad(%dy: tensor<2x3x4x5xf32, #amp.channels_last>, %x: tensor<2x3x4x5xf32, #amp.channels_last>, %s: tensor<3xf32>) -> (tensor<2x3x4x5xf32, #amp.channels_last>, tensor<3xf32>, tensor<3xf32>) {
  %dx, %ds, %db = amp.batch_norm_grad %dy, %x, %s, %s, %s {epsilon = 1.0e-5 : f64, acc = f32} : (tensor<2x3x4x5xf32, #amp.channels_last>, tensor<2x3x4x5xf32, #amp.channels_last>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4x5xf32, #amp.channels_last>, tensor<3xf32>, tensor<3xf32>)
  return %dx, %ds, %db : tensor<2x3x4x5xf32, #amp.channels_last>, tensor<3xf32>, tensor<3xf32>
}

// Loss and log-sum-exp of each row are one kernel; a mean divides by the rows
// that count.
// CHECK-LABEL: func.func @cross_entropy(
// CHECK: [[R:%[0-9]+]]:3 = amp.region(%arg0, %arg1) : (tensor<4x6x10xbf16>, tensor<4x6xi64>) -> (tensor<24xf32>, tensor<4x6xf32>, tensor<24xf32>)
// CHECK-NEXT: ^bb0([[X:%[a-z0-9]+]]: tensor<24x10xbf16>, [[T:%[a-z0-9]+]]: tensor<24x1xi64>):
// CHECK: amp.constant dense<-100>
// CHECK: amp.iota {axis = 1 : i64} : tensor<24x10xi64>
// CHECK: amp.reduce_max [[X]]
// CHECK: amp.yield
// CHECK: [[L:%[0-9]+]] = amp.reduce_sum [[R]]#0 {acc = f32, axes = array<i64: 0>}
// CHECK: [[C:%[0-9]+]] = amp.reduce_sum [[R]]#2 {acc = f32, axes = array<i64: 0>}
// CHECK: [[M:%[0-9]+]] = amp.region(
// CHECK-NEXT: ^bb0
// CHECK: amp.div
// CHECK: amp.region(%arg0, %arg1, [[R]]#1, [[M]], [[C]]) : {{.+}} -> tensor<4x6x10xbf16>
// CHECK-NOT: amp.reduce
// CHECK: return
func.func @cross_entropy(%x: tensor<4x6x10xbf16>, %t: tensor<4x6xi64>) -> (tensor<f32>, tensor<4x6x10xbf16>) {
  %loss, %lse, %count = amp.softmax_cross_entropy %x, %t {ignore_index = -100 : i64, label_smoothing = 0.0 : f64, reduction = #amp<loss_reduction mean>, acc = f32} : (tensor<4x6x10xbf16>, tensor<4x6xi64>) -> (tensor<f32>, tensor<4x6xf32>, tensor<f32>)
  %0 = amp.softmax_cross_entropy_grad %loss, %x, %t, %lse, %count {ignore_index = -100 : i64, label_smoothing = 0.0 : f64, reduction = #amp<loss_reduction mean>, acc = f32} : (tensor<f32>, tensor<4x6x10xbf16>, tensor<4x6xi64>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6x10xbf16>
  return %loss, %0 : tensor<f32>, tensor<4x6x10xbf16>
}

// Along the innermost dimensions: rows.
// CHECK-LABEL: func.func @row_reduction(
// CHECK: amp.region(%arg0) : (tensor<8x4x6xbf16>) -> tensor<8xbf16>
// CHECK: [[S:%[0-9]+]] = amp.reduce_max {{.+}}axes = array<i64: 1, 2>, keepdims} : (tensor<8x4x6xbf16>) -> tensor<8x1x1xf32>
// CHECK-NEXT: amp.cast [[S]] : (tensor<8x1x1xf32>) -> tensor<8x1x1xbf16>
func.func @row_reduction(%x: tensor<8x4x6xbf16>) -> tensor<8xbf16> {
  %0 = amp.reduce_max %x {axes = array<i64: 1, 2>, acc = f32} : (tensor<8x4x6xbf16>) -> tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// Along the outermost: partial sums of columns; a mean is scaled at the end.
// CHECK-LABEL: func.func @column_reduction(
// CHECK: amp.column_partials {{.+}}chunk = 128 : i64{{.*}} : (tensor<8x24xf32>) -> tensor<1x24xf32>
// CHECK: [[C:%[0-9]+]] = amp.combine_partials {{.+}} -> tensor<24xf32>
// CHECK: amp.reshape [[C]] : (tensor<24xf32>) -> tensor<4x6xf32>
// CHECK: [[D:%[0-9]+]] = amp.combine_partials
// CHECK: amp.region([[D]]) : (tensor<24xf32>) -> tensor<4x6xf32>
// CHECK: amp.constant dense<1.250000e-01>
func.func @column_reduction(%x: tensor<8x4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %0 = amp.reduce_sum %x {axes = array<i64: 0>, acc = f32} : (tensor<8x4x6xf32>) -> tensor<4x6xf32>
  %1 = amp.reduce_mean %x {axes = array<i64: 0>, acc = f32} : (tensor<8x4x6xf32>) -> tensor<4x6xf32>
  return %0, %1 : tensor<4x6xf32>, tensor<4x6xf32>
}

// A mean over space is one of rows in row-major memory, of neither in
// channels-last memory.
// CHECK-LABEL: func.func @physical_axes(
// CHECK: amp.region(%arg0)
// CHECK: amp.reduce_mean {{.+}}axes = array<i64: 2, 3>, keepdims}
// CHECK: amp.yield
// CHECK-NEXT: }
// CHECK-NEXT: amp.reduce_mean %arg1 {acc = f32, axes = array<i64: 2, 3>}
func.func @physical_axes(%x: tensor<2x3x4x5xf32>, %y: tensor<2x3x4x5xf32, #amp.channels_last>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = amp.reduce_mean %x {axes = array<i64: 2, 3>, acc = f32} : (tensor<2x3x4x5xf32>) -> tensor<2x3xf32>
  %1 = amp.reduce_mean %y {axes = array<i64: 2, 3>, acc = f32} : (tensor<2x3x4x5xf32, #amp.channels_last>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}

// What no kernel does stays: sums of everything and of dimensions in the
// middle, softmax along another axis, products.
// CHECK-LABEL: func.func @not_fusable(
// CHECK-NOT: amp.region
// CHECK: return
func.func @not_fusable(%x: tensor<8x4x6xf32>) -> (tensor<f32>, tensor<8x6xf32>, tensor<8x4x6xf32>, tensor<4x6xf32>) {
  %0 = amp.reduce_sum %x {axes = array<i64: 0, 1, 2>, acc = f32} : (tensor<8x4x6xf32>) -> tensor<f32>
  %1 = amp.reduce_sum %x {axes = array<i64: 1>, acc = f32} : (tensor<8x4x6xf32>) -> tensor<8x6xf32>
  %2 = amp.softmax %x {axis = 1 : i64, acc = f32} : (tensor<8x4x6xf32>) -> tensor<8x4x6xf32>
  %3 = amp.reduce_max %x {axes = array<i64: 0>, acc = f32} : (tensor<8x4x6xf32>) -> tensor<4x6xf32>
  return %0, %1, %2, %3 : tensor<f32>, tensor<8x6xf32>, tensor<8x4x6xf32>, tensor<4x6xf32>
}

// The runtime's routine works in float32; what that would not hold becomes rows,
// by a transpose where the axes are not the last ones.
// CHECK-LABEL: func.func @exact(
// CHECK: amp.region(%arg0) : (tensor<8x4xi64>) -> tensor<8xi64>
// CHECK: amp.reduce_max {{.+}}acc = i64, axes = array<i64: 1>, keepdims
// CHECK: [[T:%[0-9]+]] = amp.transpose %arg1 {perm = array<i64: 1, 0, 2>} : (tensor<8x4x6xf64>) -> tensor<4x8x6xf64>
// CHECK: [[R:%[0-9]+]] = amp.region([[T]]) : (tensor<4x8x6xf64>) -> tensor<4xf64>
// CHECK: amp.reduce_sum {{.+}}acc = f64, axes = array<i64: 1, 2>, keepdims
// CHECK: amp.reshape [[R]] : (tensor<4xf64>) -> tensor<1x4x1xf64>
func.func @exact(%i: tensor<8x4xi64>, %d: tensor<8x4x6xf64>) -> (tensor<8xi64>, tensor<1x4x1xf64>) {
  %0 = amp.reduce_max %i {axes = array<i64: 1>, acc = i64} : (tensor<8x4xi64>) -> tensor<8xi64>
  %1 = amp.reduce_sum %d {axes = array<i64: 0, 2>, acc = f64, keepdims} : (tensor<8x4x6xf64>) -> tensor<1x4x1xf64>
  return %0, %1 : tensor<8xi64>, tensor<1x4x1xf64>
}
