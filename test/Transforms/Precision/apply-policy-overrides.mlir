// RUN: split-file %s %t
// RUN: amp-opt %t/net.mlir --amp-apply-policy="precision=bf16 keep-fp32=act force-low=softmax" --amp-assign-precision="precision=bf16 assign=greedy" | FileCheck %s --check-prefix=FLAGS
// RUN: amp-opt %t/net.mlir --amp-apply-policy="precision=bf16 keep-fp32=act force-low=softmax" --amp-assign-precision="precision=bf16 assign=greedy" --amp-insert-casts -o %t/once.mlir
// RUN: amp-opt %t/once.mlir --amp-apply-policy="precision=bf16 keep-fp32=act force-low=softmax" --amp-assign-precision="precision=bf16 assign=greedy" --amp-insert-casts -o %t/twice.mlir
// RUN: diff %t/once.mlir %t/twice.mlir
// RUN: amp-opt %t/net.mlir --amp-apply-policy="precision=bf16 config=%t/strengths.yaml" | FileCheck %s --check-prefix=STRENGTH
// RUN: amp-opt %t/net.mlir --amp-apply-policy="precision=bf16 config=%t/region.yaml" --amp-assign-precision="precision=bf16 assign=greedy" --amp-insert-casts | FileCheck %s --check-prefix=REGION
// RUN: amp-opt %t/net.mlir --amp-apply-policy="precision=bf16 config=%t/tensor.yaml" --amp-assign-precision="precision=bf16 assign=greedy" | FileCheck %s --check-prefix=TENSOR
// RUN: amp-opt %t/net.mlir --amp-apply-policy="precision=bf16 keep-fp32=w1" | FileCheck %s --check-prefix=WEIGHT
// RUN: amp-opt %t/net.mlir --amp-apply-policy="precision=bf16 config=%t/preset.yaml preset=ort" | FileCheck %s --check-prefix=OPTION

// A node by name, forward and backward; an op type by mnemonic, and its
// gradient with it: softmax is stored low and still computes in float32.
// FLAGS: amp.matmul {{.+}}source = "preset"
// FLAGS: amp.relu {{.+}}amp.decision = {compute = f32, rule = "UO-node --keep-fp32 act", storage = [f32]}{{.+}}amp.policy = {class = "keep", compute = f32, rule = "UO-node --keep-fp32 act", source = "node"}
// FLAGS: amp.matmul {{.+}}source = "preset"
// FLAGS: amp.softmax {{.+}}amp.decision = {compute = f32, rule = "UO-op-type --force-low softmax", storage = [bf16]}{{.+}}amp.policy = {class = "allow", rule = "UO-op-type --force-low softmax", source = "op-type"}
// FLAGS: amp.softmax_grad {{.+}}storage = [bf16]{{.+}}source = "op-type"
// FLAGS: amp.relu_grad {{.+}}storage = [f32]{{.+}}source = "node"

// A named node is stronger than a region, a region than an op type, and that
// than the preset.
// STRENGTH: amp.matmul {{.+}}class = "keep"{{.+}}source = "region"
// STRENGTH: amp.relu {{.+}}class = "allow", rule = "UO-node {{[^"]+}}strengths.yaml:{{[0-9]+}}", source = "node"
// STRENGTH: amp.matmul {{.+}}class = "allow"{{.+}}source = "op-type"
// STRENGTH: amp.softmax {{.+}}class = "keep"{{.+}}source = "preset"

// Off is off in backward, too: products read float32 and what forward keeps for
// them is not narrowed.
// REGION: [[X:%[0-9]+]] = amp.cast %arg0 : (tensor<8x16xf32>) -> tensor<8x16xbf16>
// REGION: amp.matmul [[X]], {{.+}}compute = bf16
// REGION: [[A:%[0-9]+]] = amp.relu {{.+}}source = "region"{{.+}} -> tensor<8x16xf32>
// REGION: amp.matmul [[A]], %arg2 {{.+}}compute = f32{{.+}} (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
// REGION: amp.softmax {{.+}} -> tensor<8x16xf32>
// REGION: amp.softmax_grad {{.+}} -> tensor<8x16xf32>
// REGION: amp.matmul {{.+}}compute = f32{{.+}} (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
// REGION: amp.relu_grad {{.+}} -> tensor<8x16xf32>

