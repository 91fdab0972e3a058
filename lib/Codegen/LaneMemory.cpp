//===- LaneMemory.cpp - Conversions, loads and stores of lanes ------------===//

#include "amp/Codegen/LaneBuilder.h"

using namespace mlir;
using namespace amp;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

Type amp::registerType(Type element) {
  MLIRContext *context = element.getContext();
  if (isa<FloatType>(element))
    return element.isF64() ? element : Float32Type::get(context);
  unsigned width = element.getIntOrFloatBitWidth();
  return IntegerType::get(context, width == 1 ? 1 : width <= 32 ? 32 : 64);
}

Type amp::storageType(Type element) {
  MLIRContext *context = element.getContext();
  if (element.isBF16())
    return IntegerType::get(context, 16);
  if (isa<FloatType>(element))
    return element;
  return IntegerType::get(context,
                          std::max(8u, element.getIntOrFloatBitWidth()));
}

int64_t amp::storageBytes(Type element) {
  return storageType(element).getIntOrFloatBitWidth() / 8;
}

Value LaneBuilder::toBF16Bits(Value a) {
  Value b = bits(a, builder.getI32Type());
  Value odd = bitAnd(shr(b, 16), i32(1));
  Value rounded = add(b, add(odd, i32(0x7fff)));
  Value quiet = bitOr(b, i32(0x400000));
  Value high = shr(select(isNan(a), quiet, rounded), 16);
  return make<arith::TruncIOp>(type(builder.getIntegerType(16)), high);
}

Value LaneBuilder::fromBF16Bits(Value a) {
  Value wide = make<arith::ExtUIOp>(type(builder.getI32Type()), a);
  return bits(shl(wide, 16), builder.getF32Type());
}

Value LaneBuilder::roundTo(Value a, Type element) {
  if (element.isBF16())
    return fromBF16Bits(toBF16Bits(a));
  if (element.isF16())
    return make<arith::ExtFOp>(type(builder.getF32Type()),
                               make<arith::TruncFOp>(type(element), a));
  return a;
}

Value LaneBuilder::toOddF32(Value a, bool isUnsigned) {
  Type f64 = builder.getF64Type();
  if (laneType(a).isInteger(64)) {
    // Beyond 2^53 the last bits stand for "a little more": one above those that
    // float64 drops does as well.
    constexpr int64_t low = 0xfff;
    Value high = bitAnd(a, i64(~low));
    Value some = cmp(CmpIPredicate::ne, bitAnd(a, i64(low)), i64(0));
    Value jammed = bitOr(high, select(some, i64(low + 1), i64(0)));
    constexpr int64_t large = int64_t(1) << 53;
    Value isLarge = isUnsigned ? cmp(CmpIPredicate::ugt, a, i64(large))
                               : cmp(CmpIPredicate::ugt, add(a, i64(large)),
                                     i64(2 * large));
    a = select(isLarge, jammed, a);
  }
  a = convert(a, f64, isUnsigned);
  Type i32Type = builder.getI32Type();
  Value nearest = convert(a, builder.getF32Type(), false);
  Value back = convert(nearest, f64, false);
  Value word = bits(nearest, i32Type);
  Value isAway = cmp(CmpFPredicate::OGT, abs(back), abs(a));
  Value odd = bitOr(select(isAway, sub(word, i32(1)), word), i32(1));
  Value isExact = cmp(CmpFPredicate::UEQ, back, a);
  return bits(select(isExact, word, odd), builder.getF32Type());
}

Value LaneBuilder::convert(Value a, Type element, bool isUnsigned) {
  Type from = laneType(a);
  if (from == element)
    return a;
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(element);
  if (fromFloat && toFloat)
    return element.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth()
               ? make<arith::ExtFOp>(type(element), a)
               : make<arith::TruncFOp>(type(element), a);
  if (element.isInteger(1))
    return fromFloat ? cmp(CmpFPredicate::UNE, a, same(a, 0))
                     : cmp(CmpIPredicate::ne, a, same(a, 0));
  if (toFloat)
    return isUnsigned || from.isInteger(1)
               ? make<arith::UIToFPOp>(type(element), a)
               : make<arith::SIToFPOp>(type(element), a);
  if (fromFloat) {
    // Out of range the plain conversion has no defined value; saturate to the
    // outermost float32 of the type, and give 0 for NaN.
    bool wide = element.isInteger(64);
    double high = isUnsigned ? (wide ? 0x1.fffffep63 : 0x1.fffffep31)
                             : (wide ? 0x1.fffffep62 : 0x1.fffffep30);
    double low = isUnsigned ? 0 : (wide ? -0x1p63 : -0x1p31);
    Value x = select(isNan(a), same(a, 0), clamp(a, low, high));
    return isUnsigned ? make<arith::FPToUIOp>(type(element), x)
                      : make<arith::FPToSIOp>(type(element), x);
  }
  unsigned before = from.getIntOrFloatBitWidth();
  if (element.getIntOrFloatBitWidth() < before)
    return make<arith::TruncIOp>(type(element), a);
  return isUnsigned || before == 1 ? make<arith::ExtUIOp>(type(element), a)
                                   : make<arith::ExtSIOp>(type(element), a);
}

