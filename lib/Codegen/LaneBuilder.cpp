//===- LaneBuilder.cpp - Arithmetic on a number of lanes ------------------===//

#include "amp/Codegen/LaneBuilder.h"
#include <cstring>

using namespace mlir;
using namespace amp;
using arith::CmpFPredicate;

Value FunctionScope::constant(TypedAttr value) {
  Value &known = constants[value];
  if (!known) {
    OpBuilder b(anchor);
    known = arith::ConstantOp::create(b, anchor->getLoc(), value);
  }
  return known;
}

Value FunctionScope::table(StringRef name, DenseElementsAttr values) {
  Value &known = tables[name];
  if (known)
    return known;
  auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
      module, StringAttr::get(module->getContext(), name));
  if (!global) {
    OpBuilder b(module->getContext());
    b.setInsertionPointToStart(&module->getRegion(0).front());
    auto type = LLVM::LLVMArrayType::get(values.getElementType(),
                                         values.getNumElements());
    auto flat = RankedTensorType::get({values.getNumElements()},
                                      values.getElementType());
    global =
        LLVM::GlobalOp::create(b, module->getLoc(), type,
                               /*isConstant=*/true, LLVM::Linkage::Internal,
                               name, values.reshape(flat), /*alignment=*/64);
  }
  OpBuilder b(anchor);
  known = LLVM::AddressOfOp::create(b, anchor->getLoc(), global);
  return known;
}

Type LaneBuilder::type(Type element) const {
  return lanes == 1 ? element : VectorType::get({int64_t(lanes)}, element);
}

Value LaneBuilder::constantOf(Type element, TypedAttr scalar) {
  if (lanes == 1)
    return scope.constant(scalar);
  auto shaped = cast<VectorType>(type(element));
  return scope.constant(DenseElementsAttr::get(shaped, Attribute(scalar)));
}

Value LaneBuilder::f32(double value) {
  return constantOf(builder.getF32Type(), builder.getF32FloatAttr(value));
}
Value LaneBuilder::f64(double value) {
  return constantOf(builder.getF64Type(), builder.getF64FloatAttr(value));
}
Value LaneBuilder::i32(int64_t value) {
  return constantOf(builder.getI32Type(),
                    builder.getI32IntegerAttr(int32_t(value)));
}
Value LaneBuilder::i64(int64_t value) {
  return constantOf(builder.getI64Type(), builder.getI64IntegerAttr(value));
}
Value LaneBuilder::i1(bool value) {
  return constantOf(builder.getI1Type(),
                    builder.getIntegerAttr(builder.getI1Type(), value));
}
Value LaneBuilder::same(Value like, double value) {
  Type element = laneType(like);
  if (element.isF32())
    return f32(value);
  if (element.isF64())
    return f64(value);
  if (element.isInteger(64))
    return i64(int64_t(value));
  return element.isInteger(1) ? i1(value != 0) : i32(int64_t(value));
}
Value LaneBuilder::index(int64_t value) {
  return scope.constant(builder.getI64IntegerAttr(value));
}

Value LaneBuilder::laneNumbers(Type element) {
  if (lanes == 1)
    return constantOf(element, builder.getIntegerAttr(element, 0));
  SmallVector<Attribute> numbers;
  for (unsigned i = 0; i < lanes; ++i)
    numbers.push_back(builder.getIntegerAttr(element, i));
  return scope.constant(
      DenseElementsAttr::get(cast<VectorType>(type(element)), numbers));
}

Value LaneBuilder::add(Value a, Value b) {
  return isa<FloatType>(laneType(a)) ? make<arith::AddFOp>(a, b)
                                     : make<arith::AddIOp>(a, b);
}
Value LaneBuilder::sub(Value a, Value b) {
  return isa<FloatType>(laneType(a)) ? make<arith::SubFOp>(a, b)
                                     : make<arith::SubIOp>(a, b);
}
Value LaneBuilder::mul(Value a, Value b) {
  return isa<FloatType>(laneType(a)) ? make<arith::MulFOp>(a, b)
                                     : make<arith::MulIOp>(a, b);
}
Value LaneBuilder::div(Value a, Value b) { return make<arith::DivFOp>(a, b); }
Value LaneBuilder::fma(Value a, Value b, Value c) {
  return make<math::FmaOp>(a, b, c);
}
Value LaneBuilder::neg(Value a) { return make<arith::NegFOp>(a); }
Value LaneBuilder::abs(Value a) { return make<math::AbsFOp>(a); }
Value LaneBuilder::sqrt(Value a) { return make<math::SqrtOp>(a); }
Value LaneBuilder::copysign(Value magnitude, Value sign) {
  return make<math::CopySignOp>(magnitude, sign);
}

