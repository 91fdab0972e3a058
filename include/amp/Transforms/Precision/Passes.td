//===- Passes.td - The precision stage ---------------------*- tablegen -*-===//

#ifndef AMP_TRANSFORMS_PRECISION_PASSES
#define AMP_TRANSFORMS_PRECISION_PASSES

include "mlir/Pass/PassBase.td"
include "amp/Transforms/Precision/StatePasses.td"

def AttachRangesPass : Pass<"amp-attach-ranges", "::mlir::ModuleOp"> {
  let summary = "Attach ranges that calibration stored to the values";
  let description = [{
    Reads the JSON of `--calibrate` and gives each value whose key
    (Analysis/ValueKeys.h) is in it what was measured: an attribute
    `amp.calibrated` on ops, one dictionary for each result, and on arguments.
    Malformed entries are errors, and so is a file of another model: one whose
    `fingerprint` is not the module's (`amp.fingerprint`, where the driver set
    it; a file without one is only warned of), or of whose forward values most
    are none of the module's. Keys of other entry points are ignored. Without
    `file` nothing happens.

    ```mlir
    // before
    %0 = amp.matmul %x, %w ... loc("fc")
    // after, with {"values": {"fc|matmul|forward|0|0": {"min": -3, ...}}}
    %0 = amp.matmul %x, %w {amp.calibrated = [{min = -3.0 : f64, ...} ], ...}
    ```
  }];
  let options = [Option<"file", "file", "std::string", /*default=*/"",
                        "JSON file of ranges">];
}

def AnalyzeRangesPass : Pass<"amp-analyze-ranges", "::mlir::ModuleOp"> {
  let summary = "Rule out the low types that ranges forbid";
  let description = [{
    Bounds that follow from ops, constants and frozen variables
    (Analysis/Ranges.h), patterns that hang on small numbers, initial values of
    parameters and, where attached, calibrated ranges decide for each op with
    float results whether it may be stored and compute in f16 and in bf16. It
    writes

    * `amp.range`: one dictionary {lo, hi, src = static|constant|calibrated, why}
      for each float result, empty where nothing is known;
    * `amp.forbid`: {f16 = reason, bf16 = reason}, a reason being the rule and
      the number that decided (lib/Transforms/Precision/Ranges/Verdicts.h lists
      the rules);
    * `amp.clamp` on a select of a mask sentinel into scores that only softmax
      reads: amp-clamp-sentinels may lower the sentinel;
    * on the module `amp.allow_bf16`, with that option.

    No number of the program changes. Modules with `amp.range_evidence = false`
    and functions whose casts are in place are left alone; running the pass again
    changes nothing.

    ```mlir
    // before
    %s = amp.reduce_sum %p {acc = f32, axes = array<i64: 1>} : ...
    // after, where %p is a softmax times 64
    %s = amp.reduce_sum %p {acc = f32, axes = array<i64: 1>,
      amp.forbid = {f16 = "RG-overflow: |x| <= 131072 > 65504 (sum of 2048 terms
      in [0, 64])"}, amp.range = [{hi = 1.31072e5 : f64, lo = 0.0 : f64,
      src = "static", why = "sum of 2048 terms in [0, 64]"} ]} : ...
    ```
  }];
  let options = [
    Option<"allowBF16", "allow-bf16", "bool", /*default=*/"false",
           "Values that f16 cannot hold may be bf16 instead of float32">,
    Option<"headroom", "headroom", "double", /*default=*/"2.0",
           "Factor on calibrated maxima of forward values">,
    Option<"gradientScale", "gradient-scale", "double", /*default=*/"65536.0",
           "Largest loss scale at which calibrated gradients are judged">,
    Option<"mostLost", "most-lost", "double", /*default=*/"0.5",
           "Share of a calibrated gradient that may become 0">];
}

def ClampSentinelsPass : Pass<"amp-clamp-sentinels", "::mlir::ModuleOp"> {
  let summary = "Keep mask sentinels finite in the type of their scores";
  let description = [{
    A sentinel such as -3.4e38 that a select with `amp.clamp` writes into scores
    becomes the lowest finite number of the low type in which the scores, or
    what is moved from them, are stored. Softmax of them is the same: 0 where
    masked, uniform where everything is. Scores in float32 keep theirs.

    ```mlir
    // before
    %m = amp.constant dense<-3.40282347E+38> : tensor<f32>
    %0 = amp.select %mask, %m, %s {amp.clamp, amp.decision = {storage = [f16] ...
    // after
    %m = amp.constant dense<-6.550400e+04> : tensor<f32>
    %0 = amp.select %mask, %m, %s {amp.decision = {storage = [f16] ...
    ```
  }];
  let dependentDialects = ["::amp::AmpDialect"];
}

