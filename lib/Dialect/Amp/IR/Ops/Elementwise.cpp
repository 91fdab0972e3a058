//===- Elementwise.cpp - Verification of the elementwise family -----------===//

#include "Checks.h"

using namespace mlir;
using namespace amp;

/// Integers and floats do not mix; two floats may differ, because storage
/// types are free and registers are float32.
static LogicalResult verifySameClass(Operation *op, Type lhs, Type rhs) {
  if (lhs == rhs || (isa<FloatType>(lhs) && isa<FloatType>(rhs)))
    return success();
  return op->emitOpError("expected equal element types or floats only, got ")
         << lhs << " and " << rhs;
}

static LogicalResult verifyElementTypes(Operation *op) {
  auto element = [](Value value) { return tensorType(value).getElementType(); };
  if (isa<CastOp, IsNanOp>(op))
    return success();
  if (isa<CompareOp>(op))
    return verifySameClass(op, element(op->getOperand(0)),
                           element(op->getOperand(1)));
  Type result = element(op->getResult(0));
  if (isa<SelectOp>(op)) {
    if (failed(verifySameClass(op, element(op->getOperand(1)),
                               element(op->getOperand(2)))))
      return failure();
    return verifySameClass(op, element(op->getOperand(1)), result);
  }
  if (isa<NotOp, AndOp, OrOp, XorOp>(op)) {
    if (!result.isInteger(1))
      return op->emitOpError("expected i1 elements, got ") << result;
  } else if (isa<NegOp, AbsOp, SignOp, AddOp, SubOp, MulOp, DivOp, MaxOp, MinOp,
                 PowOp, ModOp, FModOp>(op)) {
    if (result.isInteger(1))
      return op->emitOpError("expected numbers, got i1 elements");
  } else if (!isa<FloatType>(result)) {
    // Everything else is a function on the reals.
    return op->emitOpError("expected float elements, got ") << result;
  }
  for (Value operand : op->getOperands())
    if (failed(verifySameClass(op, element(operand), result)))
      return failure();
  return success();
}

LogicalResult amp::verifyBroadcasting(Operation *op) {
  if (op->getNumOperands() == 0)
    return op->emitOpError("expected at least one operand");
  SmallVector<int64_t> shape;
  for (Value operand : op->getOperands()) {
    auto joint = broadcastShapes(shape, tensorType(operand).getShape());
    if (!joint)
      return op->emitOpError("expected operands that broadcast, got shapes ")
             << shapeText(shape) << " and "
             << shapeText(tensorType(operand).getShape());
    shape = *joint;
  }
  if (failed(verifyShape(op, "a result", op->getResult(0), shape)))
    return failure();
  return verifyElementTypes(op);
}

LogicalResult FanInSumOp::verify() {
  for (Value term : getTerms())
    if (failed(verifyShape(*this, "a term", term, getType().getShape())))
      return failure();
  return verifyAccumulator(*this, getAcc(), getType().getElementType());
}

LogicalResult IotaOp::verify() {
  return verifyAxis(*this, getAxis(), tensorType(getResult()).getRank());
}

LogicalResult ConstantOp::verify() {
  // Sparse values would need a second reader in every stage.
  if (isa<DenseElementsAttr, DenseResourceElementsAttr>(getValue()))
    return success();
  return emitOpError("expected a dense or dense_resource value");
}