Value LaneBuilder::horner(Value x, ArrayRef<double> coefficients) {
  Value result = same(x, coefficients.front());
  for (double c : coefficients.drop_front())
    result = fma(result, x, same(x, c));
  return result;
}

Value LaneBuilder::clamp(Value x, double low, double high) {
  Value l = same(x, low), h = same(x, high);
  x = select(cmp(CmpFPredicate::OLT, x, l), l, x);
  return select(cmp(CmpFPredicate::OGT, x, h), h, x);
}

Value LaneBuilder::maximum(Value a, Value b) {
  // Ordered comparison false for NaN gives b, so only a NaN in a needs more.
  Value larger = select(cmp(CmpFPredicate::OGT, a, b), a, b);
  return select(isNan(a), a, larger);
}
Value LaneBuilder::minimum(Value a, Value b) {
  Value smaller = select(cmp(CmpFPredicate::OLT, a, b), a, b);
  return select(isNan(a), a, smaller);
}

Value LaneBuilder::shl(Value a, int64_t n) {
  return make<arith::ShLIOp>(a, same(a, n));
}
Value LaneBuilder::shr(Value a, int64_t n) {
  return make<arith::ShRUIOp>(a, same(a, n));
}
Value LaneBuilder::sar(Value a, int64_t n) {
  return make<arith::ShRSIOp>(a, same(a, n));
}
Value LaneBuilder::bitAnd(Value a, Value b) {
  return make<arith::AndIOp>(a, b);
}
Value LaneBuilder::bitOr(Value a, Value b) { return make<arith::OrIOp>(a, b); }
Value LaneBuilder::bitXor(Value a, Value b) {
  return make<arith::XOrIOp>(a, b);
}
Value LaneBuilder::bits(Value a, Type element) {
  return make<arith::BitcastOp>(type(element), a);
}

Value LaneBuilder::cmp(CmpFPredicate predicate, Value a, Value b) {
  return make<arith::CmpFOp>(predicate, a, b);
}
Value LaneBuilder::cmp(arith::CmpIPredicate predicate, Value a, Value b) {
  return make<arith::CmpIOp>(predicate, a, b);
}
Value LaneBuilder::isNan(Value a) { return cmp(CmpFPredicate::UNO, a, a); }
Value LaneBuilder::select(Value condition, Value a, Value b) {
  return make<arith::SelectOp>(condition, a, b);
}

Value LaneBuilder::splat(Value scalar) {
  if (lanes == 1)
    return scalar;
  return make<vector::BroadcastOp>(cast<VectorType>(type(scalar.getType())),
                                   scalar);
}

Value LaneBuilder::reduceLanes(
    Value vector, function_ref<Value(LaneBuilder &, Value, Value)> combine) {
  // Not vector.reduction: that is a scalar chain unless sums may be reordered.
  for (int64_t half = lanes / 2; half >= 1; half /= 2) {
    LaneBuilder narrow = withLanes(half);
    auto part = [&](int64_t from) {
      return make<vector::ExtractStridedSliceOp>(
          vector, ArrayRef<int64_t>{from}, ArrayRef<int64_t>{half},
          ArrayRef<int64_t>{1});
    };
    Value low, high;
    if (half == 1) {
      low = make<vector::ExtractOp>(vector, int64_t(0));
      high = make<vector::ExtractOp>(vector, int64_t(1));
    } else {
      low = part(0);
      high = part(half);
    }
    vector = combine(narrow, low, high);
  }
  return vector;
}
