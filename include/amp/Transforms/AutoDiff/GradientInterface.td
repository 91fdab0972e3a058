//===- GradientInterface.td - What autodiff asks of an op ---*- tablegen -*-===//

#ifndef AMP_GRADIENT_INTERFACE_TD
#define AMP_GRADIENT_INTERFACE_TD

include "mlir/IR/OpBase.td"

def Amp_GradientOpInterface : OpInterface<"GradientOpInterface"> {
  let cppNamespace = "::amp";
  let description = [{
    How gradients pass through an op, attached from outside the dialect
    (`registerGradientModels`). Every op of the dialect answers.
  }];
  let methods = [
    InterfaceMethod<"Is there a rule, is the gradient zero, or is it an error?",
      "::amp::GradientAnswer", "getGradientAnswer", (ins)>,
    InterfaceMethod<"Why there is no rule; empty where there is one.",
      "::llvm::StringRef", "getGradientReason", (ins)>,
    InterfaceMethod<[{
      Adds the op's share to the gradients of its operands. `resultGrads` has
      one value a result, null where no gradient reaches it; at least one is
      not null. Only called where the answer is a rule.}],
      "::llvm::LogicalResult", "buildGradient",
      (ins "::mlir::OpBuilder &":$builder,
           "::llvm::ArrayRef<::mlir::Value>":$resultGrads,
           "::amp::GradientMap &":$gradients)>,
  ];
}

#endif // AMP_GRADIENT_INTERFACE_TD