Value LaneBuilder::address(Value pointer, Value index, Type element) {
  return make<LLVM::GEPOp>(pointer.getType(), storageType(element), pointer,
                           ArrayRef<LLVM::GEPArg>{index});
}

Value LaneBuilder::fromStorage(Value value, Type element) {
  if (element.isBF16())
    return fromBF16Bits(value);
  if (element.isInteger(1))
    return cmp(CmpIPredicate::ne, value,
               constantOf(builder.getI8Type(), builder.getI8IntegerAttr(0)));
  return convert(value, registerType(element), element.isUnsignedInteger());
}

Value LaneBuilder::toStorage(Value value, Type element) {
  if (element.isBF16())
    return toBF16Bits(value);
  return convert(value, storageType(element), element.isUnsignedInteger());
}

Value LaneBuilder::loadParts(Value pointer, Value index, Type element) {
  // Vectors of 8, 4, 2 and 1: on AVX2 masked loads of 16-bit elements would
  // become a branch per element.
  Type stored = storageType(element);
  Value raw =
      scope.constant(cast<TypedAttr>(builder.getZeroAttr(type(stored))));
  int64_t offset = 0;
  for (unsigned size = lanes / 2; size; size /= 2) {
    if (!(active & size))
      continue;
    LaneBuilder part = withLanes(size);
    Value at = address(pointer, make<arith::AddIOp>(index, this->index(offset)),
                       element);
    Value piece = make<LLVM::LoadOp>(part.type(stored), at,
                                     unsigned(storageBytes(element)));
    raw = size == 1
              ? make<vector::InsertOp>(piece, raw, offset)
              : make<vector::InsertStridedSliceOp>(piece, raw,
                                                   ArrayRef<int64_t>{offset},
                                                   ArrayRef<int64_t>{1});
    offset += size;
  }
  return fromStorage(raw, element);
}

void LaneBuilder::storeParts(Value raw, Value pointer, Value index,
                             Type element) {
  int64_t offset = 0;
  for (unsigned size = lanes / 2; size; size /= 2) {
    if (!(active & size))
      continue;
    Value at = address(pointer, make<arith::AddIOp>(index, this->index(offset)),
                       element);
    Value piece =
        size == 1 ? make<vector::ExtractOp>(raw, offset)
                  : make<vector::ExtractStridedSliceOp>(
                        raw, ArrayRef<int64_t>{offset},
                        ArrayRef<int64_t>{int64_t(size)}, ArrayRef<int64_t>{1});
    LLVM::StoreOp::create(builder, loc, piece, at,
                          unsigned(storageBytes(element)));
    offset += size;
  }
}

Value LaneBuilder::inActiveLanes(Value value, Value other) {
  if (!active)
    return value;
  SmallVector<bool> mask(lanes, false);
  std::fill_n(mask.begin(), active, true);
  Value lanesInUse = scope.constant(DenseElementsAttr::get(
      cast<VectorType>(type(builder.getI1Type())), ArrayRef<bool>(mask)));
  return select(lanesInUse, value, other);
}

Value LaneBuilder::load(Value pointer, Value index, Type element) {
  if (active)
    return loadParts(pointer, index, element);
  int64_t alignment = storageBytes(element) * (alignedVectors ? lanes : 1);
  Value at = address(pointer, index, element);
  Value raw =
      make<LLVM::LoadOp>(type(storageType(element)), at, unsigned(alignment));
  return fromStorage(raw, element);
}

void LaneBuilder::store(Value value, Value pointer, Value index, Type element) {
  if (active)
    return storeParts(toStorage(value, element), pointer, index, element);
  int64_t alignment = storageBytes(element) * (alignedVectors ? lanes : 1);
  Value at = address(pointer, index, element);
  LLVM::StoreOp::create(builder, loc, toStorage(value, element), at,
                        unsigned(alignment));
}

Value LaneBuilder::gatherF64(Value table, Value position) {
  Type element = builder.getF64Type();
  if (lanes == 1) {
    Value at = make<LLVM::GEPOp>(table.getType(), element, table,
                                 ArrayRef<LLVM::GEPArg>{position});
    return make<LLVM::LoadOp>(element, at, 8u);
  }
  Value result = f64(0);
  LaneBuilder one = withLanes(1);
  for (int64_t lane = 0; lane < int64_t(lanes); ++lane) {
    Value p = make<vector::ExtractOp>(position, lane);
    result = make<vector::InsertOp>(one.gatherF64(table, p), result, lane);
  }
  return result;
}
