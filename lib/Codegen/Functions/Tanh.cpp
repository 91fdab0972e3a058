//===- Tanh.cpp - tanh, sigmoid, softplus ---------------------------------===//

#include "amp/Codegen/Functions.h"

using namespace mlir;
using namespace amp;
using arith::CmpFPredicate;

// (tanh(t)/t - 1) / t^2 in z = t^2, t <= 0.55.
static constexpr double kTanhTail[] = {
    -0.006609614006381323, 0.021309062324136624, -0.0539093756408355,
    0.13333113458723855, -0.3333333200590794};

Value amp::emitTanh(LaneBuilder &l, Value x) {
  Value a = l.abs(x);
  // From 10 on the result is 1; the bound keeps expm1 finite.
  Value twice =
      l.select(l.cmp(CmpFPredicate::OGT, a, l.f32(10)), l.f32(20), l.add(a, a));
  Value e = emitExpm1(l, twice);
  Value large = l.div(e, l.add(e, l.f32(2)));
  Value z = l.mul(x, x);
  Value small = l.fma(l.mul(l.horner(z, kTanhTail), z), a, a);
  Value y = l.select(l.cmp(CmpFPredicate::OLT, a, l.f32(0.55)), small, large);
  return l.copysign(y, x);
}

Value amp::emitSigmoid(LaneBuilder &l, Value x) {
  Value z = emitExp(l, l.neg(l.abs(x)));
  Value negative = l.cmp(CmpFPredicate::OLT, x, l.f32(0));
  return l.div(l.select(negative, z, l.f32(1)), l.add(z, l.f32(1)));
}

Value amp::emitSoftplus(LaneBuilder &l, Value x) {
  Value z = emitLog1p(l, emitExp(l, l.neg(l.abs(x))));
  Value negative = l.cmp(CmpFPredicate::OLT, x, l.f32(0));
  return l.add(z, l.select(negative, l.f32(0), x));
}

Value amp::emitRsqrt(LaneBuilder &l, Value x) {
  return l.div(l.f32(1), l.sqrt(x));
}
