//===- ExportElementwise.cpp - Elementwise ops as ONNX nodes --------------===//
//
// One node each, a few of them two.
//
//===----------------------------------------------------------------------===//

#include "ExportWriter.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace amp;
using namespace amp::onnxexport;
using llvm::StringRef;
using mlir::Operation;

/// Name of the node that does exactly what the op does, or empty.
static StringRef directName(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<NegOp>([](auto) { return "Neg"; })
      .Case<AbsOp>([](auto) { return "Abs"; })
      .Case<SignOp>([](auto) { return "Sign"; })
      .Case<FloorOp>([](auto) { return "Floor"; })
      .Case<CeilOp>([](auto) { return "Ceil"; })
      .Case<RoundOp>([](auto) { return "Round"; })
      .Case<ExpOp>([](auto) { return "Exp"; })
      .Case<LogOp>([](auto) { return "Log"; })
      .Case<SqrtOp>([](auto) { return "Sqrt"; })
      .Case<ReciprocalOp>([](auto) { return "Reciprocal"; })
      .Case<TanhOp>([](auto) { return "Tanh"; })
      .Case<SigmoidOp>([](auto) { return "Sigmoid"; })
      .Case<SoftplusOp>([](auto) { return "Softplus"; })
      .Case<ErfOp>([](auto) { return "Erf"; })
      .Case<SinOp>([](auto) { return "Sin"; })
      .Case<CosOp>([](auto) { return "Cos"; })
      .Case<ReluOp>([](auto) { return "Relu"; })
      .Case<NotOp>([](auto) { return "Not"; })
      .Case<IsNanOp>([](auto) { return "IsNaN"; })
      .Case<AddOp>([](auto) { return "Add"; })
      .Case<SubOp>([](auto) { return "Sub"; })
      .Case<MulOp>([](auto) { return "Mul"; })
      .Case<DivOp>([](auto) { return "Div"; })
      .Case<MaxOp>([](auto) { return "Max"; })
      .Case<MinOp>([](auto) { return "Min"; })
      .Case<PowOp>([](auto) { return "Pow"; })
      .Case<AndOp>([](auto) { return "And"; })
      .Case<OrOp>([](auto) { return "Or"; })
      .Case<XorOp>([](auto) { return "Xor"; })
      .Case<SelectOp>([](auto) { return "Where"; })
      .Case<FanInSumOp>([](auto) { return "Sum"; })
      .Default(StringRef());
}

static StringRef compareName(ComparePredicate predicate) {
  switch (predicate) {
  case ComparePredicate::EQ:
  case ComparePredicate::NE:
    return "Equal";
  case ComparePredicate::LT:
    return "Less";
  case ComparePredicate::LE:
    return "LessOrEqual";
  case ComparePredicate::GT:
    return "Greater";
  case ComparePredicate::GE:
    return "GreaterOrEqual";
  }
  llvm_unreachable("every predicate is listed");
}

/// Writes `outer(inner(operands))`, the inner node's result and `extra` being
/// the outer node's inputs.
static void nest(ExportWriter &w, Operation *op, StringRef innerType,
                 llvm::ArrayRef<std::string> innerInputs, StringRef outerType,
                 llvm::ArrayRef<std::string> extra = {}) {
  llvm::SmallVector<std::string> inputs = {w.inner(op, innerType, innerInputs)};
  llvm::append_range(inputs, extra);
  w.node(op, outerType, inputs, {w.define(op->getResult(0))});
}

mlir::FailureOr<bool> amp::onnxexport::writeElementwise(ExportWriter &w,
                                                        Operation *op) {
  if (StringRef name = directName(op); !name.empty()) {
    w.direct(op, name);
    return true;
  }
  auto operand = [&] { return w.nameOf(op->getOperand(0)); };
  auto element = [&] { return tensorType(op->getOperand(0)).getElementType(); };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<RsqrtOp>([&](auto) {
        nest(w, op, "Sqrt", {operand()}, "Reciprocal");
        return true;
      })
      .Case<Expm1Op>([&](auto) {
        nest(w, op, "Exp", {operand()}, "Sub", {w.scalar(1, element())});
        return true;
      })
      .Case<Log1pOp>([&](auto) {
        nest(w, op, "Add", {operand(), w.scalar(1, element())}, "Log");
        return true;
      })
      .Case<ModOp, FModOp>([&](auto) {
        // Floats have only the other remainder in ONNX; x - floor(x/y) y.
        if (llvm::isa<ModOp>(op) && llvm::isa<mlir::FloatType>(element())) {
          std::string x = operand(), y = w.nameOf(op->getOperand(1));
          std::string quotient = w.inner(op, "Div", {x, y});
          std::string whole = w.inner(op, "Floor", {quotient});
          std::string part = w.inner(op, "Mul", {whole, y});
          w.node(op, "Sub", {x, part}, {w.define(op->getResult(0))});
          return true;
        }
        setInt(w.direct(op, "Mod"), "fmod", llvm::isa<FModOp>(op));
        return true;
      })
      .Case<GeluOp>([&](GeluOp gelu) {
        setString(w.direct(op, "Gelu"), "approximate",
                  gelu.getForm() == GeluForm::Tanh ? "tanh" : "none");
        return true;
      })
      .Case<CompareOp>([&](CompareOp compare) {
        if (compare.getPredicate() == ComparePredicate::NE)
          nest(w, op, "Equal", {operand(), w.nameOf(compare.getRhs())}, "Not");
        else
          w.direct(op, compareName(compare.getPredicate()));
        return true;
      })
      .Case<CastOp>([&](CastOp cast) {
        setInt(w.direct(op, "Cast"), "to",
               onnxType(cast.getType().getElementType()));
        return true;
      })
      .Default(false);
}
