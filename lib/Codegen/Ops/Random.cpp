//===- Random.cpp - Dropout and its random numbers ------------------------===//

#include "amp/Codegen/OpEmitter.h"
#include <cmath>

using namespace mlir;
using namespace amp;
using arith::CmpIPredicate;

namespace {
// Philox 4x32 (Salmon et al. 2011).
constexpr int64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
constexpr int64_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
constexpr int kRounds = 7;

/// High word of a product. The low word is made apart, by a 32-bit multiply:
/// so the code generator recognises a high-half multiply.
Value highProduct(LaneBuilder &l, Value a, int64_t multiplier) {
  Type i64 = l.builder.getI64Type(), i32 = l.builder.getI32Type();
  Value wide = l.make<arith::ExtUIOp>(l.type(i64), a);
  Value product = l.shr(l.mul(wide, l.i64(multiplier)), 32);
  return l.make<arith::TruncIOp>(l.type(i32), product);
}
} // namespace

DropoutState amp::emitDropoutState(LaneBuilder &l, DropoutOp op, Value rng,
                                   Value iteration) {
  Type i32 = l.builder.getI32Type();
  Type rngElement = tensorType(op.getRng()).getElementType();
  Type countElement = tensorType(op.getIteration()).getElementType();
  auto words = [&](Value v) {
    Value wide = l.convert(v, l.builder.getI64Type(), false);
    Value low = l.make<arith::TruncIOp>(i32, wide);
    Value high = l.make<arith::TruncIOp>(i32, l.shr(wide, 32));
    return std::pair(low, high);
  };
  DropoutState state;
  auto [seedLow, seedHigh] = words(l.load(rng, l.index(0), rngElement));
  int64_t node = op.getNode();
  state.key0 = seedLow;
  // A seed beyond 32 bits still matters: its high word joins the node.
  state.key1 = l.bitXor(l.i32(node), seedHigh);
  std::tie(state.iterationLow, state.iterationHigh) =
      words(l.load(iteration, l.index(0), countElement));
  Value enabled = l.load(rng, l.index(1), rngElement);
  Value on = l.cmp(CmpIPredicate::ne, enabled, l.same(enabled, 0));
  double ratio = op.getRatio().convertToDouble();
  int64_t threshold = std::nearbyint(ratio * 65536.0);
  double factor = ratio < 1 ? 1.0 / (1.0 - ratio) : 0.0;
  state.threshold = l.select(on, l.i32(threshold), l.i32(0));
  state.factor = l.select(on, l.f32(factor), l.f32(1));
  return state;
}

SmallVector<Value, 4> amp::emitPhilox(LaneBuilder &l, const DropoutState &state,
                                      Value low, Value high) {
  Value c0 = low, c1 = l.splat(high), c2 = l.splat(state.iterationLow),
        c3 = l.splat(state.iterationHigh);
  LaneBuilder scalar = l.withLanes(1);
  Value k0 = state.key0, k1 = state.key1;
  for (int round = 0; round < kRounds; ++round) {
    Value high0 = highProduct(l, c0, kMultiplier0);
    Value high1 = highProduct(l, c2, kMultiplier1);
    Value low0 = l.mul(c0, l.i32(kMultiplier0));
    Value low1 = l.mul(c2, l.i32(kMultiplier1));
    c0 = l.bitXor(l.bitXor(high1, c1), l.splat(k0));
    c2 = l.bitXor(l.bitXor(high0, c3), l.splat(k1));
    c1 = low1;
    c3 = low0;
    k0 = scalar.add(k0, scalar.i32(kWeyl0));
    k1 = scalar.add(k1, scalar.i32(kWeyl1));
  }
  return {c0, c1, c2, c3};
}

Value amp::emitDropout(LaneBuilder &l, const DropoutState &state, Value x,
                       Value draws) {
  Value kept = l.cmp(CmpIPredicate::uge, draws, l.splat(state.threshold));
  Value factor = l.convert(l.splat(state.factor), laneType(x), false);
  return l.select(kept, l.mul(x, factor), l.same(x, 0));
}
