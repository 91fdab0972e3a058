//===- AmpDialect.td - The amp dialect ---------------------*- tablegen -*-===//

#ifndef AMP_DIALECT_TD
#define AMP_DIALECT_TD

include "mlir/IR/OpBase.td"

def Amp_Dialect : Dialect {
  let name = "amp";
  let cppNamespace = "::amp";
  let summary = "Training graphs, their precision and their schedule";
  let description = [{
    The dialect holds a training graph from import to schedule. Values are
    builtin ranked tensors with static shapes; state is explicit
    (`amp.variable`, `amp.read`, `amp.write`), so everything between the reads
    at the entry of a function and the writes at its exit is pure.

    Every op states a precision class and, where it sums, the type in which it
    accumulates. Ops are grouped in families; a family is one file in ODS, in
    verification, folding, import, gradient rules and code generation.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

#endif // AMP_DIALECT_TD
