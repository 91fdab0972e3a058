//===- AmpAttrs.td - Enums and attributes ------------------*- tablegen -*-===//

#ifndef AMP_ATTRS_TD
#define AMP_ATTRS_TD

include "amp/Dialect/Amp/IR/AmpDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"

class Amp_I32Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::amp";
  let genSpecializedAttr = 0;
}

class Amp_EnumAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<Amp_Dialect, info, mnemonic>;

// What an op may do in low precision (docs/Precision.md).
//   allow        faster in low precision, safe with float32 accumulation
//   follow       takes the type of its inputs; its registers are float32
//   transparent  moves values without arithmetic
//   keep         needs float32 values at its borders unless told otherwise
def Amp_PrecisionClass : Amp_I32Enum<"PrecisionClass", "precision class", [
  I32EnumAttrCase<"Allow", 0, "allow">,
  I32EnumAttrCase<"Follow", 1, "follow">,
  I32EnumAttrCase<"Transparent", 2, "transparent">,
  I32EnumAttrCase<"Keep", 3, "keep">]>;

def Amp_ComparePredicate : Amp_I32Enum<"ComparePredicate", "comparison", [
  I32EnumAttrCase<"EQ", 0, "eq">, I32EnumAttrCase<"NE", 1, "ne">,
  I32EnumAttrCase<"LT", 2, "lt">, I32EnumAttrCase<"LE", 3, "le">,
  I32EnumAttrCase<"GT", 4, "gt">, I32EnumAttrCase<"GE", 5, "ge">]>;
def Amp_ComparePredicateAttr
    : Amp_EnumAttr<Amp_ComparePredicate, "predicate">;

def Amp_GeluForm : Amp_I32Enum<"GeluForm", "form of GELU", [
  I32EnumAttrCase<"Erf", 0, "erf">, I32EnumAttrCase<"Tanh", 1, "tanh">]>;
def Amp_GeluFormAttr : Amp_EnumAttr<Amp_GeluForm, "gelu_form">;

def Amp_LossReduction : Amp_I32Enum<"LossReduction", "reduction of a loss", [
  I32EnumAttrCase<"Mean", 0, "mean">, I32EnumAttrCase<"Sum", 1, "sum">]>;
def Amp_LossReductionAttr
    : Amp_EnumAttr<Amp_LossReduction, "loss_reduction">;

def Amp_OptimizerKind : Amp_I32Enum<"OptimizerKind", "optimizer", [
  I32EnumAttrCase<"SGD", 0, "sgd">, I32EnumAttrCase<"Adam", 1, "adam">,
  I32EnumAttrCase<"AdamW", 2, "adamw">,
  I32EnumAttrCase<"RMSprop", 3, "rmsprop">,
  I32EnumAttrCase<"Adagrad", 4, "adagrad">,
  I32EnumAttrCase<"LAMB", 5, "lamb">,
  I32EnumAttrCase<"Adafactor", 6, "adafactor">,
  I32EnumAttrCase<"Lion", 7, "lion">,
  I32EnumAttrCase<"NAdam", 8, "nadam">,
  I32EnumAttrCase<"RAdam", 9, "radam">]>;
def Amp_OptimizerKindAttr
    : Amp_EnumAttr<Amp_OptimizerKind, "optimizer">;

def Amp_ClipMode : Amp_I32Enum<"ClipMode", "gradient clipping", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Norm", 1, "norm">,
  I32EnumAttrCase<"Value", 2, "value">]>;
def Amp_ClipModeAttr : Amp_EnumAttr<Amp_ClipMode, "clip">;

def Amp_VariableKind : Amp_I32Enum<"VariableKind", "kind of variable", [
  I32EnumAttrCase<"Parameter", 0, "parameter">,
  I32EnumAttrCase<"Buffer", 1, "buffer">,
  I32EnumAttrCase<"Moment", 2, "moment">,
  I32EnumAttrCase<"Accumulator", 3, "accumulator">,
  I32EnumAttrCase<"Scaler", 4, "scaler">,
  I32EnumAttrCase<"Counter", 5, "counter">,
  I32EnumAttrCase<"Amax", 6, "amax">,
  I32EnumAttrCase<"Shadow", 7, "shadow">,
  I32EnumAttrCase<"Rng", 8, "rng">]>;
def Amp_VariableKindAttr : Amp_EnumAttr<Amp_VariableKind, "kind">;

def Amp_Phase : Amp_I32Enum<"Phase", "part of a training step", [
  I32EnumAttrCase<"Forward", 0, "forward">,
  I32EnumAttrCase<"Backward", 1, "backward">,
  I32EnumAttrCase<"Update", 2, "update">]>;
def Amp_PhaseAttr : Amp_EnumAttr<Amp_Phase, "phase">;

def Amp_BufferSpace : Amp_I32Enum<"BufferSpace", "where bytes live", [
  I32EnumAttrCase<"Arena", 0, "arena">,
  I32EnumAttrCase<"Variable", 1, "variable">,
  I32EnumAttrCase<"Constant", 2, "constant">,
  I32EnumAttrCase<"Argument", 3, "argument">,
  I32EnumAttrCase<"Result", 4, "result">]>;

def Amp_LaunchKind : Amp_I32Enum<"LaunchKind", "what a launch runs", [
  I32EnumAttrCase<"Kernel", 0, "kernel">,
  I32EnumAttrCase<"Builtin", 1, "builtin">]>;
def Amp_LaunchKindAttr : Amp_EnumAttr<Amp_LaunchKind, "launch_kind">;

class Amp_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Amp_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Amp_ChannelsLastAttr : Amp_Attr<"ChannelsLast", "channels_last"> {
  let summary = "encoding of a tensor stored channels-last";
  let description = [{
    The logical shape stays [N, C, spatial...]; in memory the channel is the
    innermost dimension. A tensor without encoding is row-major.
  }];
}

def Amp_BufferAttr : Amp_Attr<"Buffer", "buffer"> {
  let summary = "a place in memory and the tensor in it";
  let description = [{
    `index` is the number of the variable, argument or result (-1 elsewhere),
    `offset` a byte offset into the arena or the constants, `strides` element
    strides (empty: contiguous row-major).

    Example: `#amp.buffer<arena, -1, 4096, tensor<32x10xf32>, []>`
  }];
  let parameters = (ins
    EnumParameter<Amp_BufferSpace>:$space,
    "int64_t":$index,
    "int64_t":$offset,
    "::mlir::RankedTensorType":$type,
    OptionalArrayRefParameter<"int64_t">:$strides);
  let assemblyFormat = [{
    `<` $space `,` $index `,` $offset `,` $type `,` `[` (`]`) : ($strides^ `]`)? `>`
  }];
}

#endif // AMP_ATTRS_TD
