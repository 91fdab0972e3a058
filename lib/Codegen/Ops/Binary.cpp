//===- Binary.cpp - Ops of two operands -----------------------------------===//

#include "amp/Codegen/OpEmitter.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

static bool isFloat(Value v) { return isa<FloatType>(laneType(v)); }

/// Quotient and remainder that never trap: by 0 they are 0 and the dividend,
/// and the smallest integer divided by -1 wraps.
static Value emitIntegerDiv(LaneBuilder &l, Value a, Value b, bool isUnsigned) {
  Value zero = l.same(b, 0), one = l.same(b, 1);
  Value byZero = l.cmp(CmpIPredicate::eq, b, zero);
  if (isUnsigned) {
    Value q = l.make<arith::DivUIOp>(a, l.select(byZero, one, b));
    return l.select(byZero, zero, q);
  }
  Value byMinusOne = l.cmp(CmpIPredicate::eq, b, l.same(b, -1));
  Value safe = l.select(l.bitOr(byZero, byMinusOne), one, b);
  Value q = l.make<arith::DivSIOp>(a, safe);
  q = l.select(byMinusOne, l.sub(zero, a), q);
  return l.select(byZero, zero, q);
}

/// Remainder with the sign of the dividend (fmod) or of the divisor (mod).
static Value emitIntegerRemainder(LaneBuilder &l, Value a, Value b,
                                  bool isUnsigned, bool signOfDivisor) {
  Value q = emitIntegerDiv(l, a, b, isUnsigned);
  Value r = l.sub(a, l.mul(q, b));
  if (isUnsigned || !signOfDivisor)
    return r;
  Value zero = l.same(a, 0);
  Value differ = l.cmp(CmpIPredicate::slt, l.bitXor(r, b), zero);
  Value wrong = l.bitAnd(l.cmp(CmpIPredicate::ne, r, zero), differ);
  return l.select(wrong, l.add(r, b), r);
}

/// x rounded towards zero.
static Value truncate(LaneBuilder &l, Value x) {
  return l.make<math::TruncOp>(x);
}

/// a - b * n for the quotient n rounded towards zero. The rounding of a / b
/// may be off by one quotient, which the two corrections mend; quotients from
/// 2^24 on lose the low bits, as any float32 formula of bounded length does.
static Value emitFloatRemainder(LaneBuilder &l, Value a, Value b,
                                bool signOfDivisor) {
  Value x = l.abs(a), y = l.abs(b);
  Value n = truncate(l, l.div(x, y));
  Value r = l.fma(l.neg(n), y, x);
  r = l.select(l.cmp(CmpFPredicate::OLT, r, l.same(a, 0)), l.add(r, y), r);
  r = l.select(l.cmp(CmpFPredicate::OGE, r, y), l.sub(r, y), r);
  // A finite number modulo infinity is itself.
  r = l.select(l.cmp(CmpFPredicate::OLT, x, y), x, r);
  r = l.copysign(r, a);
  if (!signOfDivisor)
    return r;
  Value nonzero = l.cmp(CmpFPredicate::UNE, r, l.same(a, 0));
  Value differ =
      l.cmp(CmpFPredicate::OLT,
            l.mul(l.copysign(l.same(a, 1), a), l.copysign(l.same(a, 1), b)),
            l.same(a, 0));
  return l.select(l.bitAnd(nonzero, differ), l.add(r, b), r);
}

static Value emitIntegerPow(LaneBuilder &l, Value a, Value b) {
  // Square and multiply over the bits of the exponent that can matter for a
  // result that fits: wraps like repeated multiplication does.
  Value result = l.same(a, 1), base = a, rest = b;
  for (unsigned bit = 0; bit < 6; ++bit) {
    Value odd =
        l.cmp(CmpIPredicate::ne, l.bitAnd(rest, l.same(b, 1)), l.same(b, 0));
    result = l.select(odd, l.mul(result, base), result);
    base = l.mul(base, base);
    rest = l.shr(rest, 1);
  }
  return result;
}

static Value emitMinMax(LaneBuilder &l, Value a, Value b, bool larger,
                        bool isUnsigned) {
  if (isFloat(a))
    return larger ? l.maximum(a, b) : l.minimum(a, b);
  if (isUnsigned || laneType(a).isInteger(1))
    return larger ? l.make<arith::MaxUIOp>(a, b) : l.make<arith::MinUIOp>(a, b);
  return larger ? l.make<arith::MaxSIOp>(a, b) : l.make<arith::MinSIOp>(a, b);
}

Value amp::emitBinary(LaneBuilder &l, Operation *op, Value a, Value b) {
  bool isUnsigned =
      tensorType(op->getResult(0)).getElementType().isUnsignedInteger();
  bool real = isFloat(a);
  return TypeSwitch<Operation *, Value>(op)
      .Case<AddOp>([&](auto) { return l.add(a, b); })
      .Case<SubOp>([&](auto) { return l.sub(a, b); })
      .Case<MulOp>([&](auto) { return l.mul(a, b); })
      .Case<DivOp>([&](auto) {
        return real ? l.div(a, b) : emitIntegerDiv(l, a, b, isUnsigned);
      })
      .Case<MaxOp>([&](auto) { return emitMinMax(l, a, b, true, isUnsigned); })
      .Case<MinOp>([&](auto) { return emitMinMax(l, a, b, false, isUnsigned); })
      .Case<ModOp>([&](auto) {
        return real ? emitFloatRemainder(l, a, b, true)
                    : emitIntegerRemainder(l, a, b, isUnsigned, true);
      })
      .Case<FModOp>([&](auto) {
        return real ? emitFloatRemainder(l, a, b, false)
                    : emitIntegerRemainder(l, a, b, isUnsigned, false);
      })
      .Case<PowOp>([&](auto) { return emitIntegerPow(l, a, b); })
      .Case<AndOp>([&](auto) { return l.bitAnd(a, b); })
      .Case<OrOp>([&](auto) { return l.bitOr(a, b); })
      .Case<XorOp>([&](auto) { return l.bitXor(a, b); })
      .Default([](Operation *) { return Value(); });
}
