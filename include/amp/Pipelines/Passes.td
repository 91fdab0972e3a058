//===- Passes.td - Passes that run whole stages ------------*- tablegen -*-===//

#ifndef AMP_PIPELINES_PASSES
#define AMP_PIPELINES_PASSES

include "mlir/Pass/PassBase.td"

def MarkRegionsPass : Pass<"amp-mark-regions", "::mlir::ModuleOp"> {
  let summary = "Tell every op which kernel it will share and what it will move";
  let description = [{
    Runs the optimise stage up to amp-form-regions on a float32 copy of the
    module and writes what came of it on the ops of the original; the copy is
    dropped. The precision stage then knows which values reach memory.

    * `amp.region`: number of the generated kernel that computes the op; ops
      with one number share it. Absent for routines of the runtime and for views
      that move nothing.
    * `amp.traffic`: elements the launches of the op move: `loads` for each
      operand, `stores` for each result, `inner` between the pieces of the op,
      `copies` for each operand that a launch before it copies into the memory
      order the op reads (absent if none is; readers of one copy all have it).
      A tensor that a kernel reads for several of its ops is charged to the
      first of them. Absent if all of them are 0.
    * `amp.fixed_bytes` on a function: bytes of everything that has no choice of
      type (integers, state, what is copied at the border of the function).

    Functions whose casts are in place are left alone. Bits do not change.

    ```mlir
    // before
    %0 = amp.relu %x : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = amp.mul %0, %0 : ...
    // after
    %0 = amp.relu %x {amp.region = 0 : i64, amp.traffic = {inner = 0 : i64,
      loads = array<i64: 32>, stores = array<i64: 0>}} : ...
    %1 = amp.mul %0, %0 {amp.region = 0 : i64, amp.traffic = {inner = 0 : i64,
      loads = array<i64: 0, 0>, stores = array<i64: 32>}} : ...
    ```
  }];
  let dependentDialects = ["::amp::AmpDialect"];
}

#endif // AMP_PIPELINES_PASSES