def ApplyPolicyPass : Pass<"amp-apply-policy", "::mlir::ModuleOp"> {
  let summary = "Give every op the class that the policy has for it";
  let description = [{
    Writes `amp.policy` on every op that touches floats: its class (allow,
    follow, transparent, keep, clear, promote, block), the rule that gave it,
    and its source: the preset or, stronger, what the user says by op type,
    region, or node and tensor (docs/Precision.md). Backward ops are treated as
    the node they belong to. A preset with limits (autocast) asks `amp.calibrated`
    what was measured of the values of a node, and says in a remark that nothing
    was. On the module it leaves the preset, the assignment
    algorithm and whether range evidence counts.

    Two wishes of equal strength that disagree, and patterns that match nothing,
    are errors that show what is near. Ops of other dialects follow the widest
    type they read, with a remark, unless they have the precision interface or
    `custom_ops` names them. With precision fp32 or tf32 only mistakes are
    looked for. Running the pass again changes nothing.

    ```mlir
    // before
    %0 = amp.softmax %x {acc = f32, axis = 1 : i64} : ...
    // after, with preset=pytorch-cuda precision=fp16
    %0 = amp.softmax %x {acc = f32, axis = 1 : i64, amp.policy = {class = "keep",
      rule = "PS-pytorch-cuda.pytorch.cuda.fp32_set_opt_dtype",
      source = "preset"}} : ...
    ```
  }];
  let options = [
    Option<"precision", "precision", "std::string", /*default=*/"\"fp32\"",
           "fp32, bf16, fp16 or tf32">,
    Option<"preset", "preset", "std::string", /*default=*/"",
           "Name of a preset; empty: the config's, or default">,
    Option<"assignment", "assign", "std::string", /*default=*/"",
           "Assignment algorithm; empty: the config's, or the preset's">,
    Option<"rangeEvidence", "range-evidence", "std::string", /*default=*/"",
           "on or off; empty: the config's, or the preset's">,
    ListOption<"keepFP32", "keep-fp32", "std::string",
               "Patterns of nodes, op types or values to keep in float32">,
    ListOption<"forceLow", "force-low", "std::string",
               "Patterns of nodes, op types or values to store low">,
    Option<"config", "config", "std::string", /*default=*/"",
           "YAML file (docs/Precision.md)">,
    Option<"configText", "config-text", "std::string", /*default=*/"",
           "Its text, where it has been read already">];
}

def AssignPrecisionPass : Pass<"amp-assign-precision", "::mlir::ModuleOp"> {
  let summary = "Decide the storage type of every value";
  let description = [{
    Writes `amp.decision` on every op with float results: the storage type of
    each result, the type the op computes in, and the rule that decided.
    Arithmetic happens in float32 registers whatever the storage type, so only
    values that reach memory and operands of contractions matter. The local
    rules, which `greedy` applies in one walk:

    * contractions (allow) read and write the low type; in a network with batch
      norms, which amplify rounding, convolutions with fewer than 16 channels on
      a side, whose few products average rounding out least, compute in float32
      with float32 weights, and gradients leave convolutions in float32;
    * values that only float32 slots read (gradients of parameters, statistics,
      the update) stay float32, and so do scalars;
    * ops of class keep write float32 unless a contraction reads the result,
      and read float32 unless a contraction made the value; the mean of a whole
      tensor, a loss as a rule, counts as keep;
    * ops of class follow write the low type if they read any;
    * transparent ops write the type they read.

    `mincut` keeps what these leave float32 for accuracy and otherwise takes the
    types with which the launches move the fewest bytes (docs/Precision.md), as
    `amp-mark-regions` told; where it differs, the rule is `CU-fewer-bytes` and
    `evidence` says what the other type would cost. With marks,
    `amp.predicted_bytes`
    of the module gets the bytes of each function.

    With `precision` fp32 or tf32 everything is float32 (tf32 is a compute type
    of GPUs). Running the pass again changes nothing.

    ```mlir
    // before
    %0 = amp.matmul %x, %w {acc = f32} : (tensor<8x4xf32>, ...) -> tensor<8x3xf32>
    // after, with precision=bf16
    %0 = amp.matmul %x, %w {acc = f32, amp.decision = {compute = bf16,
      rule = "AL-contraction", storage = [bf16]}} : ... -> tensor<8x3xf32>
    ```
  }];
  let options = [Option<"precision", "precision", "std::string",
                        /*default=*/"\"fp32\"", "fp32, bf16, fp16 or tf32">,
                 Option<"assignment", "assign", "std::string", /*default=*/"",
                        "mincut, paint, promote, all-low or greedy; empty: what "
                        "amp-apply-policy chose, else that of the default">,
                 Option<"costModel", "cost-model", "bool", /*default=*/"false",
                        "mincut: contractions that gain nothing from a low "
                        "type stay float32">,
                 Option<"explain", "explain", "bool", /*default=*/"false",
                        "Write amp.cost: what other types would cost">];
}

