//===- OptimizerOps.td - Update of parameters and scaler ---*- tablegen -*-===//

#ifndef AMP_OPTIMIZER_OPS_TD
#define AMP_OPTIMIZER_OPS_TD

include "amp/Dialect/Amp/IR/AmpBase.td"

// All operands and results are float32 or counters: nothing here is a choice
// of the precision policy.
defvar Amp_KeepAll = Amp_Precision<"Keep", [-1], [-1]>;

def Amp_CheckGradientsOp
    : Amp_SumOp<"check_gradients", Amp_KeepAll, [Pure]> {
  let summary = "pass 1: are all gradients finite, and their norm";
  let description = [{
    Reads every gradient once. `finite` is true if no element is inf or NaN;
    `norm` = sqrt(sum of (g / scale)^2). Without `scale` it is 1.
  }];
  let arguments = (ins Variadic<Amp_FloatTensor>:$gradients,
                       Amp_F32Scalar:$scale, TypeAttr:$acc);
  let results = (outs Amp_BoolTensor:$finite, Amp_F32Scalar:$norm);
  let assemblyFormat = [{
    `(` $gradients `)` `scale` $scale attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Amp_OptimizerStepOp : Amp_Op<"optimizer_step", Amp_KeepAll,
    [Pure, AttrSizedOperandSegments, AttrSizedResultSegments]> {
  let summary = "pass 2: the update of one parameter";
  let description = [{
    `g = grad * (1 / scale)`, clipped by norm (times
    `min(1, clip / (norm + 1e-6))`) or by value, then PyTorch's formula of
    `kind` with the numbers of `config`. If `finite` is false every result is
    the old value. `applied` is the number of updates made so far (bias
    correction uses applied + 1). `shadows` are copies of the new parameter in
    other types. All steps of a function become one launch.

    States: sgd {momentum_buffer if momentum}, adam/adamw {exp_avg, exp_avg_sq,
    max_exp_avg_sq if amsgrad}, rmsprop {square_avg, momentum_buffer if
    momentum, grad_avg if centered}, adagrad {sum}, lamb, radam {exp_avg,
    exp_avg_sq}, nadam {exp_avg, exp_avg_sq, mu_product}, lion {exp_avg},
    adafactor {row_var, col_var or, below two dimensions, variance}.

    A parameter without float32 master is stored low: arithmetic is float32, and
    the result is rounded to nearest even or, with `rng` (seed and stream of
    @amp.rng), stochastically. A parameter of kind bf16 with a residual has the
    low 16 bits of its float32 value as a last state of type i16.
  }];
  let arguments = (ins Amp_FloatTensor:$param, Amp_FloatTensor:$grad,
    Amp_F32Scalar:$lr, Amp_F32Scalar:$scale, Amp_F32Scalar:$norm,
    Amp_F32Scalar:$clip, Amp_BoolTensor:$finite, Amp_IntTensor:$applied,
    Optional<Amp_IntTensor>:$rng, Variadic<Amp_Tensor>:$states,
    Amp_OptimizerKindAttr:$kind, Amp_ClipModeAttr:$clip_mode,
    DictionaryAttr:$config);
  let results = (outs Amp_FloatTensor:$new_param,
    Variadic<Amp_Tensor>:$new_states,
    Variadic<Amp_FloatTensor>:$shadows);
  let assemblyFormat = [{
    $param `,` $grad `,` $lr `,` $scale `,` $norm `,` $clip `,` $finite `,`
    $applied (`rng` $rng^)? (`states` `(` $states^ `)`)? attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Amp_UnscaleOp : Amp_Op<"unscale", Amp_KeepAll, [Pure, Amp_Broadcasting]> {
  let summary = "gradient * (1 / scale), where a gradient leaves the program";
  let arguments = (ins Amp_FloatTensor:$gradient, Amp_F32Scalar:$scale);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
}

def Amp_ScalerUpdateOp : Amp_Op<"scaler_update", Amp_KeepAll, [Pure]> {
  let summary = "dynamic loss scale after a step";
  let description = [{
    One machine for the scalers of all systems (docs/LossScaling.md). State:
    `scale`; `next`, the scale of the step after where `delay` is set; `tracker`
    counts clean steps, `hysteresis` the overflows left before a backoff, `bad`
    overflows in a row.

    Not finite: tracker = `after_found`; hysteresis - 1, and at 0 or below scale
    = max(scale * `backoff_factor`, `min_scale`). Finite: tracker + 1, and at
    `growth_interval` tracker = `after_growth`, scale = min(scale *
    `growth_factor`, `max_scale`), where `finite_guard` decides about products
    that are not finite. `refill` lists the events (clean, backoff, growth) that
    set hysteresis back to its first value. Products are formed in float64 and
    rounded once. Numbers that `config` leaves out are PyTorch's.
  }];
  let arguments = (ins Amp_F32Scalar:$scale, Amp_F32Scalar:$next,
    Amp_IntTensor:$tracker, Amp_IntTensor:$hysteresis, Amp_IntTensor:$bad,
    Amp_BoolTensor:$finite, DictionaryAttr:$config);
  let results = (outs Amp_F32Scalar:$new_scale, Amp_F32Scalar:$new_next,
    Amp_IntTensor:$new_tracker, Amp_IntTensor:$new_hysteresis,
    Amp_IntTensor:$new_bad);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Amp_LearningRateOp : Amp_Op<"learning_rate", Amp_KeepAll, [Pure]> {
  let summary = "learning rate after `applied` updates";
  let description = [{
    `schedule` f32[8] = {kind, base, warm-up, period, gamma, total, minimum, 0},
    see docs/Runtime.md.
  }];
  let arguments = (ins Amp_IntTensor:$applied, Amp_FloatTensor:$schedule);
  let results = (outs Amp_F32Scalar:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Amp_AdvanceCountersOp : Amp_Op<"advance_counters", Amp_KeepAll, [Pure]> {
  let summary = "iteration + 1; applied + 1 if finite, else skipped + 1";
  let arguments = (ins Amp_IntTensor:$iteration, Amp_IntTensor:$applied,
                       Amp_IntTensor:$skipped, Amp_BoolTensor:$finite);
  let results = (outs Amp_IntTensor:$new_iteration, Amp_IntTensor:$new_applied,
                      Amp_IntTensor:$new_skipped);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Amp_AccumulateGradientOp
    : Amp_SumOp<"accumulate_gradient", Amp_KeepAll, [Pure]> {
  let summary = "accumulator + gradient, in float32, over micro-batches";
  let arguments = (ins Amp_FloatTensor:$accumulator, Amp_FloatTensor:$gradient,
                       TypeAttr:$acc);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif // AMP_OPTIMIZER_OPS_TD
