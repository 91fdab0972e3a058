//===- Passes.td - The training stage ----------------------*- tablegen -*-===//

#ifndef AMP_TRANSFORMS_AUTODIFF_PASSES
#define AMP_TRANSFORMS_AUTODIFF_PASSES

include "mlir/Pass/PassBase.td"

def WidenParametersPass : Pass<"amp-widen-parameters", "::mlir::ModuleOp"> {
  let summary = "Give trained parameters of 16 bits a float32 master";
  let description = [{
    A trained variable of type f16 or bf16 becomes a float32 variable with the
    same value; its reads are cast to the type the model has, and the model goes
    on in that type. Gradients of such parameters are float32, so they are
    unscaled and checked in float32, and an export rounds to the initializer's
    own type. Runs before differentiation.

    ```mlir
    // before
    amp.variable @w : tensor<4x3xf16> kind parameter {trained}
    %w = amp.read @w : tensor<4x3xf16>
    // after
    amp.variable @w : tensor<4x3xf32> kind parameter {trained}
    %0 = amp.read @w : tensor<4x3xf32>
    %w = amp.cast %0 : (tensor<4x3xf32>) -> tensor<4x3xf16>
    ```
  }];
  let dependentDialects = ["::amp::AmpDialect"];
}

def AttachLossPass : Pass<"amp-attach-loss", "::mlir::ModuleOp"> {
  let summary = "Make @loss from @forward";
  let description = [{
    Copies `@forward` and puts a loss behind it: the loss becomes the first
    result, the target the last argument. `loss` is
    `KIND[,output=NAME][,target=NAME][,key=value...]`:

    | kind | keys beside output, target, reduction=mean\|sum |
    | --- | --- |
    | softmax_cross_entropy | class_axis, ignore_index (-100), label_smoothing (0) |
    | mse, l1, bce_with_logits | |
    | smooth_l1 | beta (1) |
    | graph_output | (no target: a scalar output is the loss) |

    The output may be left out where only one is possible. The target is called
    `target` unless named; an input of that name is used, else an argument is
    added: i64 of the logits' shape without the class axis for
    softmax_cross_entropy, else f32 of the output's shape. `target_value=X`
    compares with a number instead; `weight=X` multiplies the loss. Without class_axis
    the classes are the last dimension of [N, C] and the second of [N, C, d...];
    where they are not the last one, the logits are transposed. Losses other
    than cross-entropy are composed of elementwise ops and a float32 reduction.

    Several terms stand between semicolons and add up. Where they have names,
    `NAME:KIND`, the terms of one name are a loss: a result `loss/NAME` with the
    role `named_loss` beside `loss`, the sum of all.

    ```mlir
    // before
    func.func @forward(%x: tensor<8x4xf32> {amp.name = "x", amp.role = "input"})
        -> (tensor<8x3xf32> {amp.name = "y", amp.role = "output"})
    // after, with loss="softmax_cross_entropy"
    func.func @loss(%x: tensor<8x4xf32> {...},
        %t: tensor<8xi64> {amp.name = "target", amp.role = "target"})
        -> (tensor<f32> {amp.name = "loss", amp.role = "loss"},
            tensor<8x3xf32> {...}) attributes {amp.loss = "softmax_cross_entropy,..."} {
      ...
      %loss, %lse, %count = amp.softmax_cross_entropy %y, %t {...}
    ```
  }];
  let options = [Option<"loss", "loss", "std::string", /*default=*/"",
                        "What to minimise: KIND[,key=value...]">];
  let dependentDialects = ["::amp::AmpDialect"];
}

def GroupParametersPass : Pass<"amp-group-parameters", "::mlir::ModuleOp"> {
  let summary = "Assign the trained parameters to optimizers";
  let description = [{
    Each trained variable gets the name of the optimizer that updates it,
    `amp.group`: the one whose `params=PATTERN[:PATTERN...]` (shell patterns of
    ONNX names) match, or the one without patterns. Two optimizers that both
    want a parameter, a parameter that none wants, a pattern without any match
    and an optimizer that minimises an unknown loss are errors. The module gets
    the text, `amp.optimizer`. Nothing happens for one optimizer without name.

    ```mlir
    // before
    amp.variable @gen.w : tensor<4x3xf32> kind parameter {trained}
    amp.variable @dis.w : tensor<3x1xf32> kind parameter {trained}
    // after, with optimizer="d:sgd,params=dis.*,loss=d;g:adam,loss=g"
    amp.variable @gen.w : ... {amp.group = "g", trained}
    amp.variable @dis.w : ... {amp.group = "d", trained}
    ```
  }];
  let options = [Option<"optimizer", "optimizer", "std::string",
                        /*default=*/"\"sgd\"",
                        "NAME:KIND[,key=value...], several between semicolons">];
  let dependentDialects = ["::amp::AmpDialect"];
}

