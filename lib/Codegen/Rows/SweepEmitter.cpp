//===- SweepEmitter.cpp - Loops over the columns of a row -----------------===//

#include "amp/Codegen/KernelChecks.h"
#include "amp/Codegen/RowEmitter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace amp;

// Independent partial results of a row reduction; the order of its additions
// depends on this, on the lanes and on the number of columns only.
static constexpr int64_t kAccumulators = 4;

SmallVector<Value> RowEmitter::loop(Value from, Value to, int64_t step,
                                    ValueRange inits, Body body) {
  auto constant = [](Value v) {
    auto op = v.getDefiningOp<arith::ConstantOp>();
    auto number = op ? dyn_cast<IntegerAttr>(op.getValue()) : IntegerAttr();
    return number ? std::optional<int64_t>(number.getInt()) : std::nullopt;
  };
  auto first = constant(from), last = constant(to);
  if (first && last && *first >= *last)
    return SmallVector<Value>(inits.begin(), inits.end());
  auto op = scf::ForOp::create(
      one.builder, one.loc, from, to, one.index(step), inits,
      [&](OpBuilder &b, Location loc, Value index, ValueRange carried) {
        OpBuilder::InsertionGuard restore(one.builder);
        one.builder.setInsertionPoint(b.getInsertionBlock(),
                                      b.getInsertionPoint());
        SmallVector<Value> results = body(index, carried);
        scf::YieldOp::create(one.builder, loc, results);
      });
  return SmallVector<Value>(op.getResults());
}

void RowEmitter::emitSweep(const Sweep &sweep, ColumnRange columns) {
  int64_t count = space.rowLength();
  SmallVector<Value> results =
      space.segment.empty()
          ? emitLong(sweep, columns)
          : emitSegments(sweep, columns, one.index(0),
                         one.index(space.segments()), space.segments());
  for (auto [reduction, sum] : llvm::zip(sweep.reductions, results))
    rowValues[reduction->getResult(0)] =
        settled(one, reduction, emitReduceFinish(one, reduction, sum, count));
}

SmallVector<Value> RowEmitter::emitColumns(const Sweep &sweep,
                                           ColumnRange columns) {
  int64_t lanes = wide.lanes;
  size_t sums = sweep.reductions.size();
  auto body = [&](LaneBuilder l) {
    return [this, &sweep, l](Value j, ValueRange carried) {
      return emitVector(sweep, l, j, carried);
    };
  };
  if (columns.length < 0) {
    // Only elementwise kernels split rows.
    Value length = one.sub(columns.end, columns.begin);
    Value whole = one.bitAnd(length, one.index(-lanes));
    Value middle = one.add(columns.begin, whole);
    loop(columns.begin, middle, lanes, {}, body(wide));
    loop(middle, columns.end, 1, {}, body(one));
    return {};
  }
  auto at = [&](int64_t offset) {
    return one.add(columns.begin, one.index(offset));
  };
  int64_t unrolled = lanes * kAccumulators;
  int64_t big = sums ? columns.length / unrolled * unrolled : 0;
  int64_t middle = columns.length / lanes * lanes;
  bool fromZero = columns.begin == one.index(0);
  auto bound = [&](int64_t n) { return fromZero ? one.index(n) : at(n); };

  // The end of a row is one more vector with fewer lanes in memory; a single
  // element is cheaper alone.
  int64_t rest = columns.length - middle;
  bool partial = rest > 1;
  SmallVector<Value> carried;
  if (middle > 0 || partial)
    for (int64_t u = 0; u < (big ? kAccumulators : 1); ++u)
      for (Operation *reduction : sweep.reductions)
        carried.push_back(emitReduceNeutral(wide, reduction));
  // The bounds may be values: what never runs is left out here.
  if (big)
    carried = loop(bound(0), bound(big), unrolled, carried,
                   [&](Value j, ValueRange values) {
                     SmallVector<Value> next;
                     for (int64_t u = 0; u < kAccumulators; ++u) {
                       Value k = u ? one.add(j, one.index(u * lanes)) : j;
                       next.append(emitVector(sweep, wide, k,
                                              values.slice(u * sums, sums)));
                     }
                     return next;
                   });
  SmallVector<Value> others(carried.begin() + std::min(sums, carried.size()),
                            carried.end());
  carried.truncate(std::min(sums, carried.size()));
  if (middle > big)
    carried = loop(bound(big), bound(middle), lanes, carried, body(wide));
  if (partial)
    carried = emitVector(sweep, wide.withActive(rest), bound(middle), carried);
  carried.append(others);

  SmallVector<Value> results;
  for (auto [i, reduction] : llvm::enumerate(sweep.reductions)) {
    if (carried.empty()) {
      results.push_back(emitReduceNeutral(one, reduction));
      continue;
    }
    SmallVector<Value> parts;
    for (size_t u = i; u < carried.size(); u += sums)
      parts.push_back(carried[u]);
    for (; parts.size() > 1; parts.truncate(parts.size() / 2))
      for (size_t u = 0; u < parts.size() / 2; ++u)
        parts[u] =
            emitReduceStep(wide, reduction, parts[2 * u], parts[2 * u + 1]);
    results.push_back(wide.reduceLanes(
        parts[0], [&, op = reduction](LaneBuilder &l, Value a, Value b) {
          return emitReduceStep(l, op, a, b);
        }));
  }
  if (rest != 1)
    return results;
  return loop(bound(middle), columns.end, 1, results, body(one));
}

