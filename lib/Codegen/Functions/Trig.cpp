//===- Trig.cpp - Sine and cosine -----------------------------------------===//

#include "amp/Codegen/Functions.h"
#include "llvm/ADT/APInt.h"
#include <cmath>

using namespace mlir;
using namespace amp;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace {
// (sin(r)/r - 1)/r^2 and (cos(r) - 1 + r^2/2)/r^4 in r^2, |r| <= pi/4.
constexpr double kSinTail[] = {-0.000195877889486263, 0.008332747798737307,
                               -0.16666664659885855};
constexpr double kCosTail[] = {2.454779893962113e-05, -0.0013888302246700928,
                               0.04166666465218591};
// 1.5 * 2^52: adding it rounds to an integer.
constexpr double kRounder = 6755399441055744.0;

/// For each biased exponent e: 2^(e-150) * 2/pi modulo 4 as a 29-bit high part
/// (times a 24-bit significand exact in f64) and a 51-bit low part.
DenseElementsAttr quarterTurnTable(MLIRContext *context) {
  // The first 256 bits of the fraction 2/pi, most significant word last.
  const uint64_t words[] = {0xfe5163abdebbc561, 0xdb6295993c439041,
                            0xfc2757d1f534ddc0, 0xa2f9836e4e441529};
  llvm::APInt fraction(640, words);
  SmallVector<double> entries;
  for (int e = 0; e < 256; ++e) {
    // A subnormal has the scale of exponent 1. The point is placed after bit
    // 512: value * 2^512 = fraction * 2^(512 - 256 + exponent).
    int shift = 256 + std::max(e, 1) - 150;
    llvm::APInt scaled = fraction.shl(shift);
    scaled.clearHighBits(640 - 514); // modulo 4
    // High part: 2 integer and 27 fraction bits below the point, or the first
    // 29 significant bits of a small number.
    unsigned top = std::min(514u, scaled.getActiveBits());
    unsigned cut = top > 29 ? top - 29 : 0;
    llvm::APInt high = scaled.lshr(cut);
    llvm::APInt rest = scaled - high.shl(cut);
    unsigned restTop = rest.getActiveBits();
    unsigned restCut = restTop > 51 ? restTop - 51 : 0;
    llvm::APInt low = rest.lshr(restCut);
    entries.push_back(std::ldexp(double(high.getZExtValue()), int(cut) - 512));
    entries.push_back(
        std::ldexp(double(low.getZExtValue()), int(restCut) - 512));
  }
  auto type = RankedTensorType::get({512}, Float64Type::get(context));
  return DenseElementsAttr::get(type, ArrayRef<double>(entries));
}

Value sineOrCosine(LaneBuilder &l, Value x, bool cosine) {
  Type f64 = l.builder.getF64Type(), f32 = l.builder.getF32Type();
  Type i32 = l.builder.getI32Type();
  Value table = l.scope.table("amp.quarter_turns",
                              quarterTurnTable(l.builder.getContext()));
  Value bits = l.bits(x, i32);
  Value exponent = l.bitAnd(l.shr(bits, 23), l.i32(255));
  Value significand = l.bitAnd(bits, l.i32(0x7fffff));
  Value subnormal = l.cmp(CmpIPredicate::eq, exponent, l.i32(0));
  significand =
      l.select(subnormal, significand, l.bitOr(significand, l.i32(0x800000)));
  Value m = l.convert(significand, f64, false);
  Value position = l.shl(exponent, 1);
  Value high = l.gatherF64(table, position);
  Value low = l.gatherF64(table, l.bitOr(position, l.i32(1)));

  // |x| * 2/pi modulo 4 = quarter turns + fraction, |fraction| <= 1/2.
  Value product = l.mul(m, high);
  Value rounder = l.f64(kRounder);
  Value rounded = l.add(l.fma(m, low, product), rounder);
  Value turns = l.sub(rounded, rounder);
  Value part = l.fma(m, low, l.sub(product, turns));
  Value turnBits = l.bits(rounded, l.builder.getI64Type());
  Value quarter = l.convert(turnBits, i32, false);
  Value r = l.convert(l.mul(part, l.f64(1.5707963267948966)), f32, false);

  Value z = l.mul(r, r);
  Value s = l.fma(l.mul(l.horner(z, kSinTail), z), r, r);
  Value c = l.fma(l.horner(z, kCosTail), l.mul(z, z),
                  l.fma(z, l.f32(-0.5), l.f32(1)));
  if (cosine)
    quarter = l.add(quarter, l.i32(1));
  Value even = l.cmp(CmpIPredicate::eq, l.bitAnd(quarter, l.i32(1)), l.i32(0));
  Value sign = l.shl(l.bitAnd(quarter, l.i32(2)), 30);
  if (!cosine)
    sign = l.bitXor(sign, l.bitAnd(bits, l.i32(int32_t(0x80000000))));
  Value y = l.bits(l.bitXor(l.bits(l.select(even, s, c), i32), sign), f32);
  if (!cosine)
    y = l.select(l.cmp(CmpFPredicate::ULT, l.abs(x), l.f32(0x1p-12)), x, y);
  Value notFinite = l.cmp(CmpIPredicate::eq, exponent, l.i32(255));
  return l.select(notFinite, l.sub(x, x), y);
}
} // namespace

Value amp::emitSin(LaneBuilder &l, Value x) {
  return sineOrCosine(l, x, false);
}
Value amp::emitCos(LaneBuilder &l, Value x) { return sineOrCosine(l, x, true); }