// The innermost region decides, whichever stands first; backward goes with it.
// RUN: amp-opt %t/net.mlir --amp-apply-policy="precision=bf16 config=%t/nested.yaml" | FileCheck %s --check-prefix=NESTED
// RUN: amp-opt %t/net.mlir --amp-apply-policy="precision=bf16 config=%t/outer-last.yaml" | FileCheck %s --check-prefix=NESTED
// NESTED: amp.matmul {{.+}}class = "allow", {{.+}}source = "preset"}
// NESTED: amp.relu {{.+}}class = "allow", {{.+}}source = "region"}
// NESTED: amp.matmul {{.+}}class = "keep", {{.+}}source = "region"}
// NESTED: amp.softmax {{.+}}class = "follow", {{.+}}source = "region"}
// NESTED: amp.softmax_grad {{.+}}class = "follow", {{.+}}source = "region"}
// NESTED: amp.matmul {{.+}}class = "keep", {{.+}}source = "region"}
// NESTED: amp.relu_grad {{.+}}class = "allow", {{.+}}source = "region"}

// Regions that overlap and are not nested have to agree.
// RUN: not amp-opt %t/net.mlir --amp-apply-policy="precision=bf16 config=%t/overlap.yaml" 2>&1 | FileCheck %s --check-prefix=OVERLAP
// OVERLAP: error: 'fc2': {{.+}}overlap.yaml:2 wants off and {{.+}}overlap.yaml:3 wants low; neither region lies inside the other, so one of them has to go

// A value is a result and its storage: the product before it stays low.
// TENSOR: amp.matmul {{.+}}compute = bf16, {{.+}}storage = [bf16]
// TENSOR: amp.matmul {{.+}}amp.decision = {compute = bf16, rule = "UO-tensor {{[^"]+}}tensor.yaml:2", storage = [f32]}{{.+}}storage = [f32]}

// What reads a value that is given stays float32.
// WEIGHT: amp.matmul %arg0, %arg1 {{.+}}class = "keep"{{.+}}source = "tensor"
// WEIGHT: amp.relu {{.+}}source = "preset"
// WEIGHT: amp.matmul {{.+}}class = "allow"{{.+}}source = "preset"

// OPTION: amp.preset = "ort"

//--- strengths.yaml
ops: {matmul: low, relu: fp32}
regions:
  - {nodes: "fc1", precision: fp32}
  - {nodes: "act", precision: fp32}
nodes:
  - {match: act, precision: low}
//--- region.yaml
regions:
  - {from: fc1, to: probs, precision: off}
//--- nested.yaml
regions:
  - {from: fc1, to: probs, precision: off}
  - {nodes: act, precision: low}
  - {nodes: "prob*", precision: follow}
//--- outer-last.yaml
regions:
  - {nodes: "prob*", precision: follow}
  - {nodes: act, precision: low}
  - {from: fc1, to: probs, precision: off}
//--- overlap.yaml
regions:
  - {from: fc1, to: fc2, precision: off}
  - {from: act, to: probs, precision: low}
//--- tensor.yaml
tensors:
  - {match: logits, precision: fp32}
//--- preset.yaml
preset: mxnet
//--- net.mlir
#fwd = loc("fc1")
#act = loc("act")
#fc2 = loc("fc2")
#sm = loc("probs")
func.func @net(%x: tensor<8x16xf32> {amp.name = "x"}, %w1: tensor<16x16xf32> {amp.name = "w1"}, %w2: tensor<16x16xf32> {amp.name = "w2"}, %dy: tensor<8x16xf32>) -> (tensor<8x16xf32> {amp.name = "logits", amp.role = "output"}, tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = amp.matmul %x, %w1 {acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32> loc(#fwd)
  %1 = amp.relu %0 : (tensor<8x16xf32>) -> tensor<8x16xf32> loc(#act)
  %2 = amp.matmul %1, %w2 {acc = f32} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32> loc(#fc2)
  %3 = amp.softmax %2 {axis = 1 : i64, acc = f32} : (tensor<8x16xf32>) -> tensor<8x16xf32> loc(#sm)
  %4 = amp.softmax_grad %dy, %3 {amp.phase = #amp<phase backward>, axis = 1 : i64, acc = f32} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32> loc(fused<"backward">["probs"])
  %5 = amp.matmul %4, %w2 {amp.phase = #amp<phase backward>, acc = f32, transpose_rhs} : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32> loc(fused<"backward">["fc2"])
  %6 = amp.relu_grad %5, %1 {amp.phase = #amp<phase backward>} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32> loc(fused<"backward">["act"])
  return %2, %3, %6 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}
