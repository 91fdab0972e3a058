//===- RuleBuilder.h - What gradient rules are written with -----*- C++ -*-===//
//
// Short names for the ops that rules make, and the models that attach a rule
// or an answer to an op.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_TRANSFORMS_AUTODIFF_RULES_RULEBUILDER_H
#define AMP_LIB_TRANSFORMS_AUTODIFF_RULES_RULEBUILDER_H

#include "amp/Transforms/AutoDiff/GradientInterface.h"

namespace amp {

/// Makes the ops of one rule, all at the backward location of the op.
class RuleBuilder {
public:
  RuleBuilder(mlir::Operation *op, mlir::OpBuilder &builder,
              llvm::ArrayRef<mlir::Value> resultGrads, GradientMap &gradients);

  /// Gradient of a result; null if none reaches it.
  mlir::Value grad(unsigned result = 0) const { return resultGrads[result]; }
  /// True if the gradient of `operand` is needed.
  bool wants(mlir::Value operand) const { return gradients.wants(operand); }
  /// Adds `gradient`, summed over the dimensions along which `operand` is
  /// repeated, to the gradient of `operand`.
  void give(mlir::Value operand, mlir::Value gradient);

  /// Makes an op and gives its first result.
  template <typename OpTy, typename... Args>
  mlir::Value make(Args &&...args) {
    return OpTy::create(builder, loc, std::forward<Args>(args)...)
        ->getResult(0);
  }
  mlir::Value neg(mlir::Value x) { return make<NegOp>(x); }
  mlir::Value add(mlir::Value a, mlir::Value b) { return make<AddOp>(a, b); }
  mlir::Value sub(mlir::Value a, mlir::Value b) { return make<SubOp>(a, b); }
  mlir::Value mul(mlir::Value a, mlir::Value b) { return make<MulOp>(a, b); }
  mlir::Value div(mlir::Value a, mlir::Value b) { return make<DivOp>(a, b); }
  /// `x * factor`, `x + term`.
  mlir::Value scaled(mlir::Value x, double factor);
  mlir::Value shifted(mlir::Value x, double term);
  /// A scalar constant of the element type of `like`.
  mlir::Value scalar(mlir::Value like, double value);
  /// i1 where `lhs` predicate `rhs`.
  mlir::Value compare(mlir::Value lhs, ComparePredicate predicate,
                      mlir::Value rhs);
  /// i1 where `lhs` predicate the number `rhs`.
  mlir::Value compare(mlir::Value lhs, ComparePredicate predicate, double rhs);
  /// `onTrue` where `condition`, else `onFalse`.
  mlir::Value select(mlir::Value condition, mlir::Value onTrue,
                     mlir::Value onFalse);
  /// `x` where `condition`, else 0.
  mlir::Value masked(mlir::Value condition, mlir::Value x);
  /// `x` in another element type.
  mlir::Value cast(mlir::Value x, mlir::Type element);
  /// Sum over `axes`, accumulated in `wide()`; `element` is the element type of
  /// the result.
  mlir::Value sum(mlir::Value x, llvm::ArrayRef<int64_t> axes, bool keepdims,
                  mlir::Type element);
  /// `x` under another shape; `x` itself if it has that shape.
  mlir::Value reshape(mlir::Value x, llvm::ArrayRef<int64_t> shape);
  /// `x` repeated to another shape; `x` itself if it has that shape.
  mlir::Value broadcast(mlir::Value x, llvm::ArrayRef<int64_t> shape);
  /// `x` with its dimensions permuted.
  mlir::Value transpose(mlir::Value x, llvm::ArrayRef<int64_t> perm);
  /// Sum of `x` over the dimensions along which `shape` is repeated in it.
  mlir::Value sumTo(mlir::Value x, llvm::ArrayRef<int64_t> shape,
                    mlir::Type element);
  /// A constant of zeros.
  mlir::Value zeros(mlir::RankedTensorType type);

