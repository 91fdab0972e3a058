//===- DropoutEmitter.cpp - Random draws of a row -------------------------===//

#include "amp/Codegen/RowEmitter.h"

using namespace mlir;
using namespace amp;

/// Fills the draw memory of a dropout for a range of columns: 16 counters at a
/// time give 128 draws, which lie in memory in the order of the elements.
void RowEmitter::emitDraws(Operation *op, ColumnRange columns) {
  const Place &place = dropoutPlaces[op];
  if (!place.map.inner)
    return;
  unsigned number = llvm::find(plan.dropouts, op) - plan.dropouts.begin();
  Value memory = bufferPointer(shape.drawOffsets[number]);
  Type i32 = one.builder.getI32Type();
  // Counters cover 8 elements: the first may begin before the range.
  Value first = one.shr(one.add(place.offset, columns.begin), 3);
  Value last =
      one.shr(one.add(one.add(place.offset, columns.end), one.index(7)), 3);
  const DropoutState &state = dropoutStates[op];
  loop(one.index(0), one.sub(last, first), 16, {}, [&](Value c, ValueRange) {
    LaneBuilder l = one.withLanes(16);
    Value counter = one.add(first, c);
    Value low = one.make<arith::TruncIOp>(i32, counter);
    Value high = one.make<arith::TruncIOp>(i32, one.shr(counter, 32));
    SmallVector<Value, 4> words =
        emitPhilox(l, state, l.add(l.splat(low), l.laneNumbers(i32)), high);
    Value even = l.make<vector::InterleaveOp>(words[0], words[2]);
    Value odd = l.make<vector::InterleaveOp>(words[1], words[3]);
    Value ordered = l.make<vector::InterleaveOp>(even, odd);
    Value at = one.address(memory, one.mul(c, one.index(4)), i32);
    LLVM::StoreOp::create(one.builder, one.loc, ordered, at, 4u);
    return SmallVector<Value>();
  });
  drawBias[op] =
      one.sub(place.offset, one.make<arith::ShLIOp>(first, one.index(3)));
}

/// The draws of a whole number of eighths or halves of a counter, beginning at
/// `element`, as i32 lanes; any element for one lane.
Value RowEmitter::drawsInRegisters(LaneBuilder &l, DropoutOp op,
                                   Value element) {
  if (l.lanes == 1)
    return drawAt(op, element);
  assert((l.lanes == 4 || l.lanes == 8) && "a counter has 8 draws");
  Type i32 = one.builder.getI32Type();
  Value counter = one.shr(element, 3);
  SmallVector<Value, 4> words = emitPhilox(
      one, dropoutStates[op], one.make<arith::TruncIOp>(i32, counter),
      one.make<arith::TruncIOp>(i32, one.shr(counter, 32)));
  if (l.lanes == 4) {
    Value second = one.cmp(arith::CmpIPredicate::ne,
                           one.bitAnd(element, one.index(4)), one.index(0));
    words = {one.select(second, words[2], words[0]),
             one.select(second, words[3], words[1])};
  }
  Value draws = l.i32(0);
  for (int64_t i = 0; i < int64_t(l.lanes); ++i) {
    Value word = i % 2 ? one.shr(words[i / 2], 16)
                       : one.bitAnd(words[i / 2], one.i32(0xffff));
    draws = l.make<vector::InsertOp>(word, draws, i);
  }
  return draws;
}

/// The draw of one element, as i32: for values that do not vary by column.
Value RowEmitter::drawAt(DropoutOp op, Value element) {
  Type i32 = one.builder.getI32Type();
  Value counter = one.shr(element, 3);
  SmallVector<Value, 4> words = emitPhilox(
      one, dropoutStates[op], one.make<arith::TruncIOp>(i32, counter),
      one.make<arith::TruncIOp>(i32, one.shr(counter, 32)));
  Value place = one.make<arith::TruncIOp>(i32, element);
  Value word = words[0];
  for (int64_t i = 1; i < 4; ++i) {
    Value here = one.cmp(arith::CmpIPredicate::eq,
                         one.bitAnd(one.shr(place, 1), one.i32(3)), one.i32(i));
    word = one.select(here, words[i], word);
  }
  Value shift = one.shl(one.bitAnd(place, one.i32(1)), 4);
  return one.bitAnd(one.make<arith::ShRUIOp>(word, shift), one.i32(0xffff));
}

Value RowEmitter::emitDropoutValue(LaneBuilder &l, DropoutOp op, Value x,
                                   Value column) {
  const DropoutState &state = dropoutStates[op];
  const Place &place = dropoutPlaces[op];
  if (!place.map.inner)
    return emitDropout(l, state, x, l.splat(drawAt(op, place.offset)));
  if (drawInRegisters)
    return emitDropout(l, state, x,
                       drawsInRegisters(l, op, one.add(place.offset, column)));
  unsigned number =
      llvm::find(plan.dropouts, op.getOperation()) - plan.dropouts.begin();
  Value memory = bufferPointer(shape.drawOffsets[number]);
  Type ui16 = l.builder.getIntegerType(16, /*isSigned=*/false);
  Value draws = l.load(memory, one.add(drawBias[op], column), ui16);
  return emitDropout(l, state, x, draws);
}
