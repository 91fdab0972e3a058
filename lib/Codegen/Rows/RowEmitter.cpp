//===- RowEmitter.cpp - Loops over units and rows -------------------------===//

#include "amp/Codegen/RowEmitter.h"
#include "amp/Codegen/Functions.h"
#include "amp/Codegen/KernelChecks.h"
#include "amp/Dialect/Amp/IR/PrecisionAttrs.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace amp;

RowEmitter::RowEmitter(KernelOp kernel, const RowSpace &space,
                       const SweepPlan &plan, const KernelShape &shape,
                       LaneBuilder wide, ValueRange pointers, Value rowMemory)
    : kernel(kernel), space(space), plan(plan), shape(shape), wide(wide),
      one(wide.withLanes(1)), rowMemory(rowMemory) {
  auto module = kernel->getParentOfType<ModuleOp>();
  strict = module && module->hasAttr(kStrictRoundingAttr);
  Block &body = kernel.getBody().front();
  unsigned number = 0;
  for (BlockArgument argument : body.getArguments()) {
    Value pointer = pointers[number++];
    if (!isControlInput(argument))
      addOperand(argument, pointer, argument);
  }
  for (Value output : body.getTerminator()->getOperands()) {
    Place place;
    place.pointer = pointers[number++];
    place.element = tensorType(output).getElementType();
    if (!output.getDefiningOp<ColumnPartialsOp>())
      place.map = space.map(output);
    outputs.push_back(place);
  }
  unsigned tables = 0;
  for (Operation &op : body.without_terminator()) {
    if (auto dropout = dyn_cast<DropoutOp>(op)) {
      auto pointer = [&](Value v) {
        return pointers[cast<BlockArgument>(v).getArgNumber()];
      };
      dropoutStates[&op] =
          emitDropoutState(one, dropout, pointer(dropout.getRng()),
                           pointer(dropout.getIteration()));
      Place place;
      place.map = space.map(dropout.getResult());
      dropoutPlaces[&op] = place;
    }
    auto constant = dyn_cast<ConstantOp>(op);
    if (!constant)
      continue;
    auto dense = cast<DenseElementsAttr>(constant.getValue());
    if (dense.isSplat())
      continue;
    // Bits as they are in memory, so that the table is loaded like an input.
    Type element = dense.getElementType(), stored = storageType(element);
    if (element.isInteger(1))
      dense = dense.mapValues(stored, [](const APInt &bit) {
        return APInt(8, bit.getZExtValue());
      });
    else if (stored != element)
      dense = dense.bitcast(stored);
    std::string name = "constant" + std::to_string(tables++);
    addOperand(constant.getResult(), one.scope.table(name, dense),
               constant.getResult());
  }
}

void RowEmitter::emitUnits(Value begin, Value end) {
  loop(begin, end, 1, {}, [&](Value index, ValueRange) {
    unit = index;
    if (space.hasPartials)
      emitPartialUnit(index);
    else if (space.wholeRows)
      emitRow(index, {one.index(0), one.index(space.inner), space.inner});
    else
      emitSplitUnit(index);
    return SmallVector<Value>();
  });
}

/// A chunk of rows: the partial sums of the chunk begin at zero.
void RowEmitter::emitPartialUnit(Value index) {
  ColumnRange columns = {one.index(0), one.index(space.inner), space.inner};
  Value offset = one.mul(index, one.index(space.inner));
  for (const Sweep &sweep : plan.sweeps)
    for (unsigned output : sweep.partials) {
      auto clear = [&](LaneBuilder l, Value from, Value to) {
        loop(from, to, l.lanes, {}, [&](Value j, ValueRange) {
          l.store(l.f32(0), outputs[output].pointer, one.add(offset, j),
                  outputs[output].element);
          return SmallVector<Value>();
        });
      };
      int64_t rest = space.inner % wide.lanes;
      Value main = one.index(space.inner - rest);
      clear(wide, columns.begin, main);
      if (rest)
        clear(wide.withActive(rest), main, columns.end);
    }
  Value first = one.mul(index, one.index(space.rowsPerUnit));
  Value last = one.make<arith::MinSIOp>(
      one.add(first, one.index(space.rowsPerUnit)), one.index(space.rows()));
  loop(first, last, 1, {}, [&](Value row, ValueRange) {
    emitRow(row, columns);
    return SmallVector<Value>();
  });
}

