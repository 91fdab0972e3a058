//===- StateOps.td - Variables -----------------------------*- tablegen -*-===//

#ifndef AMP_STATE_OPS_TD
#define AMP_STATE_OPS_TD

include "amp/Dialect/Amp/IR/AmpBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Amp_VariableOp : Amp_Op<"variable", Amp_Precision<"Transparent">,
    [Symbol, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a tensor that lives as long as the training run";
  let description = [{
    Parameters, buffers, optimizer moments, counters: everything a resumed run
    needs. `init` is a value of the variable's type or, as a scalar of its
    element type, a fill. `source` is the ONNX initializer it came from;
    `shadow_of` the float32 variable a shadow copies; `trained` marks a
    parameter that gets gradients; `reason` says why it is what it is.

    Example: `amp.variable @fc1.weight : tensor<96x64xf32> kind parameter
      {source = "fc1.weight", trained}`
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$type,
    Amp_VariableKindAttr:$kind, OptionalAttr<ElementsAttr>:$init,
    OptionalAttr<StrAttr>:$source, OptionalAttr<FlatSymbolRefAttr>:$shadow_of,
    UnitAttr:$trained, OptionalAttr<StrAttr>:$reason);
  let assemblyFormat = [{
    $sym_name `:` $type `kind` `` $kind (`init` $init^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Amp_ReadOp : Amp_Op<"read", Amp_Precision<"Transparent">,
    [MemoryEffects<[MemRead]>, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "value of a variable at the entry of the function";
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let results = (outs Amp_Tensor:$result);
  let assemblyFormat = "$variable attr-dict `:` type($result)";
}

def Amp_WriteOp : Amp_Op<"write", Amp_Precision<"Transparent">,
    [MemoryEffects<[MemWrite]>,
     DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "value of a variable from the exit of the function on";
  let arguments = (ins FlatSymbolRefAttr:$variable, Amp_Tensor:$value);
  let assemblyFormat = "$variable `,` $value attr-dict `:` type($value)";
}

#endif // AMP_STATE_OPS_TD
