//===- ScheduleOps.td - Regions, kernels, launches ---------*- tablegen -*-===//

#ifndef AMP_SCHEDULE_OPS_TD
#define AMP_SCHEDULE_OPS_TD

include "amp/Dialect/Amp/IR/AmpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

// Structure, not arithmetic: the policy never asks these.
defvar Amp_NoPrecision = Amp_Precision<"Transparent">;

def Amp_RegionOp : Amp_Op<"region", Amp_NoPrecision,
    [Pure, IsolatedFromAbove, SingleBlock]> {
  let summary = "ops that share one kernel";
  let description = [{
    Elementwise ops and reductions of rows (the innermost dimensions) or
    columns; block arguments are the operands. Values inside live in float32
    registers; what is yielded is stored. Types inside are physical: row-major
    shapes with the elements of the operand or result.
  }];
  let arguments = (ins Variadic<Amp_Tensor>:$inputs);
  let results = (outs Variadic<Amp_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` `:` functional-type($inputs, $outputs) attr-dict-with-keyword
    $body
  }];
  let hasVerifier = 1;
}

def Amp_YieldOp : Amp_Op<"yield", Amp_NoPrecision,
    [Pure, Terminator, ReturnLike,
     ParentOneOf<["RegionOp", "KernelOp", "GradientOp"]>]> {
  let summary = "results of a region, a kernel or a differentiated function";
  let arguments = (ins Variadic<Amp_Tensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Amp_KernelOp : Amp_Op<"kernel", Amp_NoPrecision,
    [Symbol, IsolatedFromAbove, SingleBlock]> {
  let summary = "a region taken out of the graph, compiled once";
  let description = [{
    Block arguments are the inputs, yielded values the outputs; shapes are the
    physical ones (a channels-last tensor appears as [N, S..., C]). `units`,
    `unit_bytes` and `scratch_bytes` say how the runtime splits the work
    (docs/Runtime.md).
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
    OptionalAttr<I64Attr>:$units, OptionalAttr<I64Attr>:$unit_bytes,
    OptionalAttr<I64Attr>:$scratch_bytes);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
}

def Amp_EntryOp : Amp_Op<"entry", Amp_NoPrecision,
    [Symbol, IsolatedFromAbove, SingleBlock, NoTerminator]> {
  let summary = "the launches of an entry point, in order";
  let description = [{
    `arguments` and `results` are arrays of dictionaries {name, role, type};
    `arena` is the size and `arena_bound` the liveness lower bound in bytes.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, ArrayAttr:$entry_arguments,
    ArrayAttr:$entry_results, I64Attr:$arena, I64Attr:$arena_bound);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `arguments` $entry_arguments `results` $entry_results
    `arena` $arena `bound` $arena_bound attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def Amp_LaunchOp : Amp_Op<"launch", Amp_NoPrecision, [HasParent<"EntryOp">]> {
  let summary = "one launch: a kernel or a built-in routine of the runtime";
  let description = [{
    `buffers` are #amp.buffer attributes, inputs first; the last `outputs` of
    them are written. `attrs` go to the routine (docs/Runtime.md).
  }];
  let arguments = (ins Amp_LaunchKindAttr:$kind, StrAttr:$symbol,
    ArrayAttr:$buffers, I64Attr:$outputs, OptionalAttr<DictionaryAttr>:$attrs,
    Amp_PhaseAttr:$phase);
  let assemblyFormat = [{
    `` $kind $symbol $buffers `outputs` $outputs `phase` `` $phase
    (`attrs` $attrs^)? attr-dict
  }];
  let hasVerifier = 1;
}

#endif // AMP_SCHEDULE_OPS_TD
