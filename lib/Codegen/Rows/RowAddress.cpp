//===- RowAddress.cpp - Addresses of operands in the current row ----------===//

#include "amp/Codegen/RowEmitter.h"

using namespace mlir;
using namespace amp;

void RowEmitter::addOperand(Value key, Value pointer, Value tensorValue) {
  Place place;
  place.pointer = pointer;
  place.element = tensorType(tensorValue).getElementType();
  place.map = space.map(tensorValue);
  inputs[key] = place;
}

/// Coordinates of a number in a row-major space of these sizes.
static SmallVector<Value> split(LaneBuilder &l, Value number,
                                ArrayRef<int64_t> sizes) {
  SmallVector<Value> result(sizes.size());
  for (size_t i = sizes.size(); i-- > 0;) {
    if (i == 0) {
      result[i] = number;
      break;
    }
    Value size = l.index(sizes[i]);
    result[i] = l.make<arith::RemUIOp>(number, size);
    number = l.make<arith::DivUIOp>(number, size);
  }
  return result;
}

Value RowEmitter::dotStrides(ArrayRef<Value> coordinates,
                             ArrayRef<int64_t> strides) {
  Value sum = one.index(0);
  for (auto [coordinate, stride] : llvm::zip(coordinates, strides))
    if (stride != 0)
      sum = one.add(sum, one.mul(coordinate, one.index(stride)));
  return sum;
}

void RowEmitter::setRow(Value row) {
  rowCoordinates = split(one, row, space.outer);
  Value linear = one.mul(row, one.index(space.rowLength()));
  auto place = [&](Place &p) {
    p.rowOffset =
        p.map.linear ? linear : dotStrides(rowCoordinates, p.map.outer);
    p.offset = p.rowOffset;
  };
  for (auto &[value, p] : inputs)
    place(p);
  for (Place &p : outputs)
    place(p);
  for (auto &[op, p] : dropoutPlaces)
    place(p);
  segment = one.index(0);
}

void RowEmitter::setSegment(Value number) {
  segment = number;
  segmentCoordinates = split(one, number, space.segment);
  auto place = [&](Place &p) {
    p.offset =
        one.add(p.rowOffset, dotStrides(segmentCoordinates, p.map.segment));
  };
  for (auto &[value, p] : inputs)
    place(p);
  for (Place &p : outputs)
    place(p);
  for (auto &[op, p] : dropoutPlaces)
    place(p);
}

/// Coordinate of an iota's axis that is the same for all columns.
Value RowEmitter::coordinateOf(IotaOp iota) {
  ArrayRef<int64_t> dims = tensorType(iota.getResult()).getShape();
  int64_t group = space.groupOfAxis(dims, iota.getAxis());
  if (group < 0)
    return one.index(0);
  size_t number = group;
  if (number < space.outer.size())
    return rowCoordinates[number];
  return segmentCoordinates[number - space.outer.size()];
}

/// True in exactly one of the units that see the same element of an output
/// that is smaller than the domain; null if there is only one.
Value RowEmitter::outputGuard(unsigned output) {
  const OperandMap &map = outputs[output].map;
  Value guard;
  auto require = [&](ArrayRef<Value> coordinates, ArrayRef<int64_t> strides,
                     ArrayRef<int64_t> sizes) {
    for (size_t i = 0; i < strides.size(); ++i) {
      if (strides[i] != 0 || sizes[i] == 1)
        continue;
      Value first =
          one.cmp(arith::CmpIPredicate::eq, coordinates[i], one.index(0));
      guard = guard ? one.bitAnd(guard, first) : first;
    }
  };
  require(rowCoordinates, map.outer, space.outer);
  if (!map.isRowUniform())
    require(segmentCoordinates, map.segment, space.segment);
  return guard;
}

Value RowEmitter::bufferPointer(int64_t byteOffset) {
  return one.make<LLVM::GEPOp>(rowMemory.getType(), one.builder.getI8Type(),
                               rowMemory,
                               ArrayRef<LLVM::GEPArg>{int32_t(byteOffset)});
}
