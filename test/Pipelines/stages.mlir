// RUN: amp-opt %s --amp-training="loss=mse optimizer=adam clip=norm" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=TRAINING
// RUN: amp-opt %s --amp-training="optimizer=sgd entries=predict" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=PREDICT
// RUN: amp-opt %s --amp-precision="precision=fp16 scaler=pytorch,init_scale=4" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=PRECISION
// RUN: amp-opt %s --amp-optimise --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=OPTIMISE
// RUN: amp-opt %s --amp-optimise --amp-schedule --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=SCHEDULE

// Each stage ends with its verification.
// TRAINING: amp-raise-patterns,
// TRAINING-NEXT: amp-widen-parameters,
// TRAINING-NEXT: amp-attach-loss{loss=mse},
// TRAINING-NEXT: amp-group-parameters{optimizer=adam},
// TRAINING-NEXT: amp-differentiate{separate=false},
// TRAINING-NEXT: amp-build-entries{accumulate=false alternate=false clip=norm {{.*}}optimizer=adam skip-all=false},
// TRAINING-NEXT: amp-expand-gradients,
// TRAINING-NEXT: func.func(
// TRAINING-NEXT: amp-simplify-gradients
// TRAINING-NEXT: ),
// TRAINING-NEXT: canonicalize
// TRAINING-NEXT: cse,
// TRAINING-NEXT: amp-verify-gradients
// TRAINING-NEXT: {{^\)$}}

// Without a loss there are no gradients.
// PREDICT: amp-raise-patterns,
// PREDICT-NEXT: amp-build-entries{{.*}}entries={predict}
// PREDICT-NEXT: amp-expand-gradients,
// PREDICT-NEXT: func.func(
// PREDICT-NOT: amp-verify-gradients

// PRECISION: amp-number-ops,
// PRECISION-NEXT: amp-analyze-ranges{{.*}},
// PRECISION-NEXT: amp-mark-regions,
// PRECISION-NEXT: amp-assign-precision{{.*}}precision=fp16},
// PRECISION-NEXT: amp-clamp-sentinels,
// PRECISION-NEXT: amp-insert-casts,
// PRECISION-NEXT: amp-accumulate-f32{{.*}},
// PRECISION-NEXT: amp-scale-loss{scaler=pytorch,init_scale=4},
// PRECISION-NEXT: amp-simplify-casts,
// PRECISION-NEXT: amp-narrow-state{{.*}},
// PRECISION-NEXT: amp-simplify-casts,
// PRECISION-NEXT: amp-materialize-shadows,
// PRECISION-NEXT: amp-verify-precision,
// PRECISION-NEXT: amp-remark-decisions
// PRECISION-NEXT: {{^\)$}}

// OPTIMISE: func.func(
// OPTIMISE-NEXT: amp-track-sources,
// OPTIMISE-NEXT: amp-decompose,
// OPTIMISE-NEXT: cse,
// OPTIMISE-NEXT: amp-assign-layout,
// OPTIMISE-NEXT: amp-compose-views,
// OPTIMISE-NEXT: amp-seed-regions,
// OPTIMISE-NEXT: amp-form-regions{{.*}},
// OPTIMISE-NEXT: amp-fuse-casts,
// OPTIMISE-NEXT: cse,
// OPTIMISE-NEXT: amp-plan-memory,
// OPTIMISE-NEXT: amp-verify-plan
// OPTIMISE-NEXT: ),
// OPTIMISE-NEXT: amp-remark-casts
// OPTIMISE-NEXT: {{^\)$}}
// SCHEDULE: amp-verify-plan
// SCHEDULE-NEXT: ),
// SCHEDULE-NEXT: amp-remark-casts,
// SCHEDULE-NEXT: amp-to-schedule,
// SCHEDULE-NEXT: amp-verify-schedule
// SCHEDULE-NEXT: {{^\)$}}

amp.variable @w : tensor<3x4xf32> kind parameter {trained}
func.func @forward(%x: tensor<8x3xf32> {amp.name = "x", amp.role = "input"})
    -> (tensor<8x4xf32> {amp.name = "y", amp.role = "output"}) {
  %w = amp.read @w : tensor<3x4xf32>
  %0 = amp.matmul %x, %w {acc = f32} : (tensor<8x3xf32>, tensor<3x4xf32>) -> tensor<8x4xf32>
  %1 = amp.exp %0 : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