  mlir::Type f32() { return builder.getF32Type(); }
  /// What the rule sums in: float32, or float64 for an op that reads float64.
  mlir::Type wide();
  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return loc; }

private:
  mlir::Operation *op;
  mlir::OpBuilder &builder;
  llvm::ArrayRef<mlir::Value> resultGrads;
  GradientMap &gradients;
  mlir::Location loc;
};

/// Shape of a ranked tensor value.
inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return tensorType(value).getShape();
}

/// Attaches the rule `Fn` to `OpTy`.
template <typename OpTy, mlir::LogicalResult (*Fn)(OpTy, RuleBuilder &)>
struct RuleModel
    : GradientOpInterface::ExternalModel<RuleModel<OpTy, Fn>, OpTy> {
  GradientAnswer getGradientAnswer(mlir::Operation *) const {
    return GradientAnswer::Rule;
  }
  llvm::StringRef getGradientReason(mlir::Operation *) const { return {}; }
  mlir::LogicalResult buildGradient(mlir::Operation *op,
                                    mlir::OpBuilder &builder,
                                    llvm::ArrayRef<mlir::Value> resultGrads,
                                    GradientMap &gradients) const {
    RuleBuilder rule(op, builder, resultGrads, gradients);
    return Fn(llvm::cast<OpTy>(op), rule);
  }
};

/// Attaches an answer without rule to `OpTy`.
template <typename OpTy, GradientAnswer answer, const char *reason>
struct NoRuleModel
    : GradientOpInterface::ExternalModel<NoRuleModel<OpTy, answer, reason>,
                                         OpTy> {
  GradientAnswer getGradientAnswer(mlir::Operation *) const { return answer; }
  llvm::StringRef getGradientReason(mlir::Operation *) const { return reason; }
  mlir::LogicalResult buildGradient(mlir::Operation *op, mlir::OpBuilder &,
                                    llvm::ArrayRef<mlir::Value>,
                                    GradientMap &) const {
    return op->emitOpError("has no gradient: ") << reason;
  }
};

template <typename OpTy, mlir::LogicalResult (*Fn)(OpTy, RuleBuilder &)>
void attachRule(mlir::MLIRContext *context) {
  OpTy::template attachInterface<RuleModel<OpTy, Fn>>(*context);
}

/// The gradient through these ops is zero or does not exist.
template <const char *reason, typename... OpTys>
void attachNone(mlir::MLIRContext *context) {
  (OpTys::template attachInterface<
       NoRuleModel<OpTys, GradientAnswer::None, reason>>(*context),
   ...);
}

/// A path through these ops is an error.
template <const char *reason, typename... OpTys>
void attachMustNotBeAsked(mlir::MLIRContext *context) {
  (OpTys::template attachInterface<
       NoRuleModel<OpTys, GradientAnswer::MustNotBeAsked, reason>>(*context),
   ...);
}

/// Reasons that several families give.
inline constexpr char kSecondOrder[] =
    "it is itself made by differentiation; second derivatives are not provided";
inline constexpr char kLateStage[] =
    "it is made by a stage that runs after differentiation";

/// One function a family.
void attachUnaryGradients(mlir::MLIRContext *context);
void attachBinaryGradients(mlir::MLIRContext *context);
void attachLinearGradients(mlir::MLIRContext *context);
void attachConvGradients(mlir::MLIRContext *context);
void attachPoolGradients(mlir::MLIRContext *context);
void attachNormGradients(mlir::MLIRContext *context);
void attachAttentionGradients(mlir::MLIRContext *context);
void attachReduceGradients(mlir::MLIRContext *context);
void attachShapeGradients(mlir::MLIRContext *context);
void attachIndexGradients(mlir::MLIRContext *context);
void attachLossGradients(mlir::MLIRContext *context);
void attachRandomGradients(mlir::MLIRContext *context);
void attachPrecisionGradients(mlir::MLIRContext *context);
void attachStateGradients(mlir::MLIRContext *context);

} // namespace amp

#endif // AMP_LIB_TRANSFORMS_AUTODIFF_RULES_RULEBUILDER_H
