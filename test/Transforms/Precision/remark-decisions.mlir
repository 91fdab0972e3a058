// RUN: amp-opt %s --amp-remark-decisions --remarks-filter=.* -o %t.mlir 2>&1 | FileCheck %s
// RUN: amp-opt %s | diff %t.mlir -
// RUN: amp-opt %s --amp-remark-decisions --remarks-filter=override -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: amp-opt %s --amp-remark-decisions --remarks-filter-passed=decision -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOW

// One category, or what became low.
// ONE: Category:override
// ONE-NOT: Category:{{decision|forbid|clamp|shadow}}
// LOW: [Passed] AL-contraction
// LOW-NOT: [Missed]

module attributes {amp.keys = ["fc|matmul|forward|0", "act|exp|forward|0", "mask|select|forward|0"], amp.precision = f16, amp.preset = "default"} {
  amp.variable @w : tensor<4x3xf32> kind parameter {trained}
  amp.variable @w.shadow.f16 : tensor<4x3xf16> kind shadow {shadow_of = @w} loc("w")
  amp.variable @w.shadow.f32.conv : tensor<4x3xf32> kind shadow {shadow_of = @w} loc("w")

  // A decision has the op, its node and phase, its types, and the sentence of
  // its rule.
  // CHECK: remark: loc("fc"): [Passed] AL-contraction | Category:decision | Function=decided
  // CHECK-SAME: Node=fc, Op=matmul, Phase=forward
  // CHECK-SAME: Reason="AL-contraction: a matrix product, convolution or attention reads and writes the low type"
  // CHECK-SAME: Types="8x3xf16, computes in f16, sums in f32"
  func.func @decided(%x: tensor<8x4xf16>) -> tensor<8x3xf16> {
    %w = amp.read @w.shadow.f16 : tensor<4x3xf16>
    %0 = amp.matmul %x, %w {acc = f32, amp.id = 0 : i64, amp.decision = {compute = f16, rule = "AL-contraction", storage = [f16]}} : (tensor<8x4xf16>, tensor<4x3xf16>) -> tensor<8x3xf16> loc("fc")
    return %0 : tensor<8x3xf16>
  }

  // The user, what the range rules out, and the decision that repeats it.
  // CHECK: loc("act"): [Analysis] UO-node | Category:override | Function=evidence
  // CHECK-SAME: Reason="UO-node: the user says so of the node by name; --keep-fp32 act; it is keep"
  // CHECK: loc("act"): [Analysis] RG-overflow | Category:forbid
  // CHECK-SAME: not in f16: RG-overflow: values beyond the largest finite number of the type; |x| <= 131072 > 65504
  // CHECK: loc(fused<"backward">["act"]): [Missed] RG-overflow | Category:decision
  // CHECK-SAME: Phase=backward
  // CHECK-SAME: RG-overflow: values beyond the largest finite number of the type; |x| <= 131072 > 65504"
  // CHECK-SAME: Types="8xf32, computes in f32"
  func.func @evidence(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = amp.exp %x {amp.id = 1 : i64, amp.forbid = {f16 = "RG-overflow: |x| <= 131072 > 65504"}, amp.policy = {class = "keep", rule = "UO-node --keep-fp32 act", source = "node"}, amp.decision = {compute = f32, rule = "UO-node --keep-fp32 act", storage = [f32]}} : (tensor<8xf32>) -> tensor<8xf32> loc("act")
    %1 = amp.neg %x {amp.phase = #amp<phase backward>, amp.decision = {compute = f32, evidence = "RG-overflow: |x| <= 131072 > 65504", rule = "RG-overflow", storage = [f32]}} : (tensor<8xf32>) -> tensor<8xf32> loc(fused<"backward">["act"])
    return %0, %1 : tensor<8xf32>, tensor<8xf32>
  }

  // A contraction that does not pay.
  // CHECK: loc("small"): [Missed] PF-not-profitable | Category:decision
  // CHECK-SAME: 48 operations do not pay
  func.func @not_profitable(%x: tensor<2x4xf32>, %y: tensor<4x3xf32>) -> tensor<2x3xf32> {
    %0 = amp.matmul %x, %y {acc = f32, amp.decision = {compute = f32, evidence = "48 operations do not pay", rule = "PF-not-profitable", storage = [f32]}} : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32> loc("small")
    return %0 : tensor<2x3xf32>
  }

  // A sentinel that was clamped.
  // CHECK: loc("mask"): [Analysis] clamped-sentinel | Category:clamp | Function=clamped
  // CHECK-SAME: Reason="mask sentinel -1e+09 becomes -65504"
  func.func @clamped(%s: tensor<4xf16>, %m: tensor<4xi1>) -> tensor<4xf16> {
    %c = amp.constant dense<-6.550400e+04> : tensor<f32>
    %0 = amp.select %m, %c, %s {amp.clamped = "mask sentinel -1e+09 becomes -65504", amp.decision = {compute = f32, rule = "FO-reads-low", storage = [f16]}, amp.id = 2 : i64} : (tensor<4xi1>, tensor<f32>, tensor<4xf16>) -> tensor<4xf16> loc("mask")
    return %0 : tensor<4xf16>
  }

  // Copies of a parameter, at its place.
  // CHECK: loc("w"): [Analysis] shadow | Category:shadow
  // CHECK-SAME: Bytes=24, Node=w, Reason="{{.*}}no step casts it: w.shadow.f16", Types="f32 to f16"
  // CHECK: loc("w"): [Analysis] shadow | Category:shadow
  // CHECK-SAME: Bytes=48, Node=w, Reason="{{.*}}no step reorders it: w.shadow.f32.conv", Types=f32
}
