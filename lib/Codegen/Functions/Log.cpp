//===- Log.cpp - log and log1p --------------------------------------------===//

#include "amp/Codegen/Functions.h"
#include <limits>

using namespace mlir;
using namespace amp;
using arith::CmpFPredicate;

namespace {
constexpr double kLn2High = 0.693145751953125;
constexpr double kLn2Low = 1.4286068203094173e-06;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// (log(1+f) - f + f^2/2) / f^3 on [sqrt(1/2)-1, sqrt(2)-1].
constexpr double kLogTail[] = {-0.0790274377239344,  0.12622319849228378,
                               -0.1299818376365153,  0.14214495923947962,
                               -0.16641281463106394, 0.2000104509416068,
                               -0.25000306422569796, 0.33333330728190674};

/// Exponent that leaves a significand in [sqrt(1/2), sqrt(2)).
Value exponentOf(LaneBuilder &l, Value bits) {
  return l.sar(l.sub(bits, l.i32(0x3F3504F3)), 23);
}

/// log(2^e (1 + f)).
Value logOfParts(LaneBuilder &l, Value e, Value f) {
  Value scale = l.convert(e, l.builder.getF32Type(), false);
  Value q = l.horner(f, kLogTail);
  Value t = l.fma(l.fma(q, f, l.f32(-0.5)), l.mul(f, f),
                  l.mul(scale, l.f32(kLn2Low)));
  return l.fma(scale, l.f32(kLn2High), l.add(t, f));
}

/// Replaces y where `x` is +inf, NaN, negative or zero.
Value specialCases(LaneBuilder &l, Value x, Value y) {
  Value zero = l.f32(0);
  y = l.select(l.cmp(CmpFPredicate::UEQ, x, l.f32(kInfinity)), x, y);
  y = l.select(l.cmp(CmpFPredicate::OLT, x, zero), l.f32(kNan), y);
  return l.select(l.cmp(CmpFPredicate::OEQ, x, zero), l.f32(-kInfinity), y);
}
} // namespace

void amp::emitLogSplit(LaneBuilder &l, Value x, Value &exponent,
                       Value &fraction) {
  Value small = l.cmp(CmpFPredicate::OLT, x, l.f32(0x1p-126));
  Value scaled = l.select(small, l.mul(x, l.f32(0x1p23)), x);
  Value bits = l.bits(scaled, l.builder.getI32Type());
  Value e = exponentOf(l, bits);
  Value m = l.bits(l.sub(bits, l.shl(e, 23)), l.builder.getF32Type());
  exponent = l.sub(e, l.select(small, l.i32(23), l.i32(0)));
  fraction = l.sub(m, l.f32(1));
}

Value amp::emitLog(LaneBuilder &l, Value x) {
  Value e, f;
  emitLogSplit(l, x, e, f);
  return specialCases(l, x, logOfParts(l, e, f));
}

Value amp::emitLog1p(LaneBuilder &l, Value x) {
  // Huge arguments are scaled, so that 2^-e stays a normal number.
  Value huge = l.cmp(CmpFPredicate::OGT, x, l.f32(0x1p100));
  Value scaled = l.select(huge, l.mul(x, l.f32(0x1p-64)), x);
  Value sum = l.add(scaled, l.f32(1));
  Value e = exponentOf(l, l.bits(sum, l.builder.getI32Type()));
  Value s = l.bits(l.shl(l.sub(l.i32(127), e), 23), l.builder.getF32Type());
  // Both parts of 1 + x are reduced exactly.
  Value f = l.fma(s, scaled, l.sub(s, l.f32(1)));
  Value shift = l.select(huge, l.i32(64), l.i32(0));
  Value y = logOfParts(l, l.add(e, shift), f);
  y = specialCases(l, l.add(x, l.f32(1)), y);
  Value small = l.cmp(CmpFPredicate::ULT, l.abs(x), l.f32(0x1p-25));
  return l.select(small, x, y);
}
