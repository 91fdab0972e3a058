//===- AmpInterfaces.td - Small op interfaces --------------*- tablegen -*-===//

#ifndef AMP_INTERFACES_TD
#define AMP_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Amp_PrecisionOpInterface : OpInterface<"PrecisionOpInterface"> {
  let cppNamespace = "::amp";
  let description = [{
    What precision assignment asks of an op. The answers come from the
    precision parameter that every op record has to give.
  }];
  let methods = [
    InterfaceMethod<"The op's precision class.",
      "::amp::PrecisionClass", "getPrecisionClass", (ins),
      [{ return ConcreteOp::precisionClass(); }]>,
    InterfaceMethod<[{
      True if the operand stays float32 under every policy (statistics, scales
      of a norm, scalars of the optimizer).}],
      "bool", "isWideOperand", (ins "unsigned":$index),
      [{ return $_op.wideOperand(index); }]>,
    InterfaceMethod<"True if the result stays float32 under every policy.",
      "bool", "isWideResult", (ins "unsigned":$index),
      [{ return $_op.wideResult(index); }]>,
  ];
}

def Amp_AccumulatingOpInterface : OpInterface<"AccumulatingOpInterface"> {
  let cppNamespace = "::amp";
  let description = [{
    An op that sums, and the type in which it does so (attribute `acc`).
  }];
  let methods = [
    InterfaceMethod<"Accumulator type.", "::mlir::Type", "getAccumulator",
      (ins), [{ return $_op.getAcc(); }]>,
    InterfaceMethod<"Sets the accumulator type.", "void", "setAccumulator",
      (ins "::mlir::Type":$type),
      [{ $_op.setAccAttr(::mlir::TypeAttr::get(type)); }]>,
  ];
}

#endif // AMP_INTERFACES_TD