Value RowEmitter::columnRegister(LaneBuilder &l, Value value, Value column) {
  if (Value known = registers.lookup(value))
    return known;
  Value result;
  if (Value scalar = rowValues.lookup(value)) {
    result = l.splat(scalar);
  } else if (auto found = inputs.find(value); found != inputs.end()) {
    const Place &place = found->second;
    result =
        place.map.inner
            ? l.load(place.pointer, one.add(place.offset, column),
                     place.element)
            : l.splat(one.load(place.pointer, place.offset, place.element));
  } else {
    auto constant = value.getDefiningOp<ConstantOp>();
    assert(constant && "values of a sweep are made in order");
    result = emitSplatConstant(l, constant);
  }
  registers[value] = result;
  return result;
}

/// Number of the column in each lane, or a coordinate of the row.
static Value emitIota(LaneBuilder &l, IotaOp iota, Value column) {
  Type element = registerType(tensorType(iota.getResult()).getElementType());
  Type integer = element.isInteger(64) ? element : l.builder.getI32Type();
  Value first = l.withLanes(1).convert(column, integer, false);
  Value numbers = l.add(l.splat(first), l.laneNumbers(integer));
  return l.convert(numbers, element, false);
}

SmallVector<Value> RowEmitter::emitVector(const Sweep &sweep, LaneBuilder l,
                                          Value column,
                                          ValueRange accumulators) {
  registers.clear();
  auto bufferElement = [&](Value value) -> Type {
    Type element = tensorType(value).getElementType();
    return isa<FloatType>(element) ? registerType(element) : element;
  };
  auto bufferIndex = [&] {
    return space.segment.empty()
               ? column
               : one.add(one.mul(segment, one.index(space.inner)), column);
  };
  for (auto [value, buffer] : sweep.loads)
    registers[value] = l.load(bufferPointer(shape.bufferOffsets[buffer]),
                              bufferIndex(), bufferElement(value));
  for (Operation *op : sweep.ops) {
    Value result = op->getResult(0), made;
    if (auto iota = dyn_cast<IotaOp>(op)) {
      ArrayRef<int64_t> dims = tensorType(result).getShape();
      bool inner = space.map(result).inner != 0 &&
                   space.groupOfAxis(dims, iota.getAxis()) ==
                       int64_t(space.outer.size() + space.segment.size());
      made =
          inner
              ? emitIota(l, iota, column)
              : l.splat(one.convert(
                    coordinateOf(iota),
                    registerType(tensorType(result).getElementType()), false));
    } else if (auto dropout = dyn_cast<DropoutOp>(op)) {
      Value x = columnRegister(l, dropout.getX(), column);
      made = emitDropoutValue(l, dropout, x, column);
    } else {
      SmallVector<Value> operands;
      for (Value operand : op->getOperands())
        operands.push_back(columnRegister(l, operand, column));
      made = reducedAxes(op) ? emitReduceFinish(l, op, operands[0], 1)
                             : elementwise(l, op, operands);
    }
    registers[result] = made = settled(l, op, made);
    auto saved = sweep.saves.find(result);
    if (saved != sweep.saves.end())
      l.store(made, bufferPointer(shape.bufferOffsets[saved->second]),
              bufferIndex(), bufferElement(result));
  }
  SmallVector<Value> results;
  for (auto [reduction, sum] : llvm::zip(sweep.reductions, accumulators)) {
    Value x = columnRegister(l, reduction->getOperand(0), column);
    Type element = tensorType(reduction->getResult(0)).getElementType();
    bool isUnsigned = element.isUnsignedInteger();
    x = l.convert(x, registerType(element), isUnsigned);
    x = l.inActiveLanes(x, emitReduceNeutral(l, reduction));
    results.push_back(emitReduceStep(l, reduction, sum, x));
  }
  emitStores(sweep, l, column);
  registers.clear();
  return results;
}

void RowEmitter::emitStores(const Sweep &sweep, LaneBuilder &l, Value column) {
  Operation *yield = kernel.getBody().front().getTerminator();
  // All loads of the vector come first: an output may share memory with an
  // input.
  for (unsigned output : sweep.stores)
    columnRegister(l, yield->getOperand(output), column);
  for (unsigned output : sweep.partials)
    columnRegister(l, yield->getOperand(output).getDefiningOp()->getOperand(0),
                   column);
  for (unsigned output : sweep.stores) {
    Place &place = outputs[output];
    Value value = columnRegister(l, yield->getOperand(output), column);
    Value guard = outputGuard(output);
    OpBuilder::InsertionGuard restore(l.builder);
    if (guard) {
      auto branch = scf::IfOp::create(l.builder, l.loc, guard, false);
      l.builder.setInsertionPointToStart(branch.thenBlock());
    }
    if (place.map.inner)
      l.store(value, place.pointer, one.add(place.offset, column),
              place.element);
    else
      one.store(l.lanes == 1 ? value
                             : one.make<vector::ExtractOp>(value, int64_t(0)),
                place.pointer, place.offset, place.element);
  }
  for (unsigned output : sweep.partials) {
    Value x = yield->getOperand(output).getDefiningOp()->getOperand(0);
    Place &place = outputs[output];
    Value index = one.add(one.mul(unit, one.index(space.inner)), column);
    Value sum = l.load(place.pointer, index, place.element);
    auto op = cast<ColumnPartialsOp>(yield->getOperand(output).getDefiningOp());
    l.store(l.roundTo(l.add(sum, columnRegister(l, x, column)), op.getAcc()),
            place.pointer, index, place.element);
  }
}
