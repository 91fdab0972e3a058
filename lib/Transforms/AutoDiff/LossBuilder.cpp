//===- LossBuilder.cpp - The ops of a loss --------------------------------===//

#include "LossBuilder.h"
#include "Splat.h"

using namespace mlir;
using namespace amp;

LossBuilder::LossBuilder(const LossSpec &spec, FunctionDraft &draft)
    : spec(spec), draft(draft), builder(draft.getBuilder()),
      loc(draft.ownLoc(lossKindName(spec.kind))) {
  for (const DraftResult &result : draft.sourceResults(roles::kOutput))
    if (result.name() == *spec.output)
      output = result.value;
  assert(output && "the specification must be resolved");
}

RankedTensorType LossBuilder::targetType() const {
  SmallVector<int64_t> shape(tensorType(output).getShape());
  if (spec.kind != LossKind::SoftmaxCrossEntropy)
    return RankedTensorType::get(shape, builder.getF32Type());
  shape.erase(shape.begin() + *spec.classAxis);
  return RankedTensorType::get(shape, builder.getI64Type());
}

Value LossBuilder::target() {
  if (spec.targetValue)
    return scalar(*spec.targetValue);
  std::string name = spec.targetName();
  RankedTensorType wanted = targetType();
  Value target = draft.argument(name);
  if (!target)
    return draft.addArgument(wanted, name, roles::kTarget);
  RankedTensorType type = tensorType(target);
  bool integers = isa<IntegerType>(wanted.getElementType());
  // Truth values are no class numbers, but any number is one to compare with.
  bool fits = !integers || (type.getElementType().isInteger() &&
                            !type.getElementType().isInteger(1));
  if (fits && type.getShape() == wanted.getShape())
    return target;
  draft.getFunction().emitError("input '")
      << name << "' cannot be the target of the loss: it has the type " << type
      << ", expected " << wanted << "; target=NAME names another";
  return {};
}

Value LossBuilder::scalar(double value) {
  auto type = RankedTensorType::get({}, builder.getF32Type());
  return ConstantOp::create(builder, loc, splatOf(type, value));
}

Value LossBuilder::asFloat32(Value value) {
  if (tensorType(value).getElementType().isF32())
    return value;
  return CastOp::create(
      builder, loc, withElement(value.getType(), builder.getF32Type()), value);
}

/// i1 of `shape`: the row (first dimension) is one of the first `valid`.
Value LossBuilder::rowMask(ArrayRef<int64_t> shape, Value valid) {
  SmallVector<int64_t> column(shape.size(), 1);
  column[0] = shape[0];
  Type index = tensorType(valid).getElementType();
  Value row =
      IotaOp::create(builder, loc, RankedTensorType::get(column, index), 0);
  return CompareOp::create(builder, loc,
                           RankedTensorType::get(column, builder.getI1Type()),
                           row, valid, ComparePredicate::LT);
}

/// Rows that do not count get the target that does not count.
static Value ignoreRows(OpBuilder &builder, Location loc, Value target,
                        Value mask, int64_t ignoreIndex) {
  Type element = tensorType(target).getElementType();
  Value ignored = ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(RankedTensorType::get({}, element),
                             builder.getIntegerAttr(element, ignoreIndex)));
  return SelectOp::create(builder, loc, target.getType(), mask, target,
                          ignored);
}

LossValues LossBuilder::crossEntropy(Value target, Value valid) {
  Value logits = output;
  int64_t rank = tensorType(logits).getRank(), axis = *spec.classAxis;
  if (axis != rank - 1) {
    SmallVector<int64_t> perm, shape;
    for (int64_t dim = 0; dim < rank; ++dim)
      if (dim != axis)
        perm.push_back(dim);
    perm.push_back(axis);
    for (int64_t dim : perm)
      shape.push_back(tensorType(logits).getDimSize(dim));
    logits = TransposeOp::create(
        builder, loc,
        RankedTensorType::get(shape, tensorType(logits).getElementType()),
        logits, perm);
  }
  LossValues values;
  auto f32Scalar = RankedTensorType::get({}, builder.getF32Type());
  bool hasRows = tensorType(target).getRank() > 0;
  if (valid) {
    if (hasRows)
      target = ignoreRows(builder, loc, target,
                          rowMask(tensorType(target).getShape(), valid),
                          spec.ignoreIndex);
    auto count = CountCorrectOp::create(
        builder, loc, f32Scalar, f32Scalar, logits, target,
        hasRows ? valid : Value(), uint64_t(spec.ignoreIndex));
    values.correct = count.getCorrect();
    values.counted = count.getCounted();
  }
  auto op = SoftmaxCrossEntropyOp::create(
      builder, loc, f32Scalar,
      withElement(RankedTensorType::get(tensorType(target).getShape(),
                                        builder.getF32Type()),
                  builder.getF32Type()),
      f32Scalar, logits, target, uint64_t(spec.ignoreIndex),
      APFloat(spec.labelSmoothing),
      spec.sum.value_or(false) ? LossReduction::Sum : LossReduction::Mean,
      builder.getF32Type());
  values.loss = op.getLoss();
  return values;
}

