//===- Passes.td - Raising decomposed patterns -------------*- tablegen -*-===//

#ifndef AMP_TRANSFORMS_RAISE_PASSES
#define AMP_TRANSFORMS_RAISE_PASSES

include "mlir/Pass/PassBase.td"

def RaisePatternsPass : Pass<"amp-raise-patterns"> {
  let summary = "Turn decomposed norms, GELU and attention into one op";
  let description = [{
    Exporters write functions without an op of their own as elementwise ops and
    reductions. Where these compute exactly a layer norm over the last
    dimensions, a GELU (erf or tanh form), a softmax or log-softmax of the last
    dimension with its maximum taken out, the mean cross-entropy of a log-softmax
    with a one-hot product, or attention (with its scale behind the product or
    split over query and key, a mask that is added or selects, and the zeros
    that replace NaN where no row is masked as a whole), they become that op. Constants have to
    be equal as float32 and every value in between must have no other use;
    where anything differs the ops stay as they are. Nodes that have become part
    of another one are listed in the module's `amp.merged_nodes`, so that users
    may still name them.

    ```mlir
    // before
    %0 = amp.mul %x, %half : ...
    %1 = amp.div %x, %sqrt2 : ...
    %2 = amp.erf %1 : ...
    %3 = amp.add %2, %one : ...
    %y = amp.mul %0, %3 : ...
    // after
    %y = amp.gelu %x {form = #amp<gelu_form erf>} : ...
    ```
  }];
  let dependentDialects = ["::amp::AmpDialect"];
}

#endif // AMP_TRANSFORMS_RAISE_PASSES
