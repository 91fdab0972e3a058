//===- StatePasses.td - How parameters and moments are stored -------------===//

#ifndef AMP_TRANSFORMS_PRECISION_STATEPASSES
#define AMP_TRANSFORMS_PRECISION_STATEPASSES

include "mlir/Pass/PassBase.td"

def NarrowStatePass : Pass<"amp-narrow-state", "::mlir::ModuleOp"> {
  let summary = "Store parameters and moments in fewer bits";
  let description = [{
    Changes what the update stores, never how it computes: arithmetic is
    float32. After the casts are settled, so that a parameter's reads show what
    the steps want of it.

    * `master=none`: every trained parameter is stored in the low type
      (`amp.precision`) alone, but those of batch norms. Its initial value is
      rounded to nearest even; one that the type does not hold is an error.
      Where a step wants float32, the low value is widened.
    * `master=bf16+residual`: parameters that the steps read in bf16 only are
      stored as that bf16 and 16 residual bits (i16, a state of the update),
      from which the update makes the float32 value again, bit for bit
      (ABI/Residual.h). Others stay float32.
    * `moments=bf16|fp16`: states of the optimizer, but products of factors.
    * `stochastic-rounding`: updates that store anything low read `@amp.rng`.

    ```mlir
    // before, with master=none
    amp.variable @w : tensor<4x3xf32> kind parameter {trained}
    %w = amp.read @w : tensor<4x3xf32>
    %0 = amp.cast %w : (tensor<4x3xf32>) -> tensor<4x3xbf16>
    %p = amp.optimizer_step %w, %dw, ... : ... -> tensor<4x3xf32>
    // after
    amp.variable @w : tensor<4x3xbf16> kind parameter {trained}
    %w = amp.read @w : tensor<4x3xbf16>
    %p = amp.optimizer_step %w, %dw, ... : ... -> tensor<4x3xbf16>
    ```
  }];
  let options = [
    Option<"master", "master", "std::string", /*default=*/"\"f32\"",
           "f32, none or bf16+residual">,
    Option<"moments", "moments", "std::string", /*default=*/"\"f32\"",
           "f32, bf16 or fp16">,
    Option<"stochasticRounding", "stochastic-rounding", "bool",
           /*default=*/"false",
           "Round what is stored low by chance, without bias">,
  ];
  let dependentDialects = ["::amp::AmpDialect"];
}

def MaterializeShadowsPass
    : Pass<"amp-materialize-shadows", "::mlir::ModuleOp"> {
  let summary = "Let the update write the copies of weights that steps read";
  let description = [{
    A cast of a parameter becomes a read of a shadow variable; convolutions get
    a shadow per direction (in float32, too), for each wants a layout of its
    own. `optimizer_step` writes the shadows, so a step casts no weight. A
    parameter that is stored low has wider shadows, for readers that want
    float32, and none for a layout of what is stored, which the runtime keeps.

    ```mlir
    // before
    %w = amp.read @w : tensor<4x3xf32>
    %0 = amp.cast %w : (tensor<4x3xf32>) -> tensor<4x3xbf16>
    // after
    amp.variable @w.shadow.bf16 : tensor<4x3xbf16> kind shadow {shadow_of = @w}
    %0 = amp.read @w.shadow.bf16 : tensor<4x3xbf16>
    ```
  }];
  let dependentDialects = ["::amp::AmpDialect"];
}

#endif // AMP_TRANSFORMS_PRECISION_STATEPASSES