/// A run of columns of one row.
void RowEmitter::emitSplitUnit(Value index) {
  int64_t columns = space.inner, step = shape.columnsPerUnit;
  if (shape.unitsPerRow <= 1) {
    emitRow(index, {one.index(0), one.index(columns), columns});
    return;
  }
  Value row = one.index(0), part = index;
  if (space.rows() != 1) {
    Value parts = one.index(shape.unitsPerRow);
    row = one.make<arith::DivUIOp>(index, parts);
    part = one.make<arith::RemUIOp>(index, parts);
  }
  Value begin = one.mul(part, one.index(step));
  Value end = one.make<arith::MinSIOp>(one.add(begin, one.index(step)),
                                       one.index(columns));
  bool even = columns % step == 0;
  emitRow(row, {begin, end, even ? step : -1});
}

void RowEmitter::loadRowInputs() {
  rowValues.clear();
  for (auto &[value, place] : inputs)
    if (place.map.isRowUniform())
      rowValues[value] =
          one.load(place.pointer, place.rowOffset, place.element);
}

void RowEmitter::emitStep(LaneBuilder l, Value row, Value column) {
  assert(plan.sweeps.size() == 1 && !space.wholeRows && "no reductions");
  drawInRegisters = true;
  setRow(row);
  loadRowInputs();
  const Sweep &sweep = plan.sweeps.front();
  emitRowValues(sweep, column);
  if (sweep.touchesColumns())
    emitVector(sweep, l, column, {});
}

void RowEmitter::emitRow(Value row, ColumnRange columns) {
  setRow(row);
  loadRowInputs();
  if (space.segment.empty())
    for (Operation *dropout : plan.dropouts)
      emitDraws(dropout, columns);
  for (const Sweep &sweep : plan.sweeps) {
    emitRowValues(sweep, columns.begin);
    if (sweep.touchesColumns())
      emitSweep(sweep, columns);
  }
}

Value RowEmitter::rowRegister(Value value) {
  if (Value known = rowValues.lookup(value))
    return known;
  auto constant = value.getDefiningOp<ConstantOp>();
  assert(constant && "row values are made in order");
  return emitSplatConstant(one, constant);
}

Value RowEmitter::settled(LaneBuilder &l, Operation *op, Value value) {
  Type element = tensorType(op->getResult(0)).getElementType();
  return strict && isa<FloatType>(element) ? l.roundTo(value, element) : value;
}

Value RowEmitter::elementwise(LaneBuilder &l, Operation *op,
                              ArrayRef<Value> operands) {
  // What is known of an operand must not depend on which ops share the kernel.
  auto exp = dyn_cast<ExpOp>(op);
  if (!strict || !exp || !laneType(operands[0]).isF32())
    return emitElementwise(l, op, operands);
  return op->hasAttr(kShiftedAttr) ? emitExpBounded(l, operands[0])
                                   : emitExp(l, operands[0]);
}

void RowEmitter::emitRowValues(const Sweep &sweep, Value firstColumn) {
  for (Operation *op : sweep.rowOps) {
    Value result = op->getResult(0);
    if (auto iota = dyn_cast<IotaOp>(op)) {
      rowValues[result] =
          one.convert(coordinateOf(iota),
                      registerType(tensorType(result).getElementType()), false);
    } else if (auto dropout = dyn_cast<DropoutOp>(op)) {
      rowValues[result] =
          emitDropout(one, dropoutStates[op], rowRegister(dropout.getX()),
                      drawAt(dropout, dropoutPlaces[op].rowOffset));
    } else if (reducedAxes(op)) {
      // One element per row: its own sum.
      Value x = rowRegister(op->getOperand(0));
      rowValues[result] = emitReduceFinish(one, op, x, 1);
    } else {
      SmallVector<Value> operands;
      for (Value operand : op->getOperands())
        operands.push_back(rowRegister(operand));
      rowValues[result] = elementwise(one, op, operands);
    }
    rowValues[result] = settled(one, op, rowValues[result]);
  }
  for (unsigned output : sweep.rowStores)
    storeRowOutput(output, firstColumn);
}

void RowEmitter::storeRowOutput(unsigned output, Value firstColumn) {
  Value value = kernel.getBody().front().getTerminator()->getOperand(output);
  Place &place = outputs[output];
  Value guard = outputGuard(output);
  if (shape.unitsPerRow > 1) {
    Value first = one.cmp(arith::CmpIPredicate::eq, firstColumn, one.index(0));
    guard = guard ? one.bitAnd(guard, first) : first;
  }
  auto store = [&] {
    one.store(rowRegister(value), place.pointer, place.rowOffset,
              place.element);
  };
  if (!guard)
    return store();
  auto branch = scf::IfOp::create(one.builder, one.loc, guard, false);
  OpBuilder::InsertionGuard restore(one.builder);
  one.builder.setInsertionPointToStart(branch.thenBlock());
  store();
}
