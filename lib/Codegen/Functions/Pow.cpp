//===- Pow.cpp - Powers ---------------------------------------------------===//

#include "amp/Codegen/Functions.h"
#include <limits>

using namespace mlir;
using namespace amp;
using arith::CmpFPredicate;

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kRounder = 6755399441055744.0; // 1.5 * 2^52
constexpr double kLn2 = 0.6931471805599453;
// log2(1+f)/f on [sqrt(1/2)-1, sqrt(2)-1], for f64.
constexpr double kLog2[] = {
    -0.05607988304133264, 0.11427131919552941,  -0.11895057618328995,
    0.11108048187908302,  -0.11803157989277945, 0.13089265588126772,
    -0.1444142050221101,  0.1603232695730357,   -0.18033187497677122,
    0.20609838960888552,  -0.2404492623018822,  0.28853902330508163,
    -0.36067375951188296, 0.4808983468711015,   -0.7213475204462124,
    1.4426950408890524};

/// log2 |x| in f64 with the values at 0, inf and NaN.
Value log2Magnitude(LaneBuilder &l, Value x) {
  Type f64 = l.builder.getF64Type();
  Value a = l.abs(x), e, f;
  emitLogSplit(l, a, e, f);
  Value wide = l.convert(f, f64, false);
  Value y = l.fma(l.horner(wide, kLog2), wide, l.convert(e, f64, false));
  y = l.select(l.cmp(CmpFPredicate::OEQ, a, l.f32(kInfinity)), l.f64(kInfinity),
               y);
  y = l.select(l.cmp(CmpFPredicate::OEQ, a, l.f32(0)), l.f64(-kInfinity), y);
  return l.select(l.isNan(x), l.f64(kNan), y);
}

/// 2^t rounded to float32.
Value exp2OfF64(LaneBuilder &l, Value t) {
  Type f32 = l.builder.getF32Type(), i32 = l.builder.getI32Type();
  Value c = l.clamp(t, -160, 160);
  Value rounded = l.add(c, l.f64(kRounder));
  Value n = l.sub(rounded, l.f64(kRounder));
  Value r = l.convert(l.mul(l.sub(c, n), l.f64(kLn2)), f32, false);
  Value low = l.convert(l.bits(rounded, l.builder.getI64Type()), i32, false);
  Value y = emitScaleByPowerOfTwo(l, emitExpPolynomial(l, r), low);
  return l.select(l.isNan(t), l.f32(kNan), y);
}
} // namespace

Value amp::emitPow(LaneBuilder &l, Value x, Value y) {
  Type f64 = l.builder.getF64Type(), f32 = l.builder.getF32Type();
  Type i32 = l.builder.getI32Type();
  Value z = exp2OfF64(l, l.mul(l.convert(y, f64, false), log2Magnitude(l, x)));

  // Whether y is an integer, and an odd one; from 2^24 on all are even.
  Value magnitude = l.abs(y);
  Value big = l.cmp(CmpFPredicate::OGE, magnitude, l.f32(0x1p24));
  Value safe = l.select(l.cmp(CmpFPredicate::OLT, magnitude, l.f32(0x1p24)), y,
                        l.f32(0));
  Value whole = l.make<arith::FPToSIOp>(l.type(i32), safe);
  Value isWhole =
      l.bitOr(big, l.cmp(CmpFPredicate::OEQ, l.convert(whole, f32, false), y));
  Value odd = l.select(isWhole, l.bitAnd(whole, l.i32(1)), l.i32(0));
  Value sign = l.bitAnd(l.bits(x, i32), l.shl(odd, 31));
  z = l.bits(l.bitOr(l.bits(z, i32), sign), f32);

  Value negative = l.bitAnd(l.cmp(CmpFPredicate::OLT, x, l.f32(0)),
                            l.cmp(CmpFPredicate::ONE, x, l.f32(-kInfinity)));
  z = l.select(negative, l.select(isWhole, z, l.f32(kNan)), z);
  Value one = l.bitOr(l.cmp(CmpFPredicate::OEQ, y, l.f32(0)),
                      l.cmp(CmpFPredicate::OEQ, x, l.f32(1)));
  Value minusOne =
      l.bitAnd(l.cmp(CmpFPredicate::OEQ, x, l.f32(-1)),
               l.cmp(CmpFPredicate::OEQ, magnitude, l.f32(kInfinity)));
  return l.select(l.bitOr(one, minusOne), l.f32(1), z);
}

Value amp::emitPowConstant(LaneBuilder &l, Value x, double y) {
  if (y == 0)
    return l.same(x, 1);
  if (y == 1)
    return x;
  if (y == -1)
    return l.div(l.same(x, 1), x);
  if (y == 2)
    return l.mul(x, x);
  if (y == -2)
    return l.div(l.same(x, 1), l.mul(x, x));
  if (y == 3)
    return l.mul(l.mul(x, x), x);
  if (y == 4) {
    Value square = l.mul(x, x);
    return l.mul(square, square);
  }
  if (y == 0.5 || y == -0.5) {
    // pow(-inf, 1/2) is inf and pow(-0, 1/2) is +0, unlike the square root.
    Value root = l.sqrt(l.add(x, l.same(x, 0)));
    root = l.select(l.cmp(CmpFPredicate::OEQ, x, l.same(x, -kInfinity)),
                    l.same(x, kInfinity), root);
    return y > 0 ? root : l.div(l.same(x, 1), root);
  }
  Value narrow = l.convert(x, l.builder.getF32Type(), false);
  return l.convert(emitPow(l, narrow, l.f32(y)), laneType(x), false);
}
