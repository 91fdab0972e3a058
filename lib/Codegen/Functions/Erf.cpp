//===- Erf.cpp - erf and GELU ---------------------------------------------===//

#include "amp/Codegen/Functions.h"

using namespace mlir;
using namespace amp;
using arith::CmpFPredicate;

namespace {
// Two-part fit of N. Juffa (public): near zero x + x p(x^2), beyond 1 - e^r.
constexpr double kNear[] = {-5.96761703e-4, 4.99119423e-3,  -2.67681349e-2,
                            1.12819925e-1,  -3.76125336e-1, 1.28379166e-1};
constexpr double kSqrtHalf = 0.7071067811865476;
constexpr double kSqrtTwoOverPi = 0.7978845608028654;
constexpr double kInvSqrtTwoPi = 0.3989422804014327;
constexpr double kCubic = 0.044715;

/// e^v, where larger results than e^88 do not matter; NaN stays NaN.
Value boundedExp(LaneBuilder &l, Value v) {
  Value high = l.f32(88);
  Value bounded = l.select(l.cmp(CmpFPredicate::OGT, v, high), high, v);
  return emitExpBounded(l, bounded);
}
} // namespace

Value amp::emitErf(LaneBuilder &l, Value x) {
  Value a = l.abs(x);
  Value t = l.select(l.cmp(CmpFPredicate::OGT, a, l.f32(4)), l.f32(4), a);
  Value t2 = l.mul(t, t);
  Value r = l.fma(l.f32(-1.72853470e-5), t, l.f32(3.83197126e-4));
  Value u = l.fma(l.f32(-3.88396438e-3), t, l.f32(2.42546219e-2));
  r = l.fma(r, t2, u);
  r = l.fma(r, t, l.f32(-1.06777877e-1));
  r = l.fma(r, t, l.f32(-6.34846687e-1));
  r = l.fma(r, t, l.f32(-1.28717512e-1));
  r = l.fma(r, t, l.neg(t));
  Value far = l.copysign(l.sub(l.f32(1), emitExpBounded(l, r)), x);
  Value near = l.fma(l.horner(l.mul(x, x), kNear), x, x);
  return l.select(l.cmp(CmpFPredicate::OGT, a, l.f32(0.927734375)), far, near);
}

Value amp::emitGeluErf(LaneBuilder &l, Value x) {
  Value e = emitErf(l, l.mul(x, l.f32(kSqrtHalf)));
  return l.mul(l.mul(x, l.f32(0.5)), l.add(e, l.f32(1)));
}

Value amp::emitGeluErfDerivative(LaneBuilder &l, Value x) {
  Value e = emitErf(l, l.mul(x, l.f32(kSqrtHalf)));
  Value cdf = l.fma(e, l.f32(0.5), l.f32(0.5));
  // Beyond 15 the density is 0; the bound keeps inf * 0 out.
  Value c = l.clamp(x, -15, 15);
  Value density = emitExpBounded(l, l.mul(l.mul(c, c), l.f32(-0.5)));
  return l.fma(l.mul(c, l.f32(kInvSqrtTwoPi)), density, cdf);
}

/// x/2 (1 + tanh u) = x / (1 + e^-2u): one exponential and no cancellation.
static Value minusTwoU(LaneBuilder &l, Value x) {
  Value x2 = l.mul(x, x);
  Value inner = l.fma(x2, l.f32(-2 * kSqrtTwoOverPi * kCubic),
                      l.f32(-2 * kSqrtTwoOverPi));
  return l.mul(x, inner);
}

Value amp::emitGeluTanh(LaneBuilder &l, Value x) {
  return l.div(x, l.add(boundedExp(l, minusTwoU(l, x)), l.f32(1)));
}

Value amp::emitGeluTanhDerivative(LaneBuilder &l, Value x) {
  // s + 2 x u' s (1 - s) with s = 1 / (1 + z) and 1 - s = z s, which does not
  // cancel; the product vanishes long before |x| = 15.
  Value c = l.clamp(x, -15, 15);
  Value z = boundedExp(l, minusTwoU(l, c));
  Value s = l.div(l.f32(1), l.add(z, l.f32(1)));
  Value slope = l.fma(l.mul(c, c), l.f32(6 * kSqrtTwoOverPi * kCubic),
                      l.f32(2 * kSqrtTwoOverPi));
  Value product = l.mul(l.mul(c, slope), l.mul(l.mul(z, s), s));
  return l.add(product, s);
}
