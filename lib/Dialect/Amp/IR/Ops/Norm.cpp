//===- Norm.cpp - Verification of the normalisation family ----------------===//

#include "Checks.h"

using namespace mlir;
using namespace amp;

using NamedValue = std::pair<StringRef, Value>;

/// Parameters and statistics: one float32 shape for all.
static LogicalResult verifyStatistics(Operation *op, ArrayRef<int64_t> shape,
                                      ArrayRef<NamedValue> values) {
  for (auto [name, value] : values)
    if (failed(verifyShape(op, name, value, shape)) ||
        failed(verifyFloat32(op, name, value)))
      return failure();
  return success();
}

/// The same of batch norms: float32, or a 16-bit type under policies that lower
/// the whole op.
static LogicalResult verifyChannelValues(Operation *op, int64_t channels,
                                         ArrayRef<NamedValue> values) {
  for (auto [name, value] : values) {
    Type element = tensorType(value).getElementType();
    bool low = element.isBF16() || element.isF16();
    if (failed(verifyShape(op, name, value, channels)) ||
        (!low && failed(verifyFloat32(op, name, value))))
      return failure();
  }
  return success();
}

static LogicalResult verifyEpsilon(Operation *op, const APFloat &epsilon) {
  if (epsilon.isFinite() && !epsilon.isNegative())
    return success();
  return op->emitOpError("expected a finite, non-negative epsilon");
}

static LogicalResult verifyChannels(Operation *op, RankedTensorType x) {
  if (x.getRank() >= 2)
    return success();
  return op->emitOpError("expected an input [N, C, ...], got rank ")
         << x.getRank();
}

LogicalResult BatchNormOp::verify() {
  RankedTensorType x = tensorType(getX());
  if (failed(verifyChannels(*this, x)) ||
      failed(verifyShape(*this, "a result", getResult(), x.getShape())) ||
      failed(verifyEpsilon(*this, getEpsilon())))
    return failure();
  if (failed(verifyChannelValues(*this, x.getDimSize(1),
                                 {{"a scale", getScale()},
                                  {"a bias", getBias()},
                                  {"a mean", getMean()},
                                  {"a variance", getVariance()}})))
    return failure();
  if (bool(getRunningMeanAttr()) != bool(getRunningVarianceAttr()))
    return emitOpError("expected both running statistics or neither");
  return verifyAccumulator(*this, getAcc(), x.getElementType());
}

LogicalResult BatchNormOp::verifySymbolUses(SymbolTableCollection &tables) {
  for (FlatSymbolRefAttr symbol :
       {getRunningMeanAttr(), getRunningVarianceAttr()}) {
    if (!symbol)
      continue;
    auto variable = tables.lookupNearestSymbolFrom<VariableOp>(*this, symbol);
    if (!variable)
      return emitOpError("expected a variable named ") << symbol;
    // The variable keeps float32 where the statistics of a batch do not.
    if (variable.getType() !=
        withElement(getMean().getType(), Float32Type::get(getContext())))
      return emitOpError("expected running statistics of type ")
             << getMean().getType() << ", got " << variable.getType();
  }
  return success();
}

LogicalResult BatchNormInferenceOp::verify() {
  RankedTensorType x = tensorType(getX());
  if (failed(verifyChannels(*this, x)) ||
      failed(verifyShape(*this, "a result", getResult(), x.getShape())) ||
      failed(verifyEpsilon(*this, getEpsilon())))
    return failure();
  return verifyChannelValues(*this, x.getDimSize(1),
                             {{"a scale", getScale()},
                              {"a bias", getBias()},
                              {"a mean", getMean()},
                              {"a variance", getVariance()}});
}

LogicalResult BatchNormGradOp::verify() {
  RankedTensorType x = tensorType(getX());
  if (failed(verifyChannels(*this, x)) ||
      failed(verifyShape(*this, "a dy", getDy(), x.getShape())) ||
      failed(verifyShape(*this, "a dx", getDx(), x.getShape())) ||
      failed(verifyEpsilon(*this, getEpsilon())))
    return failure();
  if (failed(verifyChannelValues(*this, x.getDimSize(1),
                                 {{"a scale", getScale()},
                                  {"a mean", getMean()},
                                  {"a variance", getVariance()}})) ||
      failed(verifyStatistics(
          *this, x.getDimSize(1),
          {{"a dscale", getDscale()}, {"a dbias", getDbias()}})))
    return failure();
  return verifyAccumulator(*this, getAcc(), x.getElementType());
}

/// Shape of the statistics of layer_norm: 1 from `axis` on.
static SmallVector<int64_t> rowShape(RankedTensorType x, int64_t axis) {
  SmallVector<int64_t> shape(x.getShape());
  std::fill(shape.begin() + axis, shape.end(), 1);
  return shape;
}

LogicalResult LayerNormOp::verify() {
  RankedTensorType x = tensorType(getX());
  if (failed(verifyAxis(*this, getAxis(), x.getRank())) ||
      failed(verifyShape(*this, "a result", getResult(), x.getShape())) ||
      failed(verifyEpsilon(*this, getEpsilon())))
    return failure();
  SmallVector<NamedValue> parameters = {{"a scale", getScale()}};
  if (getBias())
    parameters.push_back({"a bias", getBias()});
  if (failed(verifyStatistics(*this, x.getShape().drop_front(getAxis()),
                              parameters)) ||
      failed(verifyStatistics(*this, rowShape(x, getAxis()),
                              {{"a mean", getMean()}, {"a rstd", getRstd()}})))
    return failure();
  return verifyAccumulator(*this, getAcc(), x.getElementType());
}

LogicalResult LayerNormGradOp::verify() {
  RankedTensorType x = tensorType(getX());
  if (failed(verifyAxis(*this, getAxis(), x.getRank())) ||
      failed(verifyShape(*this, "a dy", getDy(), x.getShape())) ||
      failed(verifyShape(*this, "a dx", getDx(), x.getShape())))
    return failure();
  if (failed(verifyStatistics(*this, x.getShape().drop_front(getAxis()),
                              {{"a scale", getScale()},
                               {"a dscale", getDscale()},
                               {"a dbias", getDbias()}})) ||
      failed(verifyStatistics(*this, rowShape(x, getAxis()),
                              {{"a mean", getMean()}, {"a rstd", getRstd()}})))
    return failure();
  return verifyAccumulator(*this, getAcc(), x.getElementType());
}

/// All operands and the result of a softmax have one shape.
template <typename SoftmaxLike>
static LogicalResult verifySoftmax(SoftmaxLike op) {
  RankedTensorType type = tensorType(op.getResult());
  for (Value operand : op->getOperands())
    if (failed(verifyShape(op, "an operand", operand, type.getShape())))
      return failure();
  if (failed(verifyAxis(op, op.getAxis(), type.getRank())))
    return failure();
  return verifyAccumulator(op, op.getAcc(), type.getElementType());
}

LogicalResult SoftmaxOp::verify() { return verifySoftmax(*this); }
LogicalResult SoftmaxGradOp::verify() { return verifySoftmax(*this); }
LogicalResult LogSoftmaxOp::verify() { return verifySoftmax(*this); }
LogicalResult LogSoftmaxGradOp::verify() { return verifySoftmax(*this); }
