//===- Elementwise.cpp - Dispatch, casts and choices ----------------------===//

#include "amp/Codegen/Functions.h"
#include "amp/Codegen/OpEmitter.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

static Type elementOf(Value value) {
  return tensorType(value).getElementType();
}

Value amp::wrapToWidth(LaneBuilder &l, Value value, Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer || integer.getWidth() >= 32 || integer.getWidth() == 1)
    return value;
  Type narrow = l.type(l.builder.getIntegerType(integer.getWidth()));
  Value cut = l.make<arith::TruncIOp>(narrow, value);
  return integer.isUnsigned() ? l.make<arith::ExtUIOp>(value.getType(), cut)
                              : l.make<arith::ExtSIOp>(value.getType(), cut);
}

std::optional<double> amp::constantSplat(Value value) {
  while (auto cast = value.getDefiningOp<CastOp>())
    value = cast.getX();
  while (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getX();
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant)
    return std::nullopt;
  auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!dense || !dense.isSplat())
    return std::nullopt;
  if (isa<FloatType>(dense.getElementType()))
    return dense.getSplatValue<APFloat>().convertToDouble();
  APInt bits = dense.getSplatValue<APInt>();
  bool isSigned =
      !dense.getElementType().isUnsignedInteger() && bits.getBitWidth() > 1;
  return bits.roundToDouble(isSigned);
}

Value amp::emitSplatConstant(LaneBuilder &l, ConstantOp constant) {
  auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!dense || !dense.isSplat())
    return nullptr;
  Type element = dense.getElementType();
  if (isa<FloatType>(element)) {
    APFloat value = dense.getSplatValue<APFloat>();
    Type held = registerType(element);
    bool lost;
    value.convert(cast<FloatType>(held).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &lost);
    TypedAttr scalar = l.builder.getFloatAttr(held, value);
    if (l.lanes == 1)
      return l.scope.constant(scalar);
    return l.scope.constant(DenseElementsAttr::get(
        cast<VectorType>(l.type(held)), Attribute(scalar)));
  }
  APInt bits = dense.getSplatValue<APInt>();
  if (element.isInteger(1))
    return l.i1(bits.getBoolValue());
  int64_t number = element.isUnsignedInteger() ? int64_t(bits.getZExtValue())
                                               : bits.getSExtValue();
  return registerType(element).isInteger(64) ? l.i64(number) : l.i32(number);
}

static Value emitCast(LaneBuilder &l, CastOp op, Value x) {
  Type from = elementOf(op.getX()), to = elementOf(op.getResult());
  // What float32 does not hold must not be rounded to it first. (Integers that
  // float16 holds are exact in float32.)
  bool wide = from.isF64() || (to.isBF16() && isa<IntegerType>(from) &&
                               from.getIntOrFloatBitWidth() > 16);
  if (wide && (to.isF16() || to.isBF16()))
    return l.roundTo(l.toOddF32(x, from.isUnsignedInteger()), to);
  bool isUnsigned = (isa<FloatType>(to) || isa<IntegerType>(from))
                        ? from.isUnsignedInteger()
                        : to.isUnsignedInteger();
  Value y = wrapToWidth(l, l.convert(x, registerType(to), isUnsigned), to);
  // A policy cast only names the storage type; registers stay float32.
  return op.getUser() && isa<FloatType>(to) ? l.roundTo(y, to) : y;
}

static Value emitCompare(LaneBuilder &l, CompareOp op, Value a, Value b) {
  Type element = elementOf(op.getLhs());
  ComparePredicate p = op.getPredicate();
  if (isa<FloatType>(element)) {
    // False for NaN, except "not equal".
    const CmpFPredicate table[] = {CmpFPredicate::OEQ, CmpFPredicate::UNE,
                                   CmpFPredicate::OLT, CmpFPredicate::OLE,
                                   CmpFPredicate::OGT, CmpFPredicate::OGE};
    return l.cmp(table[unsigned(p)], a, b);
  }
  const CmpIPredicate s[] = {CmpIPredicate::eq,  CmpIPredicate::ne,
                             CmpIPredicate::slt, CmpIPredicate::sle,
                             CmpIPredicate::sgt, CmpIPredicate::sge};
  const CmpIPredicate u[] = {CmpIPredicate::eq,  CmpIPredicate::ne,
                             CmpIPredicate::ult, CmpIPredicate::ule,
                             CmpIPredicate::ugt, CmpIPredicate::uge};
  bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
  return l.cmp((isUnsigned ? u : s)[unsigned(p)], a, b);
}

Value amp::emitElementwise(LaneBuilder &l, Operation *op,
                           ArrayRef<Value> operands) {
  // Operands of one arithmetic op have one register type.
  SmallVector<Value> values(operands);
  auto unify = [&](size_t first, Type element) {
    for (size_t i = first; i < values.size(); ++i)
      values[i] = l.convert(values[i], registerType(element),
                            elementOf(op->getOperand(i)).isUnsignedInteger());
  };
  if (auto cast = dyn_cast<CastOp>(op))
    return emitCast(l, cast, values[0]);
  if (isa<BroadcastOp>(op))
    return values[0];
  if (auto compare = dyn_cast<CompareOp>(op)) {
    unify(1, elementOf(compare.getLhs()));
    return emitCompare(l, compare, values[0], values[1]);
  }
  Type result = elementOf(op->getResult(0));
  if (isa<SelectOp>(op)) {
    unify(1, result);
    return l.select(values[0], values[1], values[2]);
  }
  if (isa<IsNanOp>(op))
    return l.isNan(values[0]);
  unify(0, result);
  if (auto fanIn = dyn_cast<FanInSumOp>(op)) {
    if (values.empty())
      return l.f32(0);
    Value sum = values[0];
    for (Value term : ArrayRef<Value>(values).drop_front())
      sum = l.roundTo(l.add(sum, term), fanIn.getAcc());
    return sum;
  }
  if (Value y = emitFunction(l, op, values))
    return y;
  Value y = values.size() == 1 ? emitUnary(l, op, values[0])
                               : emitBinary(l, op, values[0], values[1]);
  assert(y && "checkKernelBody lets only known ops through");
  return wrapToWidth(l, y, result);
}

int64_t amp::costOf(Operation *op) {
  return TypeSwitch<Operation *, int64_t>(op)
      .Case<SinOp, CosOp, PowOp>([](auto) { return 80; })
      .Case<ExpOp, Expm1Op, LogOp, Log1pOp, TanhOp, SigmoidOp, SoftplusOp,
            ErfOp, GeluOp, GeluGradOp>([](auto) { return 25; })
      .Case<DivOp, SqrtOp, RsqrtOp, ReciprocalOp, ModOp, FModOp>(
          [](auto) { return 6; })
      .Case<CastOp>([](CastOp cast) { return cast.getUser() ? 8 : 0; })
      .Case<ConstantOp, BroadcastOp>([](auto) { return 0; })
      .Default([](Operation *) { return 1; });
}