def InsertCastsPass : Pass<"amp-insert-casts", "::mlir::ModuleOp"> {
  let summary = "Give results their storage types and cast where they disagree";
  let description = [{
    Applies the decisions: results change their element type, and a cast is put
    before every operand whose type an op cannot take (operands of contractions,
    float32 slots, transparent ops, results of a function). Elementwise ops,
    norms and losses read any storage type, since their registers are float32.
    What backward reads of a float32 value of forward is kept in the low type.
    Casts are not shared yet. Ops without decision are left alone.

    ```mlir
    // before
    %0 = amp.matmul %x, %w {acc = f32, amp.decision = {... storage = [bf16]}} : ...
    // after
    %1 = amp.cast %x : (tensor<8x4xf32>) -> tensor<8x4xbf16>
    %2 = amp.cast %w : (tensor<4x3xf32>) -> tensor<4x3xbf16>
    %0 = amp.matmul %1, %2 {...} : (...) -> tensor<8x3xbf16>
    ```
  }];
  let dependentDialects = ["::amp::AmpDialect"];
}

def SimplifyCastsPass : Pass<"amp-simplify-casts", "::mlir::ModuleOp"> {
  let summary = "Share, hoist, sink and fold the casts that insertion left";
  let description = [{
    One cast per value and type, across forward, backward and what is
    recomputed; a cast moves to the side of an op that only moves elements where
    there are fewer bytes (a narrowing in front of transposes and broadcasts and
    behind slices and gathers, a widening the other way round); a widening cast
    followed by its narrowing folds to the source. A rounding is never dropped.
    Casts of the source model (`user`) are never touched.

    ```mlir
    // before
    %0 = amp.transpose %w {...} : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %1 = amp.cast %0 : (tensor<3x4xf32>) -> tensor<3x4xbf16>
    // after
    %0 = amp.cast %w : (tensor<4x3xf32>) -> tensor<4x3xbf16>
    %1 = amp.transpose %0 {...} : (tensor<4x3xbf16>) -> tensor<3x4xbf16>
    ```
  }];
  let dependentDialects = ["::amp::AmpDialect"];
}

def AccumulateF32Pass : Pass<"amp-accumulate-f32", "::mlir::ModuleOp"> {
  let summary = "Sum in float32";
  let description = [{
    Sets `acc` of every op that sums to float32 unless it is wider.

    ```mlir
    // before
    %0 = amp.reduce_sum %x {acc = bf16, amp.low_accumulation, ...}
    // after
    %0 = amp.reduce_sum %x {acc = f32, ...}
    ```

    `accumulation=low` does the contrary: an op whose operands are low sums in
    their type. Losses, norms over everything, sums of micro-batches and
    attention stay float32. The module attribute `amp.accumulation` says so;
    without it amp-verify-precision takes no sum in less than float32.
  }];
  let options = [Option<"accumulation", "accumulation", "std::string",
                        /*default=*/"\"f32\"", "f32 or low">];
}

def ScaleLossPass : Pass<"amp-scale-loss", "::mlir::ModuleOp"> {
  let summary = "Scale the loss and unscale its gradients";
  let description = [{
    `scaler` is the name of a preset with `,key=value` for each number that
    differs (docs/LossScaling.md), `static,scale=N` or `none`. The seed of
    backward becomes the scale; the same value goes to the check, the update and
    to `unscale`; after the update a dynamic scale is adjusted
    (`amp.scaler_update`). Loss and scale are float32.
    Of several optimizers the flag over all adjusts it, once an iteration: in
    the entry point that advances the counters. `LOSS:SCALER` between semicolons
    gives a loss a scale of its own (`amp.loss_scale.LOSS`): for its seed, for
    the ops that `amp.scale_of` marks with it, and adjusted by their flags alone.

    ```mlir
    // before
    %seed = amp.seed_gradient tensor<f32>
    %finite, %norm = amp.check_gradients(%g) scale %one ...
    // after
    %scale = amp.read @amp.loss_scale : tensor<f32>
    %seed = amp.seed_gradient %scale : tensor<f32> -> tensor<f32>
    %finite, %norm = amp.check_gradients(%g) scale %scale ...
    ```
  }];
  let options = [Option<"scaler", "scaler", "std::string",
                        /*default=*/"\"none\"",
                        "Loss scaler: [LOSS:]KIND[,key=value...]">];
  let dependentDialects = ["::amp::AmpDialect"];
}