def DifferentiatePass : Pass<"amp-differentiate", "::mlir::ModuleOp"> {
  let summary = "Make @backward from @loss";
  let description = [{
    Copies `@loss` and appends reverse-mode gradients of the loss with respect
    to every variable marked `trained`; each becomes a result with role
    `gradient` and the variable's symbol as name. Only values on a path from a
    trained variable to the loss are differentiated, so frozen parameters cost
    nothing. Where variables belong to optimizers (`amp.group`), each gets the
    gradient of the losses that its optimizer minimises, and an optimizer whose
    parameters no loss of its reaches is left without any, with a warning.
    With `separate` each loss has a backward of its own, and `amp.scale_of` on a
    gradient names it. Gradients that meet are added by `amp.fan_in_sum` in float32, and
    gradients of weights leave matrix products and convolutions in float32. A
    trained variable that no path connects with the loss is an error.

    ```mlir
    // before
    func.func @loss(%x, %t) -> (loss, outputs) {
      %w = amp.read @w : tensor<4x3xf32>
      %y = amp.matmul %x, %w {acc = f32} : ...
      %loss, %lse, %count = amp.softmax_cross_entropy %y, %t {...}
    // after
    func.func @backward(%x, %t) -> (loss, outputs,
        tensor<4x3xf32> {amp.name = "w", amp.role = "gradient"}) {
      ... the same ...
      %seed = amp.seed_gradient tensor<f32>
      %dy = amp.softmax_cross_entropy_grad %seed, %y, %t, %lse, %count {...}
      %dw = amp.matmul %x, %dy {acc = f32, transpose_lhs} : ...
    ```
  }];
  let options = [
    Option<"separate", "separate", "bool", /*default=*/"false",
           "A backward for each named loss, whose scale is its own">];
  let dependentDialects = ["::amp::AmpDialect"];
}

def BuildEntriesPass : Pass<"amp-build-entries", "::mlir::ModuleOp"> {
  let summary = "Make the entry points of a program";
  let description = [{
    Makes the functions of docs/Runtime.md from `@forward`, `@loss` and
    `@backward`, and the variables they need (moments, counters, random seed,
    accumulators), then drops those three.

    * `train_step`: backward, `amp.check_gradients`, one `amp.optimizer_step` a
      parameter, `amp.advance_counters`; buffers are written through
      `select(finite, new, old)`, so a skipped step changes counters only.
    * `accumulate`, `apply` (with `accumulate`): gradients of
      loss / micro_batches are added up in float32; the check, the update and
      the counters come once, at the end of the window. Running statistics of
      the window live in `NAME.pending` until `apply` takes them over, or
      drops them with the rest of a window that is not finite.
    * `eval`, `predict`: inference form, batch_norm with running statistics and
      no dropout; nothing is written. In `eval` only the first `valid_rows`
      rows count, in the loss as well as in `correct` and `counted` (targets
      that count; rows, where the loss has no classes).
    * `gradients`: loss, outputs, unscaled gradients and new values of buffers;
      nothing is written.

    The scale operands are one constant 1 until loss scaling replaces it.

    Optimizers with names (see amp-group-parameters) have a check, a learning
    rate (`schedule/NAME`) and a counter `amp.applied.NAME` each, and one whose
    gradients are not finite is skipped alone, or all are with `skip-all`. Where
    losses have scales of their own, gradients of several losses are unscaled
    before they are added; `amp.scale_of` on an op that unscales names the loss.
    With `alternate` there is no `train_step`, but `train_step.NAME` for each:
    the module attribute `amp.turns` lists them in order, the last one advances
    the counters, and `amp.skipped_turns` keeps the flag in between. A batch
    norm updates its running statistics in a turn if that turn computes values
    that no earlier one had. With `accumulate`, too, there are
    `accumulate.NAME` and `apply.NAME` for each (`amp.window_turns` lists the
    latter): a turn is a window. With `skip-all` a turn behind one that
    overflowed updates nothing; what earlier ones have written is taken back
    by whoever runs them.

    ```mlir
    // before: @forward, @loss, @backward and
    amp.variable @w : tensor<4x3xf32> kind parameter {trained}
    // after, with optimizer="sgd,lr=0.1,momentum=0.9" entries=train_step
    amp.variable @w.momentum_buffer : tensor<4x3xf32> kind moment init ...
    func.func @train_step(%x, %t, %schedule, %clip) -> (loss, grad_norm, ...) {
      ...
      %finite, %norm = amp.check_gradients(%dw) scale %one ...
      %lr = amp.learning_rate %applied, %schedule : ...
      %p:2 = amp.optimizer_step %w, %dw, %lr, %one, %norm, %clip, %finite, %applied states(%buf) {kind = #amp<optimizer sgd>, ...} : ...
      amp.write @w, %p#0 : tensor<4x3xf32>
    ```
  }];
  let options = [
    Option<"optimizer", "optimizer", "std::string", /*default=*/"\"sgd\"",
           "Update rule: KIND[,key=value...], as in PyTorch">,
    Option<"clip", "clip", "::amp::ClipMode",
           /*default=*/"::amp::ClipMode::None", "Gradient clipping",
           [{::llvm::cl::values(
               clEnumValN(::amp::ClipMode::None, "none", "off"),
               clEnumValN(::amp::ClipMode::Norm, "norm",
                          "bound of the norm of all gradients"),
               clEnumValN(::amp::ClipMode::Value, "value",
                          "bound of each element"))}]>,
    Option<"accumulate", "accumulate", "bool", /*default=*/"false",
           "Make accumulate and apply, too">,
    Option<"skipAll", "skip-all", "bool", /*default=*/"false",
           "Named optimizers share one flag and one norm">,
    Option<"alternate", "alternate", "bool", /*default=*/"false",
           "Named optimizers take turns within an iteration">,
    ListOption<"entries", "entries", "std::string",
               "Entry points to make (default: train_step, eval, predict, "
               "gradients)">,
  ];
  let dependentDialects = ["::amp::AmpDialect"];
}

