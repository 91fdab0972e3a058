//===- Tanh.cpp - tanh, sigmoid, softplus ---------------------------------===//

#include "amp/Codegen/Functions.h"

using namespace mlir;
using namespace amp;
using arith::CmpFPredicate;

// (tanh(t)/t - 1) / t^2 in z = t^2, t <= 0.55.
static constexpr double kTanhTail[] = {
    -0.006609614006381323, 0.021309062324136624, -0.0539093756408355,
    0.13333113458723855, -0.3333333200590794};

using Function = Value (*)(LaneBuilder &, Value);

/// e / (e + 2) for e = e^(2a) - 1. From `most` on the result is 1; the bound
/// keeps e finite.
static Value tanhByExpm1(LaneBuilder &l, Value a, double most, Function expm1) {
  Value beyond = l.cmp(CmpFPredicate::OGT, a, l.same(a, most));
  Value e = expm1(l, l.select(beyond, l.same(a, 2 * most), l.add(a, a)));
  return l.div(e, l.add(e, l.same(a, 2)));
}

/// 1 / (1 + e^-x) by a power that does not overflow.
static Value sigmoidByExp(LaneBuilder &l, Value x, Function exp) {
  Value z = exp(l, l.neg(l.abs(x))), one = l.same(x, 1);
  Value negative = l.cmp(CmpFPredicate::OLT, x, l.same(x, 0));
  return l.div(l.select(negative, z, one), l.add(z, one));
}

/// log(1 + e^x), likewise.
static Value softplusByExp(LaneBuilder &l, Value x, Function exp,
                           Function log1p) {
  Value z = log1p(l, exp(l, l.neg(l.abs(x)))), zero = l.same(x, 0);
  Value negative = l.cmp(CmpFPredicate::OLT, x, zero);
  return l.add(z, l.select(negative, zero, x));
}

Value amp::emitTanh(LaneBuilder &l, Value x) {
  Value a = l.abs(x);
  Value large = tanhByExpm1(l, a, 10, emitExpm1);
  Value z = l.mul(x, x);
  Value small = l.fma(l.mul(l.horner(z, kTanhTail), z), a, a);
  Value y = l.select(l.cmp(CmpFPredicate::OLT, a, l.f32(0.55)), small, large);
  return l.copysign(y, x);
}

Value amp::emitSigmoid(LaneBuilder &l, Value x) {
  return sigmoidByExp(l, x, emitExp);
}

Value amp::emitSoftplus(LaneBuilder &l, Value x) {
  return softplusByExp(l, x, emitExp, emitLog1p);
}

Value amp::emitTanhF64(LaneBuilder &l, Value x) {
  return l.copysign(tanhByExpm1(l, l.abs(x), 22, emitExpm1F64), x);
}

Value amp::emitSigmoidF64(LaneBuilder &l, Value x) {
  return sigmoidByExp(l, x, emitExpF64);
}

Value amp::emitSoftplusF64(LaneBuilder &l, Value x) {
  return softplusByExp(l, x, emitExpF64, emitLog1pF64);
}

Value amp::emitRsqrt(LaneBuilder &l, Value x) {
  return l.div(l.f32(1), l.sqrt(x));
}
