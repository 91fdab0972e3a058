// RUN: not amp-opt %s --amp-scale-loss="scaler=dynamic" 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not amp-opt %s --amp-scale-loss="scaler=static" 2>&1 | FileCheck %s --check-prefix=SCALE
// RUN: not amp-opt %s --amp-scale-loss="scaler=pytorch,scale=2" 2>&1 | FileCheck %s --check-prefix=KEY

// KIND: error: unknown loss scaler 'dynamic', expected pytorch, keras, flax, jmp, apex, deepspeed, megatron, ort, mxnet, oneflow, paddle, mindspore, static or none
// SCALE: error: loss scaler static needs scale=N
// KEY: error: loss scaler pytorch: unknown key 'scale', expected init_scale, hysteresis_mode, growth_factor, backoff_factor, growth_interval, interval_per_scale, start, after_found, after_growth, hysteresis, refill, min_scale, max_scale, finite_guard, delay, error_at_min, abort_after
func.func @nothing() {
  return
}
