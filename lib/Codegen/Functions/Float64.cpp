//===- Float64.cpp - exp, log and their relatives in float64 --------------===//
//
// The methods of the float32 ones with longer series: exp is reduced to
// |r| <= ln(2)/2 and summed up to r^13 / 13!; log takes 2 atanh(f / (2 + f)).
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Functions.h"
#include <limits>

using namespace mlir;
using namespace amp;
using arith::CmpFPredicate;

namespace {
// 1.5 * 2^52: adding it rounds to an integer, which then is the low bits.
constexpr double kRounder = 6755399441055744.0;
constexpr int64_t kRounderBits = 0x4338000000000000;
constexpr double kLog2E = 1.4426950408889634;
// ln 2 in two parts; n times the first is exact for the n that occur.
constexpr double kLn2High = 0x1.62e42feep-1;
constexpr double kLn2Low = 1.9082149293851713e-10;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
/// Below it x and e^x - 1, or log(1 + x), are the same number.
constexpr double kTiny = 0x1p-54;

// 1 / k! for k = 13 .. 2.
constexpr double kExpTail[] = {
    1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
    1.0 / 362880,     1.0 / 40320,     1.0 / 5040,     1.0 / 720,
    1.0 / 120,        1.0 / 24,        1.0 / 6,        0.5};
// 2 / (2k + 1) for k = 11 .. 1.
constexpr double kAtanhTail[] = {2.0 / 23, 2.0 / 21, 2.0 / 19, 2.0 / 17,
                                 2.0 / 15, 2.0 / 13, 2.0 / 11, 2.0 / 9,
                                 2.0 / 7,  2.0 / 5,  2.0 / 3};

/// x = n ln 2 + r, and e^r - 1.
struct Reduced {
  Value n, power;
};

Reduced reduce(LaneBuilder &l, Value x) {
  Value rounder = l.f64(kRounder);
  Value t = l.fma(x, l.f64(kLog2E), rounder);
  Value n = l.sub(t, rounder);
  Value r = l.fma(n, l.f64(-kLn2Low), l.fma(n, l.f64(-kLn2High), x));
  Value number = l.sub(l.bits(t, l.builder.getI64Type()), l.i64(kRounderBits));
  return {number, l.fma(l.mul(r, r), l.horner(r, kExpTail), r)};
}

Value powerOfTwo(LaneBuilder &l, Value n) {
  return l.bits(l.shl(l.add(n, l.i64(1023)), 52), l.builder.getF64Type());
}
} // namespace

Value amp::emitExpF64(LaneBuilder &l, Value x) {
  Reduced v = reduce(l, l.clamp(x, -746.0, 710.0));
  Value p = l.add(v.power, l.f64(1));
  // Two factors, for 2^n alone may be out of range where the result is not.
  Value half = l.sar(v.n, 1);
  return l.mul(l.mul(p, powerOfTwo(l, half)), powerOfTwo(l, l.sub(v.n, half)));
}

Value amp::emitExpm1F64(LaneBuilder &l, Value x) {
  Reduced v = reduce(l, l.clamp(x, -50.0, 710.0));
  // 2 (s p + (s - 1/2)) with s = 2^(n-1).
  Value s = powerOfTwo(l, l.sub(v.n, l.i64(1)));
  Value y = l.fma(s, v.power, l.sub(s, l.f64(0.5)));
  y = l.add(y, y);
  Value small = l.cmp(CmpFPredicate::ULT, l.abs(x), l.f64(kTiny));
  return l.select(small, x, y);
}

Value amp::emitLogF64(LaneBuilder &l, Value x) {
  Value isSmall = l.cmp(CmpFPredicate::OLT, x, l.f64(0x1p-1022));
  Value scaled = l.select(isSmall, l.mul(x, l.f64(0x1p54)), x);
  Value bits = l.bits(scaled, l.builder.getI64Type());
  // The exponent that leaves a significand in [sqrt(1/2), sqrt(2)).
  Value e = l.sar(l.sub(bits, l.i64(0x3FE6A09E667F3BCD)), 52);
  Value m = l.bits(l.sub(bits, l.shl(e, 52)), l.builder.getF64Type());
  e = l.sub(e, l.select(isSmall, l.i64(54), l.i64(0)));
  e = l.convert(e, l.builder.getF64Type(), false);
  // f - f^2/2 + s (f^2/2 + R(s^2)) for s = f / (2 + f).
  Value f = l.sub(m, l.f64(1));
  Value s = l.div(f, l.add(f, l.f64(2)));
  Value z = l.mul(s, s);
  Value half = l.mul(l.mul(f, l.f64(0.5)), f);
  Value rest = l.fma(s, l.add(half, l.mul(l.horner(z, kAtanhTail), z)),
                     l.mul(e, l.f64(kLn2Low)));
  Value y = l.fma(e, l.f64(kLn2High), l.sub(f, l.sub(half, rest)));
  Value zero = l.f64(0);
  y = l.select(l.cmp(CmpFPredicate::UEQ, x, l.f64(kInfinity)), x, y);
  y = l.select(l.cmp(CmpFPredicate::OLT, x, zero), l.f64(kNan), y);
  return l.select(l.cmp(CmpFPredicate::OEQ, x, zero), l.f64(-kInfinity), y);
}

Value amp::emitLog1pF64(LaneBuilder &l, Value x) {
  // log(u) + d / u, where 1 + x = u + d exactly.
  Value one = l.f64(1);
  Value u = l.add(x, one);
  Value d = l.select(l.cmp(CmpFPredicate::OGE, x, one), l.sub(one, l.sub(u, x)),
                     l.sub(x, l.sub(u, one)));
  Value isRegular = l.cmp(CmpFPredicate::OGT, u, l.f64(0));
  isRegular =
      l.bitAnd(isRegular, l.cmp(CmpFPredicate::OLT, u, l.f64(kInfinity)));
  Value more = l.select(isRegular, l.div(d, u), l.f64(0));
  Value y = l.add(emitLogF64(l, u), more);
  Value small = l.cmp(CmpFPredicate::ULT, l.abs(x), l.f64(kTiny));
  return l.select(small, x, y);
}
