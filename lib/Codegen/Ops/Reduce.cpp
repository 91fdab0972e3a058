//===- Reduce.cpp - Steps of row reductions -------------------------------===//

#include "amp/Codegen/OpEmitter.h"
#include <limits>

using namespace mlir;
using namespace amp;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

static Type elementOf(Operation *reduction) {
  return tensorType(reduction->getResult(0)).getElementType();
}

Value amp::emitReduceStep(LaneBuilder &l, Operation *reduction,
                          Value accumulator, Value x) {
  if (isa<ReduceSumOp, ReduceMeanOp>(reduction)) {
    // Low sums round every partial result; a float32 one is as it is.
    Value sum = l.add(accumulator, x);
    auto acc = cast<AccumulatingOpInterface>(reduction).getAccumulator();
    return isa<FloatType>(acc) ? l.roundTo(sum, acc) : sum;
  }
  bool larger = isa<ReduceMaxOp>(reduction);
  if (isa<FloatType>(laneType(x))) {
    // Takes x if it is better or NaN, and keeps a NaN: no comparison with the
    // accumulator is true then.
    Value better =
        l.cmp(larger ? CmpFPredicate::OGT : CmpFPredicate::OLT, x, accumulator);
    return l.select(l.bitOr(better, l.isNan(x)), x, accumulator);
  }
  Type element = elementOf(reduction);
  bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
  CmpIPredicate p =
      larger ? (isUnsigned ? CmpIPredicate::ugt : CmpIPredicate::sgt)
             : (isUnsigned ? CmpIPredicate::ult : CmpIPredicate::slt);
  return l.select(l.cmp(p, x, accumulator), x, accumulator);
}

Value amp::emitReduceNeutral(LaneBuilder &l, Operation *reduction) {
  Type element = elementOf(reduction);
  Type reg = registerType(element);
  bool isSum = isa<ReduceSumOp, ReduceMeanOp>(reduction);
  bool larger = isa<ReduceMaxOp>(reduction);
  if (isa<FloatType>(reg)) {
    double infinity = std::numeric_limits<double>::infinity();
    double value = isSum ? 0 : larger ? -infinity : infinity;
    return reg.isF64() ? l.f64(value) : l.f32(value);
  }
  if (reg.isInteger(1))
    return l.i1(!isSum && !larger);
  bool isUnsigned = element.isUnsignedInteger();
  // The limits of the register: a narrower element never reaches them.
  int64_t lowest = isUnsigned          ? 0
                   : reg.isInteger(64) ? std::numeric_limits<int64_t>::min()
                                       : std::numeric_limits<int32_t>::min();
  int64_t highest = isUnsigned ? -1 : ~lowest;
  int64_t value = isSum ? 0 : larger ? lowest : highest;
  return reg.isInteger(64) ? l.i64(value) : l.i32(value);
}

Value amp::emitReduceFinish(LaneBuilder &l, Operation *reduction,
                            Value accumulator, int64_t count) {
  if (!isa<ReduceMeanOp>(reduction))
    return wrapToWidth(l, accumulator, elementOf(reduction));
  if (isa<FloatType>(laneType(accumulator)))
    return l.div(accumulator, l.same(accumulator, double(count)));
  Value divisor = l.same(accumulator, std::max<int64_t>(count, 1));
  return elementOf(reduction).isUnsignedInteger()
             ? l.make<arith::DivUIOp>(accumulator, divisor)
             : l.make<arith::DivSIOp>(accumulator, divisor);
}
