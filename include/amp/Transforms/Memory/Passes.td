//===- Passes.td - Memory planning -------------------------*- tablegen -*-===//

#ifndef AMP_TRANSFORMS_MEMORY_PASSES
#define AMP_TRANSFORMS_MEMORY_PASSES

include "mlir/Pass/PassBase.td"

def PlanMemoryPass : Pass<"amp-plan-memory", "::mlir::func::FuncOp"> {
  let summary = "Give every value of a step its place in one arena";
  let description = [{
    Writes `amp.offsets` (one byte offset per result, -1 where the result lives
    elsewhere) on each op and `amp.arena`, `amp.arena_bound` (the largest sum of
    the buffers alive at one launch) on the function. Nothing else changes.

    ```mlir
    // before
    func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
      %0 = amp.exp %x : ...
      %1 = amp.neg %0 : ...
    // after
    func.func @f(%x: tensor<16xf32>) -> tensor<16xf32>
        attributes {amp.arena = 64 : i64, amp.arena_bound = 64 : i64} {
      %0 = amp.exp %x {amp.offsets = array<i64: 0>} : ...
      %1 = amp.neg %0 {amp.offsets = array<i64: -1>} : ...
    ```
  }];
}

def VerifyPlanPass : Pass<"amp-verify-plan", "::mlir::func::FuncOp"> {
  let summary = "Check that buffers alive together do not overlap";
  let description = [{
    Fails on the first op whose result has no place, lies outside the arena, is
    not aligned, or overlaps a buffer that is alive at the same time, and on the
    first op that reads a buffer after an update has replaced its content.
  }];
}

#endif // AMP_TRANSFORMS_MEMORY_PASSES
