// RUN: amp-opt %s --split-input-file --verify-diagnostics --amp-narrow-state="master=none"
// RUN: not amp-opt %s --split-input-file --amp-narrow-state="master=half" 2>&1 | FileCheck %s --check-prefix=MASTER
// RUN: not amp-opt %s --split-input-file --amp-narrow-state="moments=f8" 2>&1 | FileCheck %s --check-prefix=MOMENTS
// RUN: not amp-opt %s --split-input-file --amp-narrow-state="master=bf16+residual" 2>&1 | FileCheck %s --check-prefix=SPLIT
// RUN: not amp-opt %s --split-input-file --amp-narrow-state="stochastic-rounding" 2>&1 | FileCheck %s --check-prefix=NOTHING

// MASTER: unknown master weights 'half', expected f32, none or bf16+residual
// MOMENTS: unknown type of moments 'f8', expected f32, bf16 or fp16
// SPLIT: --master-weights bf16+residual splits float32 values into bf16 and a residual and needs --precision bf16, got fp16
// NOTHING: --stochastic-rounding has nothing to round: it needs --master-weights none, or --moments bf16 or fp16
module attributes {amp.precision = f16} {
  // expected-error @+1 {{parameter 'w' holds 1.000000e+05, which 'f16' does not; keep its float32 master (--master-weights f32)}}
  amp.variable @w : tensor<2xf32> kind parameter init dense<[1.0, 1.0e5]> : tensor<2xf32> {trained}
}

// -----

// expected-error @+1 {{--master-weights none stores parameters in the low type, and --precision fp32 has none; expected --precision bf16 or fp16}}
module {
}
