//===- Exp.cpp - exp, expm1 and their relatives ---------------------------===//

#include "amp/Codegen/Functions.h"

using namespace mlir;
using namespace amp;
using arith::CmpFPredicate;

namespace {
// 1.5 * 2^23: adding it rounds to an integer, which then is the low bits.
constexpr double kRounder = 12582912.0;
constexpr int64_t kRounderBits = 0x4B400000;
constexpr double kLog2E = 1.4426950408889634;
// ln 2 in two parts; n times the first is exact for the n that occur.
constexpr double kLn2High = 0.693145751953125;
constexpr double kLn2Low = 1.4286068203094173e-06;
// (e^r - 1 - r) / r^2 on |r| <= ln(2)/2, highest power first.
constexpr double kExpTail[] = {0.0013926325618133463, 0.008363292753030603,
                               0.041666553762567636, 0.16666576305560638, 0.5};

/// x = n ln 2 + r; the bits of `rounded` are n plus kRounderBits.
struct Reduced {
  Value rounded, r;
};

Reduced reduce(LaneBuilder &l, Value x) {
  Value rounder = l.f32(kRounder);
  Value t = l.fma(x, l.f32(kLog2E), rounder);
  Value n = l.sub(t, rounder);
  Value r = l.fma(n, l.f32(-kLn2Low), l.fma(n, l.f32(-kLn2High), x));
  return {l.bits(t, l.builder.getI32Type()), r};
}

Value powerOfTwo(LaneBuilder &l, Value n) {
  return l.bits(l.shl(l.add(n, l.i32(127)), 23), l.builder.getF32Type());
}
} // namespace

Value amp::emitExpPolynomial(LaneBuilder &l, Value r) {
  Value q = l.horner(r, kExpTail);
  return l.fma(l.fma(q, r, l.f32(1)), r, l.f32(1));
}

Value amp::emitScaleByPowerOfTwo(LaneBuilder &l, Value p, Value n) {
  // Two factors, for 2^n alone may be out of range where the result is not.
  Value half = l.sar(n, 1);
  return l.mul(l.mul(p, powerOfTwo(l, half)), powerOfTwo(l, l.sub(n, half)));
}

Value amp::emitExp(LaneBuilder &l, Value x) {
  Reduced v = reduce(l, l.clamp(x, -104.5, 89.0));
  Value n = l.sub(v.rounded, l.i32(kRounderBits));
  return emitScaleByPowerOfTwo(l, emitExpPolynomial(l, v.r), n);
}

Value amp::emitExpBounded(LaneBuilder &l, Value x) {
  Reduced v = reduce(l, x);
  // A product, not an addition to the exponent: a NaN stays a NaN.
  Value scale = l.bits(l.add(l.shl(v.rounded, 23), l.i32(127 << 23)),
                       l.builder.getF32Type());
  Value y = l.mul(emitExpPolynomial(l, v.r), scale);
  Value tiny = l.cmp(CmpFPredicate::OLT, x, l.f32(-87.3));
  return l.select(tiny, l.f32(0), y);
}

Value amp::emitExpm1(LaneBuilder &l, Value x) {
  Reduced v = reduce(l, l.clamp(x, -30.0, 89.0));
  // e^r - 1 = r + r^2 q(r); then 2 (s p + (s - 1/2)) with s = 2^(n-1).
  Value p = l.fma(l.horner(v.r, kExpTail), l.mul(v.r, v.r), v.r);
  Value s = l.bits(l.add(l.shl(v.rounded, 23), l.i32(126 << 23)),
                   l.builder.getF32Type());
  Value y = l.fma(s, p, l.sub(s, l.f32(0.5)));
  y = l.add(y, y);
  // Keeps -0, subnormals and NaN.
  Value small = l.cmp(CmpFPredicate::ULT, l.abs(x), l.f32(0x1p-25));
  return l.select(small, x, y);
}
