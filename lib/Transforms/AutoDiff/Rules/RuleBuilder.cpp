//===- RuleBuilder.cpp - What gradient rules are written with -------------===//

#include "RuleBuilder.h"
#include "../Splat.h"
#include "amp/Transforms/AutoDiff/Phase.h"

using namespace mlir;
using namespace amp;

RuleBuilder::RuleBuilder(Operation *op, OpBuilder &builder,
                         ArrayRef<Value> resultGrads, GradientMap &gradients)
    : op(op), builder(builder), resultGrads(resultGrads), gradients(gradients),
      loc(phaseLocation(op->getLoc(), Phase::Backward)) {}

void RuleBuilder::give(Value operand, Value gradient) {
  if (!wants(operand))
    return;
  // A sum of 16-bit terms may be the gradient of a parameter, which is float32
  // (a model of 16-bit parameters); elsewhere it is rounded when it is read.
  Type element = tensorType(gradient).getElementType();
  if (element.isF16() || element.isBF16())
    element = f32();
  gradients.add(operand, sumTo(gradient, shapeOf(operand), element));
}

Type RuleBuilder::wide() {
  auto isFloat64 = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getElementType().isF64();
  };
  return llvm::any_of(op->getOperandTypes(), isFloat64) ? builder.getF64Type()
                                                        : builder.getF32Type();
}

Value RuleBuilder::scalar(Value like, double value) {
  auto type = RankedTensorType::get({}, tensorType(like).getElementType());
  return make<ConstantOp>(splatOf(type, value));
}

Value RuleBuilder::scaled(Value x, double factor) {
  return mul(x, scalar(x, factor));
}

Value RuleBuilder::shifted(Value x, double term) {
  return add(x, scalar(x, term));
}

Value RuleBuilder::compare(Value lhs, ComparePredicate predicate, Value rhs) {
  auto type = broadcastType(lhs.getType(), rhs.getType());
  return make<CompareOp>(withElement(type, builder.getI1Type()), lhs, rhs,
                         predicate);
}

Value RuleBuilder::compare(Value lhs, ComparePredicate predicate, double rhs) {
  return compare(lhs, predicate, scalar(lhs, rhs));
}

Value RuleBuilder::select(Value condition, Value onTrue, Value onFalse) {
  auto type = broadcastType(broadcastType(onTrue.getType(), onFalse.getType()),
                            condition.getType());
  return make<SelectOp>(Type(type), condition, onTrue, onFalse);
}

Value RuleBuilder::masked(Value condition, Value x) {
  return select(condition, x, scalar(x, 0.0));
}

Value RuleBuilder::cast(Value x, Type element) {
  if (tensorType(x).getElementType() == element)
    return x;
  return make<CastOp>(Type(withElement(x.getType(), element)), x);
}

Value RuleBuilder::sum(Value x, ArrayRef<int64_t> axes, bool keepdims,
                       Type element) {
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(shapeOf(x))) {
    bool reduced = llvm::is_contained(axes, int64_t(dim));
    if (!reduced || keepdims)
      shape.push_back(reduced ? 1 : size);
  }
  return make<ReduceSumOp>(Type(RankedTensorType::get(shape, element)), x, axes,
                           keepdims, wide());
}

Value RuleBuilder::reshape(Value x, ArrayRef<int64_t> shape) {
  if (shapeOf(x) == shape)
    return x;
  return make<ReshapeOp>(
      Type(RankedTensorType::get(shape, tensorType(x).getElementType())), x);
}

Value RuleBuilder::broadcast(Value x, ArrayRef<int64_t> shape) {
  if (shapeOf(x) == shape)
    return x;
  return make<BroadcastOp>(
      Type(RankedTensorType::get(shape, tensorType(x).getElementType())), x);
}

Value RuleBuilder::transpose(Value x, ArrayRef<int64_t> perm) {
  SmallVector<int64_t> shape;
  for (int64_t dim : perm)
    shape.push_back(shapeOf(x)[dim]);
  return make<TransposeOp>(
      Type(RankedTensorType::get(shape, tensorType(x).getElementType())), x,
      perm);
}

Value RuleBuilder::sumTo(Value x, ArrayRef<int64_t> shape, Type element) {
  SmallVector<int64_t> dims = repeatedDims(shape, shapeOf(x));
  if (!dims.empty())
    x = sum(x, dims, /*keepdims=*/false, element);
  return reshape(x, shape);
}

Value RuleBuilder::zeros(RankedTensorType type) {
  return make<ConstantOp>(splatOf(type, 0));
}