def VerifyPrecisionPass : Pass<"amp-verify-precision", "::mlir::ModuleOp"> {
  let summary = "Check the promises of the precision stage";
  let description = [{
    Result types are those decided; operands of a contraction have one type;
    every sum is accumulated in float32 or wider, or in the type of what it sums
    where `amp.accumulation = "low"` allows that; gradients of weights leave
    their product in float32.

    A gradient is scaled from its seed (one a loss) to the op that unscales it,
    once, by the SSA value that scaled the seed. What is not linear - a norm, a
    clip, a comparison - must not read it in between, however it is written:

    ```mlir
    %g = amp.matmul %x, %dy ...           // scaled, as %dy is
    %n = amp.mul %g, %g ...               // error: multiplies two scaled ones
    ```

    No variable but a sum of micro-batches holds a scaled gradient, and nothing
    changes the scale while sums are made. Names the first op that breaks one.
  }];
}

def NumberOpsPass : Pass<"amp-number-ops", "::mlir::ModuleOp"> {
  let summary = "Give every op a number and a key that outlives the compile";
  let description = [{
    Writes `amp.id` on the ops of all functions (constants apart) and
    `amp.keys`, the key of each number, on the module. A key depends on the
    graph alone: ONNX node, op, phase, and an ordinal among ops of one function
    that agree in these. Ranges measured in one compile are found by it in
    another, and a finding at run time is traced back to it. A module that has
    keys keeps them.

    ```mlir
    // before
    func.func @predict(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = amp.exp %x : (tensor<4xf32>) -> tensor<4xf32> loc("Exp_0")
    // after
    module attributes {amp.keys = ["Exp_0|exp|forward|0"]} {
      func.func @predict(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = amp.exp %x {amp.id = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
}

def RemarkDecisionsPass : Pass<"amp-remark-decisions", "::mlir::ModuleOp"> {
  let summary = "Say what was decided of every op, and why, as remarks";
  let description = [{
    Gives remarks to the engine of the context (`amp-opt --remarks-filter=REGEX`,
    `amp-compile --remarks`) and changes nothing; without an engine it does
    nothing. The name of a remark is the rule that decided
    (docs/reference/PrecisionRules.md), its place the ONNX node, its category

    * `decision`: what was decided of an op, passed where some of it is low,
      missed where it stays float32;
    * `override`: what the user asked for;
    * `forbid`: a type that the range rules out, with the number;
    * `clamp`: a mask sentinel that became another number;
    * `shadow`: a copy of a parameter that the update writes.

    ```mlir
    %0 = amp.matmul %x, %w {acc = f32, amp.decision = {compute = bf16,
      rule = "AL-contraction", storage = [bf16]}} : ... loc("fc")
    // remark: [Passed] AL-contraction | Category:decision | Function=train_step
    //   | Op="matmul", Node="fc", Phase="forward", Types="8x3xbf16, computes in
    //   bf16, sums in f32", Reason="a matrix product, ..."
    ```
  }];
}

def RemarkCastsPass : Pass<"amp-remark-casts", "::mlir::ModuleOp"> {
  let summary = "Say which casts cost memory traffic, and why, as remarks";
  let description = [{
    The same behind the optimise stage, where casts have found their kernels:
    category `cast`, missed for a cast with a launch of its own (with the reason)
    and passed for one inside a kernel.

    ```mlir
    %0 = amp.region(%x) ... { %1 = amp.cast %x ... amp.yield %1 } loc("fc")
    // remark: [Missed] standalone-cast | Category:cast | Function=train_step
    //   | Node="fc", Types="f32 to bf16", Place="graph input", Bytes=192,
    //   Reason="the data has this type, and a library routine reads it"
    ```
  }];
}

def NarrowFloat64Pass : Pass<"amp-narrow-float64", "::mlir::ModuleOp"> {
  let summary = "Make a program's float64 float32";
  let description = [{
    float64 of a model stays as it is unless the user asks for this
    (`--float64-as-float32`): then every value, variable, constant and accumulator of
    that type becomes float32, and casts that no longer change anything go.
    Constants are rounded to nearest even. One that float32 cannot hold is an
    error; elements that become 0 are counted in a warning. Runs before
    differentiation.

    ```mlir
    // before
    %0 = amp.cast %x {user} : (tensor<4xf32>) -> tensor<4xf64>
    %1 = amp.mul %0, %k : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    // after
    %1 = amp.mul %x, %k : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
}

#endif // AMP_TRANSFORMS_PRECISION_PASSES
