//===- RegionBuilder.cpp - Making amp.region ------------------------------===//

#include "RegionBuilder.h"
#include "amp/Dialect/Amp/IR/PrecisionAttrs.h"

using namespace mlir;

namespace amp {

void copyPhase(Operation *from, Operation *to) {
  if (Attribute phase = from->getAttr("amp.phase"))
    to->setAttr("amp.phase", phase);
}

RankedTensorType partialsType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  int64_t columns = tensor.getShape().back();
  int64_t rows = columns ? tensor.getNumElements() / columns : 0;
  int64_t chunks = (rows + kColumnChunkRows - 1) / kColumnChunkRows;
  return RankedTensorType::get({chunks, columns},
                               Float32Type::get(type.getContext()));
}

SeedBuilder::SeedBuilder(OpBuilder &builder, Operation *op)
    : outside(builder), inside(builder.getContext()), location(op->getLoc()),
      source(op) {
  region.emplaceBlock();
  inside.setInsertionPointToEnd(&region.front());
}

Value SeedBuilder::input(Value value, RankedTensorType inner) {
  assert(inner.getNumElements() == tensorType(value).getNumElements());
  // A splat constant costs nothing inside and saves a buffer.
  if (auto constant = value.getDefiningOp<ConstantOp>())
    if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
      if (dense.isSplat())
        return ConstantOp::create(
            inside, location,
            DenseElementsAttr::get(inner, dense.getSplatValue<Attribute>()));
  // A reshape moves nothing; behind it may be a region to merge with.
  while (auto reshape = value.getDefiningOp<ReshapeOp>()) {
    if (isChannelsLast(reshape.getX().getType()))
      break;
    value = reshape.getX();
  }
  for (auto [known, argument] :
       llvm::zip(inputs, region.front().getArguments()))
    if (known == value && argument.getType() == inner)
      return argument;
  inputs.push_back(value);
  return region.front().addArgument(inner, location);
}

SmallVector<Value> SeedBuilder::finish(ValueRange inner, TypeRange outer) {
  YieldOp::create(inside, location, inner);
  auto op = RegionOp::create(outside, location, outer, inputs);
  op.getBody().takeBody(region);
  copyPhase(source, op);
  return SmallVector<Value>(op.getOutputs());
}

FloatType wideElement(Value x) {
  Type element = tensorType(x).getElementType();
  return element.isF64() ? cast<FloatType>(element)
                         : Float32Type::get(x.getContext());
}

RankedTensorType SeedBuilder::wideLike(Value x) {
  return RankedTensorType::get(tensorType(x).getShape(), wideElement(x));
}

Value SeedBuilder::constant(double value) {
  auto type = RankedTensorType::get({}, inside.getF32Type());
  return ConstantOp::create(
      inside, location, DenseElementsAttr::get(type, APFloat((float)value)));
}

template <typename BinaryOp>
static Value binary(OpBuilder &builder, Location loc, Value a, Value b) {
  auto shape =
      broadcastShapes(tensorType(a).getShape(), tensorType(b).getShape());
  FloatType element = wideElement(a);
  auto type =
      RankedTensorType::get(*shape, element.isF64() ? element : wideElement(b));
  return BinaryOp::create(builder, loc, type, a, b);
}

Value SeedBuilder::add(Value a, Value b) {
  return binary<AddOp>(inside, location, a, b);
}
Value SeedBuilder::sub(Value a, Value b) {
  return binary<SubOp>(inside, location, a, b);
}
Value SeedBuilder::mul(Value a, Value b) {
  return binary<MulOp>(inside, location, a, b);
}
Value SeedBuilder::div(Value a, Value b) {
  return binary<DivOp>(inside, location, a, b);
}

Value SeedBuilder::columnPartials(Value x) {
  auto partials =
      ColumnPartialsOp::create(inside, location, partialsType(x.getType()), x,
                               inside.getI64IntegerAttr(kColumnChunkRows),
                               TypeAttr::get(inside.getF32Type()));
  accumulateAsSource(partials);
  return partials;
}

/// Asked-for sums in a low type stay that in the pieces of an op.
void SeedBuilder::accumulateAsSource(Operation *sum) {
  if (!source->hasAttr(kLowAccumulationAttr))
    return;
  cast<AccumulatingOpInterface>(sum).setAccumulator(
      cast<AccumulatingOpInterface>(source).getAccumulator());
  sum->setAttr(kLowAccumulationAttr, inside.getUnitAttr());
}

Value SeedBuilder::expOfShifted(Value x) {
  Value y = unary<ExpOp>(x);
  if (source->getParentOfType<ModuleOp>()->hasAttr(kStrictRoundingAttr))
    y.getDefiningOp()->setAttr(kShiftedAttr, inside.getUnitAttr());
  return y;
}

Value SeedBuilder::toElement(Value x, Type element) {
  if (tensorType(x).getElementType() == element)
    return x;
  return CastOp::create(
      inside, location,
      RankedTensorType::get(tensorType(x).getShape(), element), x, UnitAttr());
}

} // namespace amp
