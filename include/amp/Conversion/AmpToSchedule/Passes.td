//===- Passes.td - Functions to schedules ------------------*- tablegen -*-===//

#ifndef AMP_CONVERSION_AMPTOSCHEDULE_PASSES
#define AMP_CONVERSION_AMPTOSCHEDULE_PASSES

include "mlir/Pass/PassBase.td"

def AmpToSchedulePass : Pass<"amp-to-schedule", "::mlir::ModuleOp"> {
  let summary = "Turn planned functions into ordered launches";
  let description = [{
    Every function becomes an `amp.entry` whose launches name buffers at fixed
    places; each distinct region becomes one `amp.kernel`. What is left is legal
    on every target: the schedule and the plan do not depend on it.

    ```mlir
    // before
    func.func @predict(%x: tensor<16xf32> {amp.name = "x", amp.role = "input"})
        -> (tensor<16xf32> {amp.name = "y", amp.role = "output"}) attributes {...} {
      %0 = amp.region(%x) ...
      return %0
    // after
    amp.kernel @k0 { ... }
    amp.entry @predict arguments [...] results [...] arena 0 bound 0 {
      amp.launch #amp<launch_kind kernel> "k0" [#amp.buffer<argument, 0, ...>,
        #amp.buffer<result, 0, ...>] outputs 1 phase #amp<phase forward>
    }
    ```
  }];
  let dependentDialects = ["::amp::AmpDialect"];
}

def VerifySchedulePass : Pass<"amp-verify-schedule", "::mlir::ModuleOp"> {
  let summary = "Check that only launches are left and can run";
  let description = [{
    Fails on the first op that is no variable, kernel or entry, on a launch of a
    kernel that does not exist, and on a buffer outside of the arena, variable,
    constant, argument or result it lies in.
  }];
}

def AddProbesPass : Pass<"amp-add-probes", "::mlir::ModuleOp"> {
  let summary = "Add kernels that show the inner values of others";
  let description = [{
    A kernel keeps most of its values in registers. For observers (calibration,
    `--detect-anomaly`) each kernel with such values gets a second one,
    `NAME.probe`, with the same inputs and body, whose outputs are those values
    in float32; `amp.probed` lists the ops they belong to. A probe runs only
    while a run is observed.

    ```mlir
    // before
    amp.kernel @k0 {
    ^bb0(%x: tensor<4xbf16>):
      %0 = amp.exp %x : (tensor<4xbf16>) -> tensor<4xf32>
      %1 = amp.neg %0 : (tensor<4xf32>) -> tensor<4xf32>
      amp.yield %1 : tensor<4xf32>
    }
    // after
    amp.kernel @k0 attributes {amp.probed = array<i64: 0>} { ... }
    amp.kernel @k0.probe {
    ^bb0(%x: tensor<4xbf16>):
      %0 = amp.exp %x : (tensor<4xbf16>) -> tensor<4xf32>
      amp.yield %0 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::amp::AmpDialect"];
}

#endif // AMP_CONVERSION_AMPTOSCHEDULE_PASSES