/// The loss of each element.
Value LossBuilder::terms(Value target) {
  Value x = asFloat32(output);
  target = asFloat32(target);
  auto mul = [&](Value a, Value b) -> Value {
    return MulOp::create(builder, loc, a, b);
  };
  if (spec.kind == LossKind::BCEWithLogits) {
    // -t log s(x) - (1-t) log(1 - s(x)), without overflow.
    Value softplus = SoftplusOp::create(builder, loc, x);
    return SubOp::create(builder, loc, softplus, mul(x, target));
  }
  Value difference = SubOp::create(builder, loc, x, target);
  if (spec.kind == LossKind::MSE)
    return mul(difference, difference);
  Value distance = AbsOp::create(builder, loc, difference);
  if (spec.kind == LossKind::L1 || spec.beta == 0.0)
    return distance;
  Value square = mul(difference, difference);
  Value inner = mul(square, scalar(0.5 / spec.beta));
  Value outer = SubOp::create(builder, loc, distance, scalar(0.5 * spec.beta));
  Value near = CompareOp::create(
      builder, loc, withElement(x.getType(), builder.getI1Type()), distance,
      scalar(spec.beta), ComparePredicate::LT);
  return SelectOp::create(builder, loc, x.getType(), near, inner, outer);
}

Value LossBuilder::reduced(Value terms, bool sum) {
  auto axes =
      llvm::to_vector(llvm::seq<int64_t>(0, tensorType(terms).getRank()));
  if (axes.empty())
    return terms;
  Type type = RankedTensorType::get({}, builder.getF32Type());
  if (sum)
    return ReduceSumOp::create(builder, loc, type, terms, axes,
                               /*keepdims=*/false, builder.getF32Type());
  return ReduceMeanOp::create(builder, loc, type, terms, axes,
                              /*keepdims=*/false, builder.getF32Type());
}

/// Padded rows, and whatever is in them, count neither above nor below.
Value LossBuilder::reducedOnRows(Value terms, Value valid) {
  RankedTensorType type = tensorType(terms);
  if (type.getRank() == 0)
    return terms;
  Value masked = SelectOp::create(
      builder, loc, type, rowMask(type.getShape(), valid), terms, scalar(0.0));
  Value total = reduced(masked, /*sum=*/true);
  if (spec.sum.value_or(false))
    return total;
  int64_t perRow = 1;
  for (int64_t size : type.getShape().drop_front())
    perRow *= size;
  Value count = MulOp::create(builder, loc, asFloat32(valid), scalar(perRow));
  return DivOp::create(builder, loc, total, count);
}

LossValues LossBuilder::elementwise(Value target, Value valid) {
  LossValues values;
  Value each = terms(target);
  if (!valid) {
    values.loss = reduced(each, spec.sum.value_or(false));
    return values;
  }
  values.loss = reducedOnRows(each, valid);
  values.correct = scalar(0.0);
  values.counted = asFloat32(valid);
  return values;
}

/// The model's own loss, which it computes over all rows.
LossValues LossBuilder::graphOutput(Value valid) {
  LossValues values;
  Value x = asFloat32(output);
  if (tensorType(x).getNumElements() == 1) {
    auto type = RankedTensorType::get({}, builder.getF32Type());
    values.loss = tensorType(x).getRank() == 0
                      ? x
                      : Value(ReshapeOp::create(builder, loc, type, x));
  } else {
    values.loss = reduced(x, *spec.sum);
  }
  if (valid) {
    values.correct = scalar(0.0);
    values.counted = asFloat32(valid);
  }
  return values;
}

FailureOr<LossValues> LossBuilder::build(Value valid) {
  FailureOr<LossValues> values = unweighted(valid);
  if (succeeded(values) && spec.weight != 1.0)
    values->loss =
        MulOp::create(builder, loc, values->loss, scalar(spec.weight));
  return values;
}

FailureOr<LossValues> LossBuilder::unweighted(Value valid) {
  if (!spec.hasTarget())
    return graphOutput(valid);
  Value label = target();
  if (!label)
    return failure();
  return spec.kind == LossKind::SoftmaxCrossEntropy ? crossEntropy(label, valid)
                                                    : elementwise(label, valid);
}
