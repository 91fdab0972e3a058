//===- Loss.cpp - Verification of the loss family -------------------------===//

#include "Checks.h"

using namespace mlir;
using namespace amp;

/// logits [rows..., C], target [rows...].
static LogicalResult verifyTarget(Operation *op, Value logits, Value target) {
  RankedTensorType type = tensorType(logits);
  if (type.getRank() < 1 || type.getShape().back() < 1)
    return op->emitOpError("expected logits [rows..., C] with C >= 1, got ")
           << shapeText(type.getShape());
  return verifyShape(op, "a target", target, type.getShape().drop_back());
}

template <typename CrossEntropy>
static LogicalResult verifyCrossEntropy(CrossEntropy op) {
  if (failed(verifyTarget(op, op.getLogits(), op.getTarget())))
    return failure();
  RankedTensorType logits = tensorType(op.getLogits());
  if (failed(verifyShape(op, "an lse", op.getLse(),
                         logits.getShape().drop_back())) ||
      failed(verifyFloat32(op, "an lse", op.getLse())))
    return failure();
  double smoothing = op.getLabelSmoothing().convertToDouble();
  if (!(smoothing >= 0 && smoothing <= 1))
    return op.emitOpError("expected a label_smoothing in [0, 1], got ")
           << smoothing;
  return verifyAccumulator(op, op.getAcc(), logits.getElementType());
}

LogicalResult SoftmaxCrossEntropyOp::verify() {
  return verifyCrossEntropy(*this);
}

LogicalResult SoftmaxCrossEntropyGradOp::verify() {
  if (failed(verifyShape(*this, "a result", getResult(),
                         tensorType(getLogits()).getShape())))
    return failure();
  return verifyCrossEntropy(*this);
}

LogicalResult CountCorrectOp::verify() {
  if (getValid()) {
    if (failed(verifyShape(*this, "valid", getValid(), {})))
      return failure();
    // `valid` counts samples, so there must be a dimension of samples.
    if (tensorType(getLogits()).getRank() < 2)
      return emitOpError("expected logits [N, ..., C] beside valid, got rank ")
             << tensorType(getLogits()).getRank();
  }
  return verifyTarget(*this, getLogits(), getTarget());
}