def ExpandGradientsPass : Pass<"amp-expand-gradients", "::mlir::ModuleOp"> {
  let summary = "Replace amp.gradient by the ops of the gradient";
  let description = [{
    Differentiates the body of each `amp.gradient` in reverse mode, the innermost
    first, and puts body and gradient in its place. Parts of the body that the
    function computes already are shared, so that a gradient at the values of the
    forward part repeats none of it. The gradient is seeded with ones; of an
    argument that only integers and comparisons lead away from it is zero. An op
    between an argument and y that has no gradient is an error. Does nothing
    without `amp.gradient`; changes no bits.

    Runs behind amp-build-entries: `predict` and `eval` differentiate what they
    compute, norms with running statistics. amp-differentiate expands those in
    its own copy of `@loss` first.

    ```mlir
    // before
    %dx = amp.gradient(%x) : (tensor<3xf32>) -> tensor<3xf32> {
    ^bb0(%a: tensor<3xf32>):
      %y = amp.mul %a, %z : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      amp.yield %y : tensor<3xf32>
    }
    // after
    %one = amp.constant dense<1.0> : tensor<3xf32>
    %dx = amp.mul %one, %z : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    ```
  }];
  let dependentDialects = ["::amp::AmpDialect"];
}

def UpdateOnSkipPass : Pass<"amp-update-on-skip", "::mlir::ModuleOp"> {
  let summary = "Let skipped steps write some state";
  let description = [{
    A step whose gradients are not finite changes no variable but counters and
    the loss scale. `variables` lists what it changes all the same: `buffers`,
    which are all running statistics, or shell patterns of their names.

    ```mlir
    // before
    %new = amp.select %finite, %mean, %old : ...
    amp.write @bn.running_mean, %new : tensor<3xf32>
    // after, with variables=buffers
    amp.write @bn.running_mean, %mean : tensor<3xf32>
    ```

    The variables get the attribute `amp.update_on_skip`, which tells
    amp-verify-gradients that this was meant.
  }];
  let options = [ListOption<"variables", "variables", "std::string",
                            "buffers, or patterns of names">];
  let dependentDialects = ["::amp::AmpDialect"];
}

def VerifyGradientsPass : Pass<"amp-verify-gradients", "::mlir::ModuleOp"> {
  let summary = "Check what the training stage leaves behind";
  let description = [{
    In `train_step` (or `apply`, or the turns together) each trained parameter
    has exactly one
    `amp.optimizer_step`, which reads its value, takes a float32 gradient, and
    whose result is written back. Whatever else is written depends on the flag
    of `amp.check_gradients`, except counters and the state of an accumulation
    window. `eval`, `predict` and `gradients` write nothing. Changes nothing;
    the first offender is an error.

    ```mlir
    // error: 'amp.write' op of '@mean' in @train_step is not guarded by the
    // flag of amp.check_gradients: a skipped step would change it
    amp.write @mean, %new : tensor<8xf32>
    ```
  }];
  let dependentDialects = ["::amp::AmpDialect"];
}

#endif // AMP_TRANSFORMS_AUTODIFF_PASSES
