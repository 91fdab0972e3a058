// RUN: not amp-opt %s --amp-scale-loss="scaler=dynamic" 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not amp-opt %s --amp-scale-loss="scaler=static" 2>&1 | FileCheck %s --check-prefix=SCALE
// RUN: not amp-opt %s --amp-scale-loss="scaler=pytorch,scale=2" 2>&1 | FileCheck %s --check-prefix=KEY

// KIND: error: unknown loss scaler 'dynamic', expected pytorch, static or none
// SCALE: error: loss scaler static needs scale=N
// KEY: error: loss scaler pytorch: unknown key 'scale', expected init_scale, growth_factor, backoff_factor, growth_interval
func.func @nothing() {
  return
}
