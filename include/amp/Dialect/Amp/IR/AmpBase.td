//===- AmpBase.td - Op base classes and constraints --------*- tablegen -*-===//

#ifndef AMP_BASE_TD
#define AMP_BASE_TD

include "amp/Dialect/Amp/IR/AmpAttrs.td"
include "amp/Dialect/Amp/IR/AmpInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

// Any tensor of the dialect: ranked, static, of numbers.
def Amp_Tensor : StaticShapeTensorOf<[AnyFloat, AnyInteger]>;
def Amp_FloatTensor : StaticShapeTensorOf<[AnyFloat]>;
def Amp_IntTensor : StaticShapeTensorOf<[AnyInteger]>;
def Amp_BoolTensor : StaticShapeTensorOf<[I1]>;
// A scalar float32, as the control values of a step are.
def Amp_F32Scalar : Type<And<[
    Amp_Tensor.predicate,
    CPred<"::llvm::cast<::mlir::RankedTensorType>($_self).getRank() == 0">,
    CPred<"::llvm::cast<::mlir::RankedTensorType>($_self)"
          ".getElementType().isF32()">]>,
    "float32 scalar tensor", "::mlir::RankedTensorType">;

// The precision answer of an op: its class, and the operands and results that
// stay float32 whatever the policy (numbers count ODS operands, where a
// variadic one counts once and -1 means all of them).
class Amp_Precision<string className, list<int> wideOperands = [],
                    list<int> wideResults = []> {
  code operandCases = !foldl("", wideOperands, text, i,
      text # "if (group == " # i # " || " # i # " == -1) return true; ");
  code resultCases = !foldl("", wideResults, text, i,
      text # "if (group == " # i # " || " # i # " == -1) return true; ");
  code declaration = [{
    static ::amp::PrecisionClass precisionClass() {
      return ::amp::PrecisionClass::}] # className # [{;
    }
    static bool wideOperandGroup(int group) { }] # operandCases #
    [{ (void)group; return false; }
    static bool wideResultGroup(int group) { }] # resultCases #
    [{ (void)group; return false; }
  }];
}

// Ops without variadic operands: operand number = group number.
class Amp_Op<string mnemonic, Amp_Precision precision, list<Trait> traits = []>
    : Op<Amp_Dialect, mnemonic,
         !listconcat(traits, [Amp_PrecisionOpInterface])> {
  // Members an op adds to its class.
  code declarations = "";
  // How a flat operand or result number maps to its ODS group.
  code grouping = [{
    static bool wideOperand(unsigned index) { return wideOperandGroup(index); }
    static bool wideResult(unsigned index) { return wideResultGroup(index); }
  }];
  let extraClassDeclaration =
      precision.declaration # grouping # declarations;
}

// Shapes of operands broadcast (NumPy's rule) to the shape of the result, and
// each element of the result depends on one element of each operand.
def Amp_Broadcasting : NativeOpTrait<"Broadcasting"> {
  let cppNamespace = "::amp";
}

// Attribute `acc`: the type of the running sum.
class Amp_SumOp<string mnemonic, Amp_Precision precision,
                list<Trait> traits = []>
    : Amp_Op<mnemonic, precision,
             !listconcat(traits, [Amp_AccumulatingOpInterface])>;

#endif // AMP_BASE_TD
